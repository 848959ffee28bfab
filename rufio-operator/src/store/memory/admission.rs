//! What happens to an object before it is stored: names and labels are checked, defaults filled in, the schema enforced,
//! unknown fields pruned.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::{Value, json};

use crate::crd::schema::{self, UnknownFields};
use crate::store::fault::Pruned;
use crate::store::{Kind, StoreError};

/// The object as the server would store it, without its status.
pub(super) fn admit<K: Kind>(object: &K, pruned: &[Pruned]) -> Result<K, StoreError> {
    let mut wrong = metadata_violations(object.meta());
    let mut value = to_value(object)?;
    if let Value::Object(object) = &mut value {
        object.remove("status");
    }
    wrong.extend(through_schema::<K>(&mut value, pruned));
    if wrong.is_empty() {
        from_value(value)
    } else {
        Err(StoreError::Invalid(wrong.join("; ")))
    }
}

/// The status as the server would store it.
pub(super) fn admit_status<K: Kind>(
    status: &K::Status,
    pruned: &[Pruned],
) -> Result<K::Status, StoreError> {
    let mut value = json!({ "status": to_value(status)? });
    let wrong = through_schema::<K>(&mut value, pruned);
    if wrong.is_empty() {
        from_value(value.get_mut("status").map(Value::take).unwrap_or_default())
    } else {
        Err(StoreError::Invalid(wrong.join("; ")))
    }
}

/// Whether two objects want the same: everything but metadata and status.
pub(super) fn same_spec<K: Kind>(one: &K, two: &K) -> Result<bool, StoreError> {
    Ok(to_value(one)?.get("spec") == to_value(two)?.get("spec"))
}

fn through_schema<K: Kind>(value: &mut Value, pruned: &[Pruned]) -> Vec<String> {
    let Some(schema) = schema::of_kind(K::KIND) else {
        return Vec::new();
    };
    schema::fill_defaults(schema, value);
    let violations = schema::violations(schema, value, UnknownFields::Accept);
    schema::prune(schema, value);
    for field in pruned {
        field.prune(K::KIND, value);
    }
    violations.iter().map(ToString::to_string).collect()
}

fn to_value(object: &impl serde::Serialize) -> Result<Value, StoreError> {
    serde_json::to_value(object).map_err(|error| StoreError::Invalid(error.to_string()))
}

fn from_value<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, StoreError> {
    serde_json::from_value(value).map_err(|error| StoreError::Invalid(error.to_string()))
}

fn metadata_violations(meta: &ObjectMeta) -> Vec<String> {
    let mut wrong = Vec::new();
    if !is_subdomain(meta.name.as_deref().unwrap_or_default()) {
        wrong.push(
            "metadata.name: at most 253 of a-z, 0-9, '-' and '.'; each part begins and ends with a letter or digit"
                .to_owned(),
        );
    }
    if !is_dns_label(meta.namespace.as_deref().unwrap_or_default()) {
        wrong.push(
            "metadata.namespace: 1 to 63 of a-z, 0-9 and '-', first and last a letter or digit"
                .to_owned(),
        );
    }
    let labels: &BTreeMap<String, String> =
        meta.labels.as_ref().unwrap_or(const { &BTreeMap::new() });
    for (name, value) in labels {
        if !is_label_value(value) {
            wrong.push(format!(
                "metadata.labels.{name}: at most 63 of letters, digits, '-', '_' and '.', first and last a letter or digit"
            ));
        }
    }
    wrong
}

fn is_subdomain(name: &str) -> bool {
    let part = |part: &str| is_within(part, |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'), b"-");
    name.len() <= 253 && name.split('.').all(|name| !name.is_empty() && part(name))
}

fn is_dns_label(name: &str) -> bool {
    name.len() <= 63 && !name.contains('.') && is_subdomain(name)
}

fn is_label_value(value: &str) -> bool {
    value.len() <= 63 && is_within(value, |byte| byte.is_ascii_alphanumeric(), b"-_.")
}

/// Whether all bytes are of the class or of `inside`, and the first and the last of the class.
fn is_within(text: &str, class: impl Fn(u8) -> bool, inside: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let ends = bytes.first().into_iter().chain(bytes.last());
    bytes
        .iter()
        .all(|byte| class(*byte) || inside.contains(byte))
        && ends.copied().all(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_labels_follow_kubernetes() {
        for good in ["a", "node-1", "a.b-c.d0"] {
            assert!(is_subdomain(good), "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a..b", "a_b", &"a".repeat(254)] {
            assert!(!is_subdomain(bad), "{bad}");
        }
        for good in ["", "a", "A_b.c-D", &"a".repeat(63)] {
            assert!(is_label_value(good), "{good}");
        }
        for bad in ["-a", "a.", "a b", &"a".repeat(64)] {
            assert!(!is_label_value(bad), "{bad}");
        }
    }
}
