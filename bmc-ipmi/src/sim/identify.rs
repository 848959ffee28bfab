//! The light that tells a machine from others.

use std::time::Duration;

use tokio::time::Instant;

use crate::command::ChassisIdentify;

/// State of the identify light.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SimIdentifyLight {
    /// Off.
    #[default]
    Off,
    /// On for a while.
    Until(Instant),
    /// On until it is switched off.
    On,
}

/// What a BMC takes for [`ChassisIdentify::Default`].
const DEFAULT: Duration = Duration::from_secs(15);

impl SimIdentifyLight {
    /// Executes Chassis Identify.
    pub(super) fn switch(&mut self, now: Instant, command: ChassisIdentify) {
        *self = match command {
            ChassisIdentify::Default => Self::Until(now + DEFAULT),
            ChassisIdentify::OFF => Self::Off,
            ChassisIdentify::Seconds(seconds) => {
                Self::Until(now + Duration::from_secs(seconds.into()))
            }
            ChassisIdentify::Indefinitely => Self::On,
        };
    }

    /// The state at `now`.
    pub(super) fn at(self, now: Instant) -> Self {
        match self {
            Self::Until(end) if end <= now => Self::Off,
            state => state,
        }
    }
}
