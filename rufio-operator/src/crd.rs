//! The CustomResourceDefinitions: Rufio's schemas, with printer columns and reasons added.

#[cfg(feature = "controller")]
pub mod schema;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use kube::CustomResourceExt;

use crate::api::{Job, Machine, Task};

/// The three definitions: machines, jobs, tasks.
pub fn crds() -> Vec<CustomResourceDefinition> {
    [Machine::crd(), Job::crd(), Task::crd()]
        .into_iter()
        .map(as_rufio_writes)
        .collect()
}

/// The three definitions as one stream of YAML documents, ready for `kubectl apply -f -`.
#[cfg(feature = "controller")]
pub fn yaml() -> Result<String, serde_saphyr::ser::Error> {
    crds().iter().map(document).collect()
}

/// One definition as a YAML document, separator included.
#[cfg(feature = "controller")]
pub fn document(crd: &CustomResourceDefinition) -> Result<String, serde_saphyr::ser::Error> {
    serde_saphyr::to_string(crd).map(|text| format!("---\n{text}"))
}

/// Takes away what Go's generator does not write, so that both sets of definitions accept the same objects.
fn as_rufio_writes(mut crd: CustomResourceDefinition) -> CustomResourceDefinition {
    let names = &mut crd.spec.names;
    names.list_kind = Some(format!("{}List", names.kind));
    for version in &mut crd.spec.versions {
        let schema = version
            .schema
            .as_mut()
            .and_then(|validation| validation.open_api_v3_schema.as_mut());
        if let Some(schema) = schema {
            // Rufio's schema accepts an object without a spec.
            schema.required = None;
            schema.title = None;
            let properties = schema.properties.get_or_insert_default();
            for (name, type_) in [
                ("apiVersion", "string"),
                ("kind", "string"),
                ("metadata", "object"),
            ] {
                properties.insert(name.to_owned(), of_type(type_));
            }
            tidy(schema);
        }
    }
    crd
}

fn of_type(type_: &str) -> JSONSchemaProps {
    JSONSchemaProps {
        type_: Some(type_.to_owned()),
        ..JSONSchemaProps::default()
    }
}

/// An absent field is left out, never null; and an object has no default.
fn tidy(schema: &mut JSONSchemaProps) {
    schema.nullable = None;
    schema
        .default
        .take_if(|default| default.0.is_object() || default.0.is_null());
    for child in schema
        .properties
        .iter_mut()
        .flat_map(|map| map.values_mut())
    {
        tidy(child);
    }
    if let Some(JSONSchemaPropsOrArray::Schema(items)) = &mut schema.items {
        tidy(items);
    }
    if let Some(JSONSchemaPropsOrBool::Schema(values)) = &mut schema.additional_properties {
        tidy(values);
    }
}
