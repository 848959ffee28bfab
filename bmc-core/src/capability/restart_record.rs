//! Why the host started last.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::timestamp::Timestamp;
use crate::vocabulary::{UnknownWord, word};

/// Tells what the BMC noted when the host started last.
#[async_trait]
pub trait RestartRecord: Send + Sync {
    /// Reads the record. Another one than before proves a restart; an equal one proves nothing.
    async fn last_restart(&self) -> Result<Restart, Error>;
}

/// What the BMC noted about a start of the host.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restart {
    /// What started it.
    pub cause: RestartCause,
    /// When, if the protocol tells.
    pub time: Option<Timestamp>,
}

/// What started the host.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RestartCause {
    /// The BMC does not know.
    Unknown,
    /// A power action through the BMC.
    Command,
    /// The reset button.
    ResetButton,
    /// The power button.
    PowerButton,
    /// A watchdog timer.
    Watchdog,
    /// Mains power came back, and the policy is to start or to restore what was.
    PowerRestored,
    /// An event for which the BMC is set up to restart the host.
    Event,
    /// The host's own software.
    Software,
    /// The host's clock.
    Clock,
    /// A cause of the manufacturer's own.
    Oem,
}

word!(RestartCause, "restart cause" {
    Unknown => "unknown", Command => "command", ResetButton => "reset-button", PowerButton => "power-button",
    Watchdog => "watchdog", PowerRestored => "power-restored", Event => "event", Software => "software",
    Clock => "clock", Oem => "oem",
});
