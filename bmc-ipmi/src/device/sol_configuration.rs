//! The configuration of SOL.

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{GetSolConfiguration, SetSolConfiguration, SolParameter, SolSetting};
use crate::device::DeviceError;
use crate::error::Error;
use crate::wire::CompletionCode;

/// The configuration of SOL on one channel.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::{sync::Arc, time::Duration};
/// # use bmc_core::{Credentials, Endpoint};
/// # use bmc_ipmi::{Client, Login, Transport, proto::Known};
/// use bmc_ipmi::command::{SolBitRate, SolSetting, THIS_CHANNEL};
/// use bmc_ipmi::device::SolConfiguration;
/// use tokio::time::Instant;
///
/// # let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
/// # let deadline = Instant::now() + Duration::from_secs(5);
/// # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
/// let sol = SolConfiguration::new(&client, THIS_CHANNEL)?;
/// sol.set(SolSetting::VolatileBitRate(SolBitRate::BPS_115200), deadline).await?;
/// println!("{:?}", sol.read(deadline).await?);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct SolConfiguration {
    client: Client,
    channel: u8,
}

impl SolConfiguration {
    /// The configuration on a channel; [`THIS_CHANNEL`](crate::command::THIS_CHANNEL) is that of the session.
    ///
    /// # Errors
    /// There is no such channel.
    pub fn new(client: &Client, channel: u8) -> Result<Self, Error> {
        if channel > 15 {
            let field = "channel";
            let reason = format!("{channel} does not exist: use 0 to 15");
            return Err(Error::InvalidInput { field, reason });
        }
        Ok(Self {
            client: client.clone(),
            channel,
        })
    }

    /// Reads one parameter. `None`: the BMC does not have it.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn get(
        &self,
        parameter: SolParameter,
        deadline: Instant,
    ) -> Result<Option<SolSetting>, Error> {
        let command = GetSolConfiguration::new(self.channel, parameter, 0);
        match self.client.execute(&command, deadline).await {
            // Data that cannot be read are data all the same.
            Ok(answer) => Ok(Some(answer.read(parameter).unwrap_or(SolSetting::Other {
                parameter,
                data: answer.data,
            }))),
            Err(error)
                if matches!(
                    error.completion(),
                    Some(GetSolConfiguration::UNSUPPORTED | CompletionCode::INVALID_DATA_FIELD)
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads all that the BMC has of the parameters that the specification names, in order of their numbers.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn read(&self, deadline: Instant) -> Result<Vec<SolSetting>, Error> {
        let mut all = Vec::new();
        for parameter in SolParameter::ALL {
            all.extend(self.get(parameter, deadline).await?);
        }
        Ok(all)
    }

    /// Writes one parameter and reads it back.
    ///
    /// # Errors
    /// As [`Client::execute`]; the BMC does not keep it, or somebody else is configuring it.
    pub async fn set(&self, setting: SolSetting, deadline: Instant) -> Result<(), Error> {
        let parameter = setting.parameter();
        self.begin(deadline).await?;
        let written = self.write(setting.clone(), deadline).await;
        // Also after a failure, lest the BMC wait for the rest.
        let completed = self.write(SolSetting::SET_COMPLETE, deadline).await;
        written?;
        completed.or_else(unless_unsupported)?;
        match self.get(parameter, deadline).await? {
            Some(now) if now != setting => Err(DeviceError::SolNotKept(parameter.0).into()),
            _ => Ok(()),
        }
    }

    /// BMCs without this parameter have no such order.
    async fn begin(&self, deadline: Instant) -> Result<(), Error> {
        let mut begun = self.write(SolSetting::SET_BEGUN, deadline).await;
        if let Err(Error::NoReply { .. }) = begun {
            // It may have begun for us: end that, and begin again.
            self.write(SolSetting::SET_COMPLETE, deadline).await?;
            begun = self.write(SolSetting::SET_BEGUN, deadline).await;
        }
        match begun {
            Err(error) if error.completion() == Some(SetSolConfiguration::SET_IN_PROGRESS) => {
                Err(DeviceError::Busy("SOL configuration").into())
            }
            result => result.or_else(unless_unsupported),
        }
    }

    async fn write(&self, setting: SolSetting, deadline: Instant) -> Result<(), Error> {
        let command = SetSolConfiguration {
            channel: self.channel,
            setting,
        };
        self.client.execute(&command, deadline).await
    }
}

fn unless_unsupported(error: Error) -> Result<(), Error> {
    match error.completion() {
        Some(SetSolConfiguration::UNSUPPORTED) => Ok(()),
        _ => Err(error),
    }
}
