//! The BMC's own restart as an operation.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::BmcReset;
use crate::error::Error;
use crate::provider::Session;

/// Restarts the BMC.
#[derive(Clone, Copy, Debug)]
pub struct ResetBmc(pub BmcReset);

#[async_trait]
impl Operation for ResetBmc {
    type Output = ();

    fn name(&self) -> &'static str {
        match self.0 {
            BmcReset::Cold => "bmc reset cold",
            BmcReset::Warm => "bmc reset warm",
        }
    }

    fn repeat(&self) -> Repeat {
        Repeat::Never
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.bmc_control()?.reset_bmc(self.0).await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<()>, Error>> {
        None
    }
}
