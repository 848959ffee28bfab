//! What the BMC says it is.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Asks the BMC for its identity.
#[async_trait]
pub trait Identity: Send + Sync {
    /// Reads the identity from the BMC.
    async fn identity(&self) -> Result<BmcIdentity, Error>;
}

/// The BMC's own description. What a protocol does not tell is `None`.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BmcIdentity {
    /// Manufacturer: a name, or `IANA <number>` where the protocol gives only a number.
    pub manufacturer: Option<String>,
    /// Product name or number.
    pub product: Option<String>,
    /// Firmware version of the BMC.
    pub firmware: Option<String>,
    /// Protocol and version that the BMC speaks, such as `IPMI 2.0`.
    pub protocol: Option<String>,
}
