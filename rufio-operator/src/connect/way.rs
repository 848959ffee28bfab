//! Which protocol a Connection means.

use super::ConnectError;
use super::home_assistant::HomeAssistant;
use super::options::IpmiOptions;
use super::rpc::Webhook;
use crate::api::{Connection, HomeAssistantOptions, RpcOptions};

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
        if let Some(switch) = switch(connection) {
            return HomeAssistant::of(connection, switch).map(Self::HomeAssistant);
        }
        match Self::webhook(connection) {
            Some(options) => {
                let webhook = Webhook::of(connection, options)?;
                Ok(Self::Rpc(Box::new(webhook)))
            }
            None => IpmiOptions::of(connection).map(Self::Ipmi),
        }
    }

    /// The webhook's options, if the way is one.
    pub(super) fn webhook(connection: &Connection) -> Option<&RpcOptions> {
        let options = connection.provider_options.as_ref()?.rpc.as_ref()?;
        switch(connection).is_none().then_some(options)
    }
}

/// Without an entity there is no switch.
fn switch(connection: &Connection) -> Option<&HomeAssistantOptions> {
    let options = connection.provider_options.as_ref()?;
    let switch = options.homeassistant.as_ref();
    switch.filter(|switch| !switch.switch_entity_id.is_empty())
}
