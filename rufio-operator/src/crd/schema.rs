//! What the API server does with an object before it stores it: check, fill in defaults, prune.
//!
//! Covers what our definitions use: types, `required`, `enum`, `minLength`, `minItems`, `maxProperties`, `pattern` as a list
//! of words, `default` and `additionalProperties`.

use std::fmt;
use std::sync::LazyLock;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use serde_json::{Map, Value};

use super::crds;

static SCHEMAS: LazyLock<Vec<(String, JSONSchemaProps)>> = LazyLock::new(|| {
    crds()
        .into_iter()
        .filter_map(|crd| {
            let version = crd.spec.versions.into_iter().next()?;
            Some((crd.spec.names.kind, version.schema?.open_api_v3_schema?))
        })
        .collect()
});

/// The schema of Machine, Job or Task.
pub fn of_kind(kind: &str) -> Option<&'static JSONSchemaProps> {
    SCHEMAS
        .iter()
        .find(|(name, _)| name == kind)
        .map(|(_, schema)| schema)
}

/// A field that the schema does not accept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// Path of the field, such as `spec.tasks[0].powerAction`.
    pub path: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// Whether a field that the schema does not name is a violation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UnknownFields {
    /// It is: as `kubectl --validate=strict` has it.
    Refuse,
    /// It is not: the server will prune it.
    Accept,
}

/// Everything in `value` that the schema does not accept, in the order of the fields.
pub fn violations(
    schema: &JSONSchemaProps,
    value: &Value,
    unknown: UnknownFields,
) -> Vec<Violation> {
    let mut check = Check {
        unknown,
        found: Vec::new(),
    };
    check.value(schema, value, "");
    check.found
}

/// Fills in the defaults of absent fields whose parent is there.
pub fn fill_defaults(schema: &JSONSchemaProps, value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (name, property) in schema.properties.iter().flatten() {
                if let Some(default) = &property.default
                    && !object.contains_key(name)
                {
                    object.insert(name.clone(), default.0.clone());
                }
            }
            for (name, child) in object {
                if let Some(schema) = property(schema, name) {
                    fill_defaults(schema, child);
                }
            }
        }
        Value::Array(list) => {
            if let Some(JSONSchemaPropsOrArray::Schema(items)) = &schema.items {
                list.iter_mut().for_each(|item| fill_defaults(items, item));
            }
        }
        _ => {}
    }
}

/// Drops fields that the schema does not name. `metadata` stays whole.
pub fn prune(schema: &JSONSchemaProps, value: &mut Value) {
    match value {
        Value::Object(object) if !is_opaque(schema) => {
            object.retain(|name, child| match property(schema, name) {
                Some(schema) => {
                    prune(schema, child);
                    true
                }
                None => false,
            });
        }
        Value::Array(list) => {
            if let Some(JSONSchemaPropsOrArray::Schema(items)) = &schema.items {
                list.iter_mut().for_each(|item| prune(items, item));
            }
        }
        _ => {}
    }
}

/// The schema of a field: named, or of any name.
pub fn property<'a>(schema: &'a JSONSchemaProps, name: &str) -> Option<&'a JSONSchemaProps> {
    let named = schema.properties.as_ref().and_then(|map| map.get(name));
    named.or(match &schema.additional_properties {
        Some(JSONSchemaPropsOrBool::Schema(values)) => Some(values),
        _ => None,
    })
}

/// An object of which the schema says nothing but that it is one: `metadata`.
fn is_opaque(schema: &JSONSchemaProps) -> bool {
    schema.properties.is_none() && schema.additional_properties.is_none()
}

struct Check {
    unknown: UnknownFields,
    found: Vec<Violation>,
}

impl Check {
    fn value(&mut self, schema: &JSONSchemaProps, value: &Value, path: &str) {
        let type_ = schema.type_.as_deref().unwrap_or_default();
        match (type_, value) {
            ("object", Value::Object(object)) => self.object(schema, object, path),
            ("array", Value::Array(list)) => self.array(schema, list, path),
            ("string", Value::String(text)) => self.string(schema, text, path),
            ("integer", Value::Number(number)) if number.is_i64() => {
                if schema.format.as_deref() == Some("int32")
                    && number.as_i64().is_none_or(|n| i32::try_from(n).is_err())
                {
                    self.refuse(path, format!("{number} does not fit into 32 bits"));
                }
            }
            ("boolean", Value::Bool(_)) => {}
            _ => self.refuse(path, expected(schema, value)),
        }
    }

    fn object(&mut self, schema: &JSONSchemaProps, object: &Map<String, Value>, path: &str) {
        for name in schema.required.iter().flatten() {
            if !object.contains_key(name) {
                self.refuse(&below(path, name), "required".to_owned());
            }
        }
        if let Some(max) = schema.max_properties
            && i64::try_from(object.len()).is_ok_and(|count| count > max)
        {
            let names: Vec<&str> = object.keys().map(String::as_str).collect();
            self.refuse(
                path,
                format!(
                    "has {}; at most {max} of {} is allowed",
                    names.join(" and "),
                    names_of(schema)
                ),
            );
        }
        if is_opaque(schema) {
            return;
        }
        for (name, child) in object {
            match property(schema, name) {
                Some(schema) => self.value(schema, child, &below(path, name)),
                None if self.unknown == UnknownFields::Refuse => {
                    let allowed = names_of(schema);
                    self.refuse(
                        &below(path, name),
                        format!("unknown field; allowed are {allowed}"),
                    );
                }
                None => {}
            }
        }
    }

    fn array(&mut self, schema: &JSONSchemaProps, list: &[Value], path: &str) {
        if let Some(min) = schema.min_items
            && i64::try_from(list.len()).is_ok_and(|count| count < min)
        {
            self.refuse(path, format!("needs at least {min} item"));
        }
        if let Some(JSONSchemaPropsOrArray::Schema(items)) = &schema.items {
            for (index, item) in list.iter().enumerate() {
                self.value(items, item, &format!("{path}[{index}]"));
            }
        }
    }

    fn string(&mut self, schema: &JSONSchemaProps, text: &str, path: &str) {
        let words = words_of(schema);
        let accepted = words.as_ref().is_none_or(|words| {
            words
                .list
                .iter()
                .any(|word| word == text || words.any_case && word.eq_ignore_ascii_case(text))
        });
        if let Some(words) = words.filter(|_| !accepted) {
            self.refuse(
                path,
                format!("{text:?} is not one of {}", words.list.join(", ")),
            );
        }
        if let Some(min) = schema.min_length
            && i64::try_from(text.chars().count()).is_ok_and(|count| count < min)
        {
            self.refuse(path, "must not be empty".to_owned());
        }
    }

    fn refuse(&mut self, path: &str, message: String) {
        self.found.push(Violation {
            path: path.to_owned(),
            message,
        });
    }
}

/// The words that a string may be.
struct Words {
    list: Vec<String>,
    any_case: bool,
}

fn words_of(schema: &JSONSchemaProps) -> Option<Words> {
    if let Some(values) = &schema.enum_ {
        let list = values
            .iter()
            .filter_map(|value| value.0.as_str().map(str::to_owned))
            .collect();
        return Some(Words {
            list,
            any_case: false,
        });
    }
    let pattern = schema.pattern.as_deref()?;
    let (any_case, pattern) = match pattern.strip_prefix("(?i)") {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let inner = pattern.strip_prefix("^(")?.strip_suffix(")$")?;
    Some(Words {
        list: inner.split('|').map(str::to_owned).collect(),
        any_case,
    })
}

fn expected(schema: &JSONSchemaProps, value: &Value) -> String {
    let wanted = match words_of(schema) {
        Some(words) => format!("one of {}", words.list.join(", ")),
        None => match schema.type_.as_deref() {
            Some("integer") => "a whole number".to_owned(),
            Some("boolean") => "true or false".to_owned(),
            Some("array") => "a list".to_owned(),
            Some("object") => "an object".to_owned(),
            _ => "text".to_owned(),
        },
    };
    let found = match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => format!("the boolean {value}"),
        Value::Number(value) => format!("the number {value}"),
        Value::String(value) => format!("the text {value:?}"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    format!("expected {wanted}, found {found}")
}

fn names_of(schema: &JSONSchemaProps) -> String {
    let names: Vec<&str> = schema
        .properties
        .iter()
        .flat_map(|map| map.keys().map(String::as_str))
        .collect();
    names.join(", ")
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(kind: &str, spec: Value) -> Vec<String> {
        let schema = of_kind(kind).unwrap();
        violations(schema, &json!({ "spec": spec }), UnknownFields::Refuse)
            .iter()
            .map(Violation::to_string)
            .collect()
    }

    #[test]
    fn a_good_object_passes() {
        let spec = json!({"connection": {"host": "h", "insecureTLS": true, "providerOptions": {
            "preferredOrder": ["GOFISH"], "rpc": {"consumerURL": "u", "hmac": {"secrets": {"sha256": [{"name": "s"}]}}}}}});
        assert_eq!(found("Machine", spec), Vec::<String>::new());
    }

    #[test]
    fn each_violation_names_its_field_and_what_is_allowed() {
        let spec = json!({"connection": {"host": "", "port": "623", "hots": 1, "providerOptions": {"preferredOrder": ["rpc"]}}});
        assert_eq!(
            found("Machine", spec),
            [
                "spec.connection.insecureTLS: required",
                "spec.connection.host: must not be empty",
                "spec.connection.hots: unknown field; allowed are authSecretRef, host, insecureTLS, port, providerOptions",
                "spec.connection.port: expected a whole number, found the text \"623\"",
                "spec.connection.providerOptions.preferredOrder[0]: \"rpc\" is not one of ipmitool, asrockrack, gofish, IntelAMT, dell, supermicro, openbmc",
            ]
        );
        let spec = json!({"machineRef": {"name": "m", "namespace": "n"}, "tasks": []});
        assert_eq!(found("Job", spec), ["spec.tasks: needs at least 1 item"]);
        let spec = json!({"task": {"powerAction": false, "bootDevice": {}}});
        assert_eq!(
            found("Task", spec),
            [
                "spec.task: has bootDevice and powerAction; at most 1 of bootDevice, oneTimeBootDeviceAction, powerAction, virtualMediaAction is allowed",
                "spec.task.powerAction: expected one of on, off, soft, status, cycle, reset, found the boolean false",
            ]
        );
    }

    #[test]
    fn defaults_and_pruning_are_the_servers() {
        let schema = of_kind("Machine").unwrap();
        let mut object = json!({"metadata": {"labels": {"a": "b"}},
            "spec": {"connection": {"host": "h", "insecureTLS": true, "foo": 1, "providerOptions": {"intelAMT": {}}}}});
        fill_defaults(schema, &mut object);
        prune(schema, &mut object);
        assert_eq!(
            object,
            json!({"metadata": {"labels": {"a": "b"}},
                "spec": {"connection": {"host": "h", "port": 623, "insecureTLS": true,
                    "providerOptions": {"intelAMT": {"hostScheme": "http"}}}}})
        );
    }

    #[test]
    fn every_pattern_is_a_list_of_words() {
        fn walk(schema: &JSONSchemaProps, seen: &mut usize) {
            if schema.pattern.is_some() {
                assert!(words_of(schema).is_some(), "{:?}", schema.pattern);
                *seen += 1;
            }
            let children = schema.properties.iter().flat_map(|map| map.values());
            children.for_each(|child| walk(child, seen));
            if let Some(JSONSchemaPropsOrArray::Schema(items)) = &schema.items {
                walk(items, seen);
            }
        }
        let mut seen = 0;
        for kind in ["Machine", "Job", "Task"] {
            walk(of_kind(kind).unwrap(), &mut seen);
        }
        assert_eq!(seen, 2, "patterns on Machine and Task");
    }
}
