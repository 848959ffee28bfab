//! Settings of single providers. Names are Rufio's, also where they name a tool instead of a protocol.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SecretReference, schema};

/// Settings of single providers.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderOptions {
    /// Providers to try first, in this order: `ipmitool`, `asrockrack`, `gofish`, `IntelAMT`, `dell`, `supermicro`, `openbmc`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(
        pattern = r"(?i)^(ipmitool|asrockrack|gofish|IntelAMT|dell|supermicro|openbmc)$"
    )))]
    pub preferred_order: Vec<String>,
    /// Intel AMT.
    #[serde(default, rename = "intelAMT", skip_serializing_if = "Option::is_none")]
    pub intel_amt: Option<IntelAmtOptions>,
    /// IPMI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipmitool: Option<IpmitoolOptions>,
    /// Redfish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redfish: Option<RedfishOptions>,
    /// Webhook; excludes all other providers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rpc: Option<RpcOptions>,
    /// Home Assistant switch; excludes all other providers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub homeassistant: Option<HomeAssistantOptions>,
}

/// Intel AMT.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IntelAmtOptions {
    /// Port of the AMT service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::integer")]
    pub port: Option<i32>,
    /// URL scheme of the AMT service.
    #[serde(default)]
    pub host_scheme: HostScheme,
}

/// URL scheme of the AMT service.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HostScheme {
    /// Plain HTTP with digest authentication.
    #[default]
    Http,
    /// TLS.
    Https,
}

/// IPMI.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IpmitoolOptions {
    /// UDP port of the BMC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::integer")]
    pub port: Option<i32>,
    /// Cipher suite to use, as text: `"1"`, `"2"`, `"3"`, `"6"`, `"7"`, `"8"`, `"11"`, `"12"`, `"15"`, `"16"` or `"17"`.
    /// Not set: 17, then 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cipher_suite: Option<String>,
}

/// Redfish.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RedfishOptions {
    /// HTTPS port of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::integer")]
    pub port: Option<i32>,
    /// Authenticate each request instead of a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub use_basic_auth: Option<bool>,
    /// Name of the ComputerSystem where the service has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_name: Option<String>,
}

/// Webhook.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "camelCase")]
pub struct RpcOptions {
    /// URL that requests are sent to.
    #[serde(rename = "consumerURL")]
    pub consumer_url: String,
    /// Do not log the exchanges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_notifications_disabled: Option<bool>,
    /// Shape of the HTTP request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<RpcRequest>,
    /// Shape of the signature headers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<RpcSignature>,
    /// Keys to sign with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hmac: Option<HmacOptions>,
    /// Embedding of the request in a payload of the user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experimental: Option<RpcExperimental>,
}

/// Shape of the HTTP request.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "camelCase")]
pub struct RpcRequest {
    /// Content type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_content_type: Option<String>,
    /// Method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_method: Option<String>,
    /// Headers sent with every request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub static_headers: BTreeMap<String, Vec<String>>,
    /// Go layout string of the timestamp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp_format: Option<String>,
    /// Header of the timestamp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp_header: Option<String>,
}

/// Shape of the signature headers.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "camelCase")]
pub struct RpcSignature {
    /// Header of the signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_name: Option<String>,
    /// `true`: the header's name carries no `-256` or `-512`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub append_algo_to_header_disabled: Option<bool>,
    /// Headers that are signed together with the body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub included_payload_headers: Vec<String>,
}

/// Keys to sign with.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "camelCase")]
pub struct HmacOptions {
    /// `true`: the signature carries no `sha256=` or `sha512=`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix_sig_disabled: Option<bool>,
    /// Algorithm to Secrets with the key `secret`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, Vec<SecretReference>>,
}

/// Embedding of the request in a payload of the user's.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "camelCase")]
pub struct RpcExperimental {
    /// JSON or YAML that the request is put into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_request_payload: Option<String>,
    /// Where in that payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dot_path: Option<String>,
}

/// Home Assistant switch.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HomeAssistantOptions {
    /// Entity that switches the machine's power.
    #[serde(rename = "switchEntityID")]
    pub switch_entity_id: String,
    /// Seconds that the switch needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_operation_delay_seconds: Option<i32>,
}
