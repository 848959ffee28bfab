//! `providerOptions.homeassistant`.

use std::time::Duration;

use bmc_rpc::ConfigError;
use bmc_rpc::home_assistant::HomeAssistantProvider;

use super::http::HttpClients;
use super::{ConnectError, secrets};
use crate::api::{Connection, HomeAssistantOptions};
use crate::store::{Key, SecretData};

/// A checked switch; `host` of the Connection is the URL of Home Assistant.
#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct HomeAssistant {
    url: String,
    entity: String,
    delay: Duration,
    insecure_tls: bool,
}

impl HomeAssistant {
    /// Checks what can be checked without the Secret.
    pub(super) fn of(
        connection: &Connection,
        options: &HomeAssistantOptions,
    ) -> Result<Self, ConnectError> {
        let seconds = options.power_operation_delay_seconds.unwrap_or(0);
        let seconds = u64::try_from(seconds).map_err(|_| ConnectError::Invalid {
            field: "providerOptions.homeassistant.powerOperationDelaySeconds",
            reason: format!("{seconds} is below 0"),
        })?;
        Ok(Self {
            url: connection.host.clone(),
            entity: options.switch_entity_id.clone(),
            delay: Duration::from_secs(seconds),
            insecure_tls: connection.insecure_tls,
        })
    }

    /// The way to reach the switch, with the token that is the Secret's `password`.
    pub(super) fn provider(
        &self,
        secrets: &[(&Key, &SecretData)],
        http: &HttpClients,
    ) -> Result<HomeAssistantProvider, ConnectError> {
        HomeAssistantProvider::builder(&self.url, &self.entity)
            .token(secrets::credential(secrets, "password")?)
            .operation_delay(self.delay)
            .client(&http.get(self.insecure_tls)?)
            .build()
            .map_err(refused)
    }
}

fn refused(error: ConfigError) -> ConnectError {
    let field = match &error {
        ConfigError::Url { .. } => "host",
        ConfigError::Empty { .. } | ConfigError::HeaderValue { .. } => "authSecretRef",
        _ => "providerOptions.homeassistant.switchEntityID",
    };
    ConnectError::Invalid {
        field,
        reason: error.to_string(),
    }
}
