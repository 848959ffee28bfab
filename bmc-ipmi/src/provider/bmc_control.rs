//! The BMC's own restart by Cold Reset and Warm Reset.

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{BmcControl, BmcReset, Error as CoreError, ErrorKind};
use tokio::time::Instant;

use super::session::IpmiSession;
use crate::command::{ColdReset, Command, GetDeviceId, WarmReset};
use crate::error::Error;

/// A BMC that answers at all does so by then; many restart without a word.
const PATIENCE: Duration = Duration::from_secs(3);

#[async_trait]
impl BmcControl for IpmiSession {
    async fn reset_bmc(&self, reset: BmcReset) -> Result<(), CoreError> {
        match reset {
            BmcReset::Cold => self.restart(&ColdReset).await,
            BmcReset::Warm => self.restart(&WarmReset).await,
            _ => Err(CoreError::new(
                ErrorKind::Unsupported,
                format!("IPMI has no BMC reset {reset}"),
            )),
        }
    }
}

impl IpmiSession {
    async fn restart<C: Command>(&self, command: &C) -> Result<(), CoreError> {
        let sent = self.client().execute(command, self.shortly()).await;
        if let Err(error) = sent {
            let is_gone = matches!(error, Error::NoReply { .. }) && !self.is_answered().await;
            if !is_gone {
                return Err(error.into());
            }
        }
        self.client().close().await;
        Ok(())
    }

    /// Whether the BMC still knows the session: then it has not restarted.
    async fn is_answered(&self) -> bool {
        let asked = self.client().execute(&GetDeviceId, self.shortly()).await;
        matches!(asked, Ok(_) | Err(Error::Completion { .. }))
    }

    fn shortly(&self) -> Instant {
        Instant::now() + self.setup().command_timeout.min(PATIENCE)
    }
}
