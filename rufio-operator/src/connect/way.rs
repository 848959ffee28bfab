//! Which protocol a Connection means.

use super::ConnectError;
use super::home_assistant::HomeAssistant;
use super::options::IpmiOptions;
use super::rpc::Webhook;
use crate::api::Connection;

/// A checked Connection; equal ones mean the same BMC reached in the same way.
#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Way {
    Ipmi(IpmiOptions),
    Rpc(Box<Webhook>),
    HomeAssistant(HomeAssistant),
}

impl Way {
    /// Home Assistant excludes everything else, and after it the webhook does, as in bmclib.
    pub(super) fn of(connection: &Connection) -> Result<Self, ConnectError> {
        if let Some(switch) = connection.switch() {
            return HomeAssistant::of(connection, switch).map(Self::HomeAssistant);
        }
        match connection.webhook() {
            Some(options) => {
                let webhook = Webhook::of(connection, options)?;
                Ok(Self::Rpc(Box::new(webhook)))
            }
            None => IpmiOptions::of(connection).map(Self::Ipmi),
        }
    }
}
