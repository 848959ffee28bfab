//! Power state and power actions of the host.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::vocabulary::{UnknownWord, word};

/// Reads and switches the host's power.
#[async_trait]
pub trait PowerControl: Send + Sync {
    /// Reads the power state from the BMC.
    async fn power_state(&self) -> Result<PowerState, Error>;

    /// Sends one power action. `Ok` means that the BMC accepted it, not that the host has reached the state.
    ///
    /// `On` on a host that is on, and `Off` or `Soft` on one that is off, succeed. [`PowerAction::Cycle`] and
    /// [`PowerAction::Reset`] are sent at most once, whatever happens to the reply.
    async fn set_power(&self, action: PowerAction) -> Result<(), Error>;
}

/// Power state of the host.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PowerState {
    /// The host has main power.
    On,
    /// The host has no main power.
    Off,
    /// On its way to [`On`](Self::On).
    PoweringOn,
    /// On its way to [`Off`](Self::Off).
    PoweringOff,
    /// The BMC gave no usable answer.
    Unknown,
}

/// A power action.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PowerAction {
    /// Power up.
    On,
    /// Power down at once.
    Off,
    /// Ask the operating system to shut down (ACPI).
    Soft,
    /// Power down, then up again.
    Cycle,
    /// Hard reset without loss of power.
    Reset,
}

impl PowerAction {
    /// The state that proves the action, where one does: a cycle or a reset ends where it began.
    pub fn goal(self) -> Option<PowerState> {
        match self {
            Self::On => Some(PowerState::On),
            Self::Off | Self::Soft => Some(PowerState::Off),
            Self::Cycle | Self::Reset => None,
        }
    }
}

word!(PowerState, "power state" {
    On => "on", Off => "off", PoweringOn => "powering-on", PoweringOff => "powering-off", Unknown => "unknown",
});
word!(PowerAction, "power action" {
    On => "on", Off => "off", Soft => "soft", Cycle => "cycle", Reset => "reset",
});
