//! Commands that only IPMI knows: on a session of their own, over the typed client.

use bmc_core::{Attempt, Error, ErrorKind, Report, Stage};
use bmc_ipmi::Client;
use tokio::time::Instant;

use super::{Answer, Call, Ended, Failure};

/// What goes wrong on the way to an answer.
pub type Result<T> = std::result::Result<T, bmc_ipmi::Error>;

impl Call<'_> {
    /// Logs in, asks, and logs out. `name` is for the report.
    pub async fn ask_ipmi(
        &self,
        name: &'static str,
        ask: impl AsyncFnOnce(&Client, Instant) -> Result<Answer>,
    ) -> Ended {
        let began = Instant::now();
        let (stage, result) = self.on_ipmi(ask).await;
        let attempt = Attempt {
            provider: "ipmi",
            stage,
            elapsed: began.elapsed(),
            error: result.as_ref().err().cloned(),
        };
        Ended {
            report: Report {
                operation: name,
                attempts: vec![attempt],
            },
            result: result.map_err(|error| Failure::from(&error)),
        }
    }

    async fn on_ipmi(
        &self,
        ask: impl AsyncFnOnce(&Client, Instant) -> Result<Answer>,
    ) -> (Stage, std::result::Result<Answer, Error>) {
        let Some(provider) = &self.member.ipmi else {
            let error = Error::new(ErrorKind::Unsupported, "only IPMI knows this command");
            return (Stage::Open, Err(error));
        };
        let client = match provider.connect(self.deadline).await {
            Ok(client) => client,
            Err(error) => return (Stage::Open, Err(error.into())),
        };
        let answer = ask(&client, self.deadline).await;
        client.close().await;
        (Stage::Operate, answer.map_err(Error::from))
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self {
            kind: error.kind(),
            message: error.to_string(),
            effect: error.effect(),
        }
    }
}
