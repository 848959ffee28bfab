//! The light that shows which machine it is.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::vocabulary::{UnknownWord, word};

/// Switches the identify light.
#[async_trait]
pub trait Identify: Send + Sync {
    /// Reads the light. [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) where the BMC does not tell.
    async fn identify_light(&self) -> Result<IdentifyLight, Error>;

    /// Switches the light. A time that the protocol cannot express is
    /// [`ErrorKind::InvalidInput`](crate::ErrorKind::InvalidInput).
    async fn set_identify(&self, wanted: IdentifyAction) -> Result<(), Error>;
}

/// What the light does.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum IdentifyLight {
    /// Nothing.
    Off,
    /// It shows for some time.
    Timed,
    /// It shows until it is switched off.
    On,
}

/// What the light shall do.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum IdentifyAction {
    /// Go out.
    Off,
    /// Show for this time.
    For(Duration),
    /// Show until it is switched off.
    On,
}

impl IdentifyAction {
    /// How the light reads afterwards.
    pub fn goal(self) -> IdentifyLight {
        match self {
            Self::Off => IdentifyLight::Off,
            Self::For(_) => IdentifyLight::Timed,
            Self::On => IdentifyLight::On,
        }
    }
}

word!(IdentifyLight, "identify light" { Off => "off", Timed => "timed", On => "on" });
