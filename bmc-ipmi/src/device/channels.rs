//! The BMC's channels.

use tokio::time::Instant;

use crate::client::Client;
use crate::command::session::cipher_suite_records::{CipherSuiteRecord, decode_records};
use crate::command::{
    AccessSource, ChannelAccess, ChannelInfo, ChannelMedium, GetChannelAccess,
    GetChannelCipherSuites, GetChannelInfo,
};
use crate::device::DeviceError;
use crate::error::Error;
use crate::wire::PayloadType;

/// The BMC's channels: what they are, and who may use them.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::{sync::Arc, time::Duration};
/// # use bmc_core::{Credentials, Endpoint};
/// # use bmc_ipmi::{Client, Login, Transport, proto::Known};
/// use bmc_ipmi::device::Channels;
/// use tokio::time::Instant;
///
/// # let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
/// # let deadline = Instant::now() + Duration::from_secs(5);
/// # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
/// let channels = Channels::new(&client);
/// assert_eq!(channels.lan(deadline).await?, 1);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Channels {
    client: Client,
}

/// Numbers that the specification leaves to the implementation, and that of the host's own interface.
const NUMBERS: [u8; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15];

impl Channels {
    /// The channels of the client's target.
    pub fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
        }
    }

    /// Number of the LAN channel: that of the session, or else the first one that is a LAN.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`DeviceError::Missing`] if no channel is a LAN.
    pub async fn lan(&self, deadline: Instant) -> Result<u8, Error> {
        let own = self.client.execute(&GetChannelInfo::THIS, deadline).await;
        match own {
            Ok(info) if info.medium == ChannelMedium::LAN => return Ok(info.channel),
            Err(error) if error.completion().is_none() => return Err(error),
            _ => {}
        }
        for number in 1..=11 {
            let info = self.info(number, deadline).await?;
            if info.is_some_and(|info| info.medium == ChannelMedium::LAN) {
                return Ok(number);
            }
        }
        Err(DeviceError::Missing("LAN channel").into())
    }

    /// All channels.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn list(&self, deadline: Instant) -> Result<Vec<ChannelInfo>, Error> {
        let mut list = Vec::new();
        for number in NUMBERS {
            list.extend(self.info(number, deadline).await?);
        }
        Ok(list)
    }

    /// Who may use a channel now.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn access(&self, channel: u8, deadline: Instant) -> Result<ChannelAccess, Error> {
        let command = GetChannelAccess {
            channel,
            source: AccessSource::Volatile,
        };
        self.client.execute(&command, deadline).await
    }

    /// The cipher suites of a payload on a channel.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn cipher_suites(
        &self,
        channel: u8,
        payload_type: PayloadType,
        deadline: Instant,
    ) -> Result<Vec<CipherSuiteRecord>, Error> {
        let mut list = Vec::new();
        for index in 0..=GetChannelCipherSuites::MAX_INDEX {
            let command = GetChannelCipherSuites {
                channel,
                payload_type,
                by_suite: true,
                index,
            };
            let part = self.client.execute(&command, deadline).await?;
            list.extend_from_slice(&part.records);
            if part.is_last() {
                break;
            }
        }
        Ok(decode_records(&list))
    }

    /// `None`: there is no such channel.
    async fn info(&self, number: u8, deadline: Instant) -> Result<Option<ChannelInfo>, Error> {
        match self.client.execute(&GetChannelInfo(number), deadline).await {
            // Some BMCs answer for a channel that they do not have with another one.
            Ok(info) => Ok((info.channel == number).then_some(info)),
            Err(error) if error.completion().is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
