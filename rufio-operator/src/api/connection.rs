//! How to reach a BMC.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{HomeAssistantOptions, ProviderOptions, RpcOptions, schema};

/// The port that stands for "not set": the schema's default.
pub const DEFAULT_PORT: i32 = 623;

/// How to reach a BMC.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// IP address or name of the BMC; for a webhook, what the webhook knows the machine by.
    #[schemars(length(min = 1))]
    pub host: String,
    /// Port of the BMC; providerOptions overrule it.
    #[serde(default = "default_port")]
    #[schemars(schema_with = "schema::integer")]
    pub port: i32,
    /// Secret with the keys `username` and `password`.
    #[serde(default)]
    pub auth_secret_ref: SecretReference,
    /// Do not verify the TLS certificate of the BMC.
    #[serde(rename = "insecureTLS")]
    pub insecure_tls: bool,
    /// Settings of single providers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_options: Option<ProviderOptions>,
}

/// Names a Secret.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-map-type" = "atomic"))]
pub struct SecretReference {
    /// Name of the Secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Namespace of the Secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}

impl Connection {
    /// The switch of Home Assistant that this connection goes to, and to nothing else. Without an entity there is none.
    pub fn switch(&self) -> Option<&HomeAssistantOptions> {
        let switch = self.provider_options.as_ref()?.homeassistant.as_ref();
        switch.filter(|switch| !switch.switch_entity_id.is_empty())
    }

    /// The webhook that this connection goes to, and to nothing else. A switch comes before it, as in bmclib.
    pub fn webhook(&self) -> Option<&RpcOptions> {
        let webhook = self.provider_options.as_ref()?.rpc.as_ref();
        webhook.filter(|_| self.switch().is_none())
    }
}

fn default_port() -> i32 {
    DEFAULT_PORT
}
