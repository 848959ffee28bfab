//! `providerOptions.rpc`: every field of it, with Rufio's defaults where one is empty.

use bmc_core::Secret;
use bmc_rpc::{Algorithm, ConfigError, Keys, RpcProvider, Scheme};

use super::http::HttpClients;
use super::{ConnectError, secret_key, secrets};
use crate::api::{Connection, RpcOptions};
use crate::store::{Key, SecretData};

const HMAC_SECRETS: &str = "providerOptions.rpc.hmac.secrets";

/// A webhook; equal ones ask the same consumer for the same machine in the same manner.
#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Webhook {
    /// What the consumer knows the machine by.
    host: String,
    insecure_tls: bool,
    options: RpcOptions,
}

impl Webhook {
    /// Checks everything but the Secrets.
    pub(super) fn of(connection: &Connection, options: &RpcOptions) -> Result<Self, ConnectError> {
        for (algorithm, references) in options.hmac.iter().flat_map(|hmac| &hmac.secrets) {
            let algorithm: Algorithm = algorithm.parse().map_err(refused)?;
            if references.is_empty() {
                return Err(refused(ConfigError::NoSecret { algorithm }));
            }
            if references.iter().any(|it| secret_key(it, "").is_none()) {
                return Err(ConnectError::Invalid {
                    field: HMAC_SECRETS,
                    reason: format!("algorithm {algorithm}: a reference names no Secret"),
                });
            }
        }
        Ok(Self {
            host: connection.host.clone(),
            insecure_tls: connection.insecure_tls,
            options: options.clone(),
        })
    }

    /// The way to reach the consumer. `secrets` are all that sign, by name.
    pub(super) fn provider(
        &self,
        secrets: &[(&Key, &SecretData)],
        owner_namespace: &str,
        http: &HttpClients,
    ) -> Result<RpcProvider, ConnectError> {
        let options = &self.options;
        let request = options.request.clone().unwrap_or_default();
        let mut builder = RpcProvider::builder(&options.consumer_url, &self.host)
            .scheme(self.scheme())
            .keys(self.keys(secrets, owner_namespace)?)
            .static_headers(request.static_headers)
            .log_notifications(!options.log_notifications_disabled.unwrap_or(false))
            .client(&http.get(self.insecure_tls)?);
        if let Some(method) = given(request.http_method) {
            builder = builder.http_method(method);
        }
        if let Some(content_type) = given(request.http_content_type) {
            builder = builder.http_content_type(content_type);
        }
        if let Some(custom) = options.experimental.clone() {
            builder = builder.custom_payload(
                custom.custom_request_payload.unwrap_or_default(),
                custom.dot_path.unwrap_or_default(),
            );
        }
        builder.build().map_err(refused)
    }

    fn scheme(&self) -> Scheme {
        let options = &self.options;
        let request = options.request.clone().unwrap_or_default();
        let signature = options.signature.clone().unwrap_or_default();
        let without_prefix = options.hmac.as_ref().and_then(|it| it.prefix_sig_disabled);
        let without_suffix = signature.append_algo_to_header_disabled;
        let mut scheme = Scheme::rufio()
            .algorithm_in_header(!without_suffix.unwrap_or(false))
            .algorithm_in_signature(!without_prefix.unwrap_or(false));
        if let Some(name) = given(request.timestamp_header) {
            scheme = scheme.timestamp_header(name);
        }
        if let Some(layout) = given(request.timestamp_format) {
            scheme = scheme.timestamp_format(layout);
        }
        if let Some(name) = given(signature.header_name) {
            scheme = scheme.signature_header(name);
        }
        // Unless set, the timestamp is signed, whatever its header is called.
        if !signature.included_payload_headers.is_empty() {
            scheme = scheme.signed_headers(signature.included_payload_headers);
        }
        scheme
    }

    fn keys(
        &self,
        secrets: &[(&Key, &SecretData)],
        owner_namespace: &str,
    ) -> Result<Keys, ConnectError> {
        let mut keys = Keys::new();
        for (algorithm, references) in self.options.hmac.iter().flat_map(|hmac| &hmac.secrets) {
            let mut values = Vec::with_capacity(references.len());
            for name in references
                .iter()
                .filter_map(|reference| secret_key(reference, owner_namespace))
            {
                values.push(value(secrets, name)?);
            }
            keys = keys.named(algorithm, values).map_err(refused)?;
        }
        Ok(keys)
    }
}

fn value(secrets: &[(&Key, &SecretData)], name: Key) -> Result<Secret, ConnectError> {
    let Some(secret) = secrets.iter().find(|(known, _)| **known == name) else {
        return Err(ConnectError::SecretMissing(name));
    };
    let value = secrets::value(*secret, "secret")?;
    if value.is_empty() {
        return Err(ConnectError::Invalid {
            field: HMAC_SECRETS,
            reason: format!("secret {name}: the value of \"secret\" is empty"),
        });
    }
    Ok(value)
}

fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

fn refused(error: ConfigError) -> ConnectError {
    let field = match &error {
        ConfigError::Url { .. } => "providerOptions.rpc.consumerURL",
        ConfigError::Empty { .. } => "host",
        ConfigError::Method { .. } => "providerOptions.rpc.request.httpMethod",
        ConfigError::HeaderName { setting, .. } | ConfigError::HeaderValue { setting, .. } => {
            match *setting {
                "timestamp header" => "providerOptions.rpc.request.timestampHeader",
                "signature header" => "providerOptions.rpc.signature.headerName",
                "signed header" => "providerOptions.rpc.signature.includedPayloadHeaders",
                "content type" => "providerOptions.rpc.request.httpContentType",
                _ => "providerOptions.rpc.request.staticHeaders",
            }
        }
        ConfigError::ReservedHeader { .. }
        | ConfigError::DoubledHeader { .. }
        | ConfigError::TooManyHeaders { .. } => "providerOptions.rpc.request.staticHeaders",
        ConfigError::SameHeader { .. } => "providerOptions.rpc.request.timestampHeader",
        ConfigError::SignedHeaderAbsent { .. } => {
            "providerOptions.rpc.signature.includedPayloadHeaders"
        }
        ConfigError::TimestampFormat { .. } => "providerOptions.rpc.request.timestampFormat",
        ConfigError::Algorithm { .. }
        | ConfigError::NoSecret { .. }
        | ConfigError::EmptySecret { .. } => HMAC_SECRETS,
        ConfigError::Embed(_) => "providerOptions.rpc.experimental",
        _ => "providerOptions.rpc",
    };
    ConnectError::Invalid {
        field,
        reason: error.to_string(),
    }
}
