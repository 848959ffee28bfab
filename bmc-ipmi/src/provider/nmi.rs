//! The diagnostic interrupt by Chassis Control.

use async_trait::async_trait;
use bmc_core::{Error as CoreError, ErrorKind, Nmi};

use super::session::IpmiSession;
use crate::command::ChassisControl;
use crate::wire::CompletionCode;

#[async_trait]
impl Nmi for IpmiSession {
    async fn send_nmi(&self) -> Result<(), CoreError> {
        let sent = self.change(&ChassisControl::DIAGNOSTIC_INTERRUPT).await;
        sent.map_err(|error| match error.completion() {
            // The interrupt is optional; these say that the action is unknown.
            Some(CompletionCode::INVALID_DATA_FIELD | CompletionCode::OUT_OF_RANGE) => {
                CoreError::new(ErrorKind::Unsupported, "BMC has no diagnostic interrupt")
                    .with_source(error)
            }
            _ => error.into(),
        })
    }
}
