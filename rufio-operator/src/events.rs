//! Reasons and actions of the Events that the operator publishes.

use crate::store::{Event, Kind, ObjectRef, Severity};

/// The BMC did not tell the power state. Rufio's name.
pub const GET_POWER_STATE_FAILED: &str = "GetPowerStateFailed";
/// The BMC answers again.
pub const CONTACTABLE: &str = "Contactable";
/// Another port than `spec.connection.port` answers.
pub const PORT_IGNORED: &str = "PortIgnored";
/// A Secret, a Machine or a name that the object needs is not there yet.
pub const WAITING: &str = "Waiting";
/// The object has reached its end as wanted.
pub const COMPLETED: &str = "Completed";
/// The object has ended otherwise.
pub const FAILED: &str = "Failed";
/// The BMC kept only part of the boot override.
pub const BOOT_FLAGS_LOST: &str = "BootFlagsLost";
/// A BMC could not be asked; it is asked again.
pub const RETRYING: &str = "Retrying";

/// What the operator was doing: the `action` of an Event.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Doing {
    /// Reading the power state for a Machine.
    GetPowerState,
    /// Carrying out a Task.
    RunTask,
    /// Carrying out a Job.
    RunJob,
}

impl Doing {
    fn as_str(self) -> &'static str {
        match self {
            Self::GetPowerState => "GetPowerState",
            Self::RunTask => "RunTask",
            Self::RunJob => "RunJob",
        }
    }
}

/// An Event that says all is well.
pub fn normal<K: Kind>(object: &K, doing: Doing, reason: &'static str, note: String) -> Event {
    event(object, Severity::Normal, doing, reason, note)
}

/// An Event that somebody should read.
pub fn warning<K: Kind>(object: &K, doing: Doing, reason: &'static str, note: String) -> Event {
    event(object, Severity::Warning, doing, reason, note)
}

fn event<K: Kind>(
    object: &K,
    severity: Severity,
    doing: Doing,
    reason: &'static str,
    note: String,
) -> Event {
    Event {
        regarding: ObjectRef {
            kind: K::KIND,
            key: object.key(),
            uid: object.uid().to_owned(),
        },
        severity,
        reason,
        action: doing.as_str(),
        note,
    }
}
