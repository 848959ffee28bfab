//! The BMC itself.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::vocabulary::{UnknownWord, word};

/// Restarts the BMC itself. The host goes on running.
#[async_trait]
pub trait BmcControl: Send + Sync {
    /// Restarts the BMC. Sent at most once, whatever happens to the reply.
    ///
    /// `Ok` means that the BMC accepted it, or went away over it without a word. The session is gone afterwards, and it
    /// takes minutes until the BMC answers a login again.
    async fn reset_bmc(&self, reset: BmcReset) -> Result<(), Error>;
}

/// How to restart the BMC.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BmcReset {
    /// As after the loss of its power.
    Cold,
    /// Its programs only, where the BMC makes a difference.
    Warm,
}

word!(BmcReset, "BMC reset" { Cold => "cold", Warm => "warm" });
