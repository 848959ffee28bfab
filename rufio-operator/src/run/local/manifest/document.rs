//! One document of a manifest, read as YAML 1.2 and, beside it, as kubectl reads it.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    JSONSchemaProps, JSONSchemaPropsOrArray,
};
use serde_json::Value;

use super::Source;
use crate::crd::schema::{self, UnknownFields, Violation};
use crate::store::Key;

/// One document.
pub(super) struct Document {
    place: Place,
    /// YAML 1.2: only `true` and `false` are booleans.
    pub(super) strict: Value,
    /// YAML 1.1, as kubectl reads: `on`, `off`, `yes` and `no` without quotes are booleans too.
    legacy: Value,
}

#[derive(Clone)]
struct Place {
    file: String,
    /// Counted from 1; with the item's index in a List.
    number: String,
}

/// An object that passed, as a cluster would store it.
pub(super) struct Parsed {
    pub(super) value: Value,
    pub(super) notices: Vec<String>,
}

/// The documents of a text; empty ones are left out.
pub(super) fn split(source: &Source) -> Result<Vec<Document>, String> {
    let read = |strict_booleans| {
        let mut options = serde_saphyr::Options::default();
        options.strict_booleans = strict_booleans;
        serde_saphyr::from_multiple_with_options::<Value>(&source.text, options)
            .map_err(|error| format!("{}: {error}", source.name))
    };
    let documents = read(true)?.into_iter().zip(read(false)?).enumerate();
    Ok(documents
        .map(|(index, (strict, legacy))| Document {
            place: Place {
                file: source.name.clone(),
                number: (index + 1).to_string(),
            },
            strict,
            legacy,
        })
        .collect())
}

impl Document {
    /// File, document and object, for messages.
    pub(super) fn place(&self) -> String {
        let Place { file, number } = &self.place;
        let name = self.metadata("name").unwrap_or_default();
        match (self.text_at("kind"), name) {
            ("", _) => format!("{file}: document {number}"),
            (kind, "") => format!("{file}: document {number}, {kind}"),
            (kind, name) => format!("{file}: document {number}, {kind} {name}"),
        }
    }

    /// The text of a top-level field, empty if there is none.
    pub(super) fn text_at(&self, field: &str) -> &str {
        self.strict
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The documents of a List.
    pub(super) fn items(&self) -> Result<Vec<Self>, String> {
        let list = |value: &Value| value.get("items").and_then(Value::as_array).cloned();
        let (Some(strict), Some(legacy)) = (list(&self.strict), list(&self.legacy)) else {
            return Err("items: expected a list".to_owned());
        };
        let items = strict.into_iter().zip(legacy).enumerate();
        Ok(items
            .map(|(index, (strict, legacy))| Self {
                place: Place {
                    file: self.place.file.clone(),
                    number: format!("{} items[{index}]", self.place.number),
                },
                strict,
                legacy,
            })
            .collect())
    }

    /// Namespace and name; `default` is the namespace of an object that has none.
    pub(super) fn key(&self) -> Result<Key, Vec<Violation>> {
        let violation = |path: &str, message: &str| {
            vec![Violation {
                path: path.to_owned(),
                message: message.to_owned(),
            }]
        };
        let name = self.metadata("name").unwrap_or_default();
        if name.is_empty() {
            return Err(violation("metadata.name", "required"));
        }
        if !name.split('.').all(is_label) || name.len() > 253 {
            return Err(violation(
                "metadata.name",
                "expected lower-case letters, digits, '-' and '.', at most 253",
            ));
        }
        let namespace = self.metadata("namespace").unwrap_or("default");
        if !is_label(namespace) || namespace.len() > 63 {
            return Err(violation(
                "metadata.namespace",
                "expected lower-case letters, digits and '-', at most 63",
            ));
        }
        Ok(Key {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        })
    }

    /// Checks the object against the schema of its kind.
    pub(super) fn into_object(self, kind: &str) -> Result<Parsed, Vec<Violation>> {
        let Some(schema) = schema::of_kind(kind) else {
            return Err(vec![]);
        };
        let mut notices = Vec::new();
        let mut value = self.strict;
        if let Some(object) = value.as_object_mut()
            && object.remove("status").is_some()
        {
            notices.push("status: ignored; it is the operator's to write".to_owned());
        }
        reconcile(schema, &mut value, &self.legacy, "", &mut notices);
        let mut found = metadata_violations(&value);
        found.extend(schema::violations(schema, &value, UnknownFields::Refuse));
        if value.get("spec").is_none() {
            found.push(Violation {
                path: "spec".to_owned(),
                message: "required".to_owned(),
            });
        }
        if !found.is_empty() {
            return Err(found);
        }
        schema::fill_defaults(schema, &mut value);
        if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.retain(|name, _| !SERVER_OWNED.contains(&name.as_str()));
            metadata
                .entry("namespace")
                .or_insert_with(|| Value::from("default"));
        }
        Ok(Parsed { value, notices })
    }

    fn metadata(&self, field: &str) -> Option<&str> {
        self.strict.get("metadata")?.get(field)?.as_str()
    }
}

/// Settles what YAML 1.1 and 1.2 read differently, and takes a number where the schema wants a cipher suite's text.
fn reconcile(
    schema: &JSONSchemaProps,
    value: &mut Value,
    legacy: &Value,
    path: &str,
    notices: &mut Vec<String>,
) {
    match (schema.type_.as_deref(), &mut *value, legacy) {
        (Some("boolean"), Value::String(_), Value::Bool(truth)) => *value = Value::Bool(*truth),
        (Some("string"), Value::String(text), Value::Bool(truth)) => notices.push(format!(
            "{path}: {text} without quotes is the boolean {truth} to kubectl, and a cluster refuses it; write \"{text}\""
        )),
        (Some("string"), Value::Number(number), _) if path.ends_with(".cipherSuite") => {
            let text = number.to_string();
            notices.push(format!(
                "{path}: {text} without quotes is a number, and a cluster refuses it; write \"{text}\""
            ));
            *value = Value::String(text);
        }
        (_, Value::Object(object), Value::Object(legacy)) => {
            for (name, child) in object {
                if let (Some(schema), Some(legacy)) =
                    (schema::property(schema, name), legacy.get(name))
                {
                    let path = if path.is_empty() {
                        name.clone()
                    } else {
                        format!("{path}.{name}")
                    };
                    reconcile(schema, child, legacy, &path, notices);
                }
            }
        }
        (_, Value::Array(list), Value::Array(legacy)) => {
            if let Some(JSONSchemaPropsOrArray::Schema(items)) = &schema.items {
                for (index, (child, legacy)) in list.iter_mut().zip(legacy).enumerate() {
                    reconcile(items, child, legacy, &format!("{path}[{index}]"), notices);
                }
            }
        }
        _ => {}
    }
}

/// Fields of metadata that a person may write.
const USER_OWNED: [&str; 6] = [
    "name",
    "namespace",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
];

/// Fields of metadata that `kubectl get -o yaml` prints and the server overrules.
const SERVER_OWNED: [&str; 8] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
    "selfLink",
];

fn metadata_violations(object: &Value) -> Vec<Violation> {
    let Some(metadata) = object.get("metadata").and_then(Value::as_object) else {
        return vec![];
    };
    let mut found = Vec::new();
    for (name, value) in metadata {
        let path = format!("metadata.{name}");
        if !USER_OWNED.contains(&name.as_str()) && !SERVER_OWNED.contains(&name.as_str()) {
            found.push(Violation {
                path,
                message: format!("unknown field; allowed are {}", USER_OWNED.join(", ")),
            });
            continue;
        }
        if name == "labels" || name == "annotations" {
            let entries = value.as_object().into_iter().flatten();
            let wrong = entries.filter(|(_, value)| !value.is_string());
            found.extend(wrong.map(|(key, value)| Violation {
                path: format!("{path}.{key}"),
                message: format!("expected text, found {value}; put it in quotes"),
            }));
        }
    }
    found
}

/// A DNS label, of any length.
fn is_label(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}
