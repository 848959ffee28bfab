//! What a failure or a reading means for a Task.

use bmc_core::{BootDevice, BootOverride, BootReading, Effect, Exhausted};

use super::Completion;
use crate::plan::Step;
use crate::status::{advice, describe, failed_to_open};

/// What follows a failed operation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// It may pass by itself; the text says what it was.
    Retry(String),
    /// The action may have been carried out.
    Unclear(String),
    /// It will not pass by itself; the text is the Task's message.
    Fail(String),
}

/// What follows this failure of `step`, or of a look at what it leads to.
pub fn verdict(step: &Step, exhausted: &Exhausted) -> Verdict {
    let cause = describe(exhausted);
    if exhausted.effect == Effect::Unknown {
        return Verdict::Unclear(cause);
    }
    let prefix = if failed_to_open(exhausted) {
        "Failed to connect to BMC: failed to open connection to BMC: "
    } else {
        step.failure_prefix()
    };
    let kind = exhausted.kind();
    if exhausted.is_retryable() || kind == bmc_core::ErrorKind::Closed {
        return Verdict::Retry(format!("{prefix}{cause}"));
    }
    Verdict::Fail(format!("{prefix}{cause}{}", advice(kind)))
}

/// How much of a boot override the BMC has kept. The device must match; everything else is a warning.
pub(super) fn boot_kept(
    wanted: &BootOverride,
    reading: &BootReading,
) -> Result<Completion, String> {
    let is = &reading.settings;
    if wanted.device == BootDevice::None {
        return if !reading.valid || is.device == BootDevice::None {
            Ok(Completion::Seen)
        } else {
            Err(format!(
                "the BMC accepted it and still holds {is} ({})",
                reading.raw
            ))
        };
    }
    if is.device != wanted.device {
        return Err(format!(
            "the BMC accepted {wanted} and holds {is} ({})",
            reading.raw
        ));
    }
    let mut lost = Vec::new();
    if !reading.valid {
        lost.push("valid");
    }
    if is.mode != wanted.mode {
        lost.push("EFI");
    }
    if is.persistence != wanted.persistence {
        lost.push("persistent");
    }
    if lost.is_empty() {
        return Ok(Completion::Seen);
    }
    Ok(Completion::Partly(format!(
        "the BMC accepted {wanted} and changed {}: holds {is} ({})",
        lost.join(", "),
        reading.raw
    )))
}
