//! Types and values of conditions.

use std::fmt;

/// Type of a Machine's condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MachineConditionType {
    /// The BMC answers and accepts the credential.
    Contactable,
}

/// Type of a Job's condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum JobConditionType {
    /// The Job has begun. Stays true at the end, as Rufio leaves it.
    Running,
    /// Every Task has completed.
    Completed,
    /// The Job will not go on.
    Failed,
}

/// Type of a Task's condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TaskConditionType {
    /// The action is done and, where the protocol shows it, seen.
    Completed,
    /// The Task will not go on.
    Failed,
}

/// Value of a condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ConditionStatus {
    /// Holds.
    True,
    /// Does not hold.
    False,
}

macro_rules! text {
    ($type:ident { $($variant:ident),+ }) => {
        impl $type {
            /// The word in the API.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant)),+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

text!(MachineConditionType { Contactable });
text!(JobConditionType {
    Running,
    Completed,
    Failed
});
text!(TaskConditionType { Completed, Failed });
text!(ConditionStatus { True, False });
