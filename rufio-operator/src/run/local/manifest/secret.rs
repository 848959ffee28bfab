//! Secrets in manifests: `data` in base64, `stringData` in clear.

use std::collections::BTreeMap;

use bmc_core::Secret;
use k8s_openapi::ByteString;
use serde_json::{Map, Value};

use crate::crd::schema::Violation;
use crate::store::SecretData;

const FIELDS: [&str; 7] = [
    "apiVersion",
    "kind",
    "metadata",
    "type",
    "data",
    "stringData",
    "immutable",
];

/// The decoded data of a Secret's document; `stringData` beats `data`. No message contains a value.
pub(super) fn data(document: &Value) -> Result<SecretData, Vec<Violation>> {
    let mut found = Vec::new();
    let mut data = BTreeMap::new();
    for name in document.as_object().into_iter().flat_map(Map::keys) {
        if !FIELDS.contains(&name.as_str()) {
            found.push(Violation {
                path: name.clone(),
                message: format!("unknown field; allowed are {}", FIELDS.join(", ")),
            });
        }
    }
    for (key, value) in entries(document, "data") {
        match serde_json::from_value::<ByteString>(value.clone()) {
            Ok(ByteString(bytes)) => {
                data.insert(key.clone(), Secret::new(bytes));
            }
            Err(_) => found.push(Violation {
                path: format!("data.{key}"),
                message: "expected text in base64; stringData takes clear text".to_owned(),
            }),
        }
    }
    for (key, value) in entries(document, "stringData") {
        match value.as_str() {
            Some(text) => {
                data.insert(key.clone(), Secret::from(text));
            }
            None => found.push(Violation {
                path: format!("stringData.{key}"),
                message: "expected text; put it in quotes".to_owned(),
            }),
        }
    }
    if document.get("type").and_then(Value::as_str) == Some("kubernetes.io/basic-auth")
        && !data.contains_key("username")
        && !data.contains_key("password")
    {
        found.push(Violation {
            path: "data".to_owned(),
            message: "type kubernetes.io/basic-auth needs the key username or password".to_owned(),
        });
    }
    if found.is_empty() {
        Ok(SecretData {
            data,
            version: String::new(),
        })
    } else {
        Err(found)
    }
}

fn entries<'a>(document: &'a Value, field: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    document
        .get(field)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}
