//! How to reach a BMC.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ProviderOptions, schema};

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

fn default_port() -> i32 {
    DEFAULT_PORT
}
