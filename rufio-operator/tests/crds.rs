//! The definitions: equal to Rufio's where Rufio says something, committed as generated; and objects as Go writes them.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fs;
use std::path::{Path, PathBuf};

use bmc_ipmi::crypto::CipherSuite;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::Value;

use rufio_operator::api::{Job, Machine, Task};
use rufio_operator::crd::{crds, document};

/// Set this to write `deploy/crds` anew instead of comparing.
const REFRESH: &str = "RUFIO_REFRESH_CRDS";

#[test]
fn every_fact_of_rufio_holds() {
    let facts: Value =
        serde_json::from_str(&read("tests/data/rufio-crds.json")).expect("facts are JSON");
    for crd in crds() {
        let kind = crd.spec.names.kind.clone();
        let ours = serde_json::to_value(&crd).expect("serialises");
        let mut found = Differences::default();
        compare(&facts[&kind], &ours, &kind, &mut found);
        assert_eq!(found.missing, Vec::<String>::new(), "{kind}");
        let columns = format!("{kind}.spec.versions[0].additionalPrinterColumns");
        let allowed: Vec<String> = if kind == "Machine" {
            vec![
                format!(
                    "{kind}.spec.versions[0].schema.openAPIV3Schema.properties.status.properties.conditions.items.properties.reason"
                ),
                columns,
            ]
        } else {
            vec![columns]
        };
        found.extra.sort();
        let mut allowed = allowed;
        allowed.sort();
        assert_eq!(found.extra, allowed, "additions of {kind}");
    }
}

#[test]
fn committed_definitions_are_the_generated_ones() {
    for crd in crds() {
        let file = format!(
            "deploy/crds/{}_{}.yaml",
            crd.spec.group, crd.spec.names.plural
        );
        let generated = document(&crd).expect("serialises");
        if std::env::var_os(REFRESH).is_some() {
            fs::write(path(&file), &generated).expect("writable");
        }
        assert_eq!(
            read(&file),
            generated,
            "{file} is stale: {REFRESH}=1 cargo test -p rufio-operator --test crds"
        );
        let parsed: CustomResourceDefinition =
            serde_saphyr::from_str(&generated).expect("valid YAML");
        assert_eq!(parsed, crd);
    }
}

/// Who reads the definition knows what the operator takes.
#[test]
fn the_cipher_suites_of_the_text_are_those_that_exist() {
    let machine = crds()
        .into_iter()
        .find(|crd| crd.spec.names.kind == "Machine");
    let text = document(&machine.expect("exists")).expect("serialises");
    let definition: Value = serde_saphyr::from_str(&text).expect("valid YAML");
    let mut found = Vec::new();
    descriptions(&definition, "cipherSuite", &mut found);
    let [text] = found.as_slice() else {
        panic!("{found:?}");
    };
    let (suites, _) = text.split_once('.').expect("a sentence");
    let mut named: Vec<u8> = suites
        .split('"')
        .filter_map(|word| word.parse().ok())
        .collect();
    named.sort_unstable();
    let mut known = CipherSuite::ALL.map(CipherSuite::id);
    known.sort_unstable();
    assert_eq!(named, known);
}

#[test]
fn objects_as_go_writes_them_survive_unchanged() {
    let mut seen = 0;
    for entry in fs::read_dir(path("tests/data/golden")).expect("exists") {
        let file = entry.expect("readable").path();
        let text = fs::read_to_string(&file).expect("readable");
        let golden: Value = serde_json::from_str(&text).expect("JSON");
        let ours = match golden["kind"].as_str() {
            Some("Machine") => round_trip::<Machine>(&text),
            Some("Job") => round_trip::<Job>(&text),
            Some("Task") => round_trip::<Task>(&text),
            other => panic!("{}: kind {other:?}", file.display()),
        };
        assert_eq!(ours, golden, "{}", file.display());
        seen += 1;
    }
    assert!(seen >= 14, "golden objects: {seen}");
}

#[test]
fn unset_fields_take_the_schema_defaults() {
    let machine: Machine = serde_json::from_str(
        r#"{"apiVersion":"bmc.tinkerbell.org/v1alpha1","kind":"Machine","metadata":{"name":"m"},
            "spec":{"connection":{"host":"h","insecureTLS":true,"providerOptions":{"intelAMT":{}}}}}"#,
    )
    .expect("parses");
    let connection = serde_json::to_value(&machine.spec.connection).expect("serialises");
    assert_eq!(
        connection,
        serde_json::json!({"host":"h","port":623,"authSecretRef":{},"insecureTLS":true,
            "providerOptions":{"intelAMT":{"hostScheme":"http"}}})
    );
}

fn round_trip<K: serde::Serialize + serde::de::DeserializeOwned>(text: &str) -> Value {
    let object: K = serde_json::from_str(text).expect("parses");
    serde_json::to_value(&object).expect("serialises")
}

#[derive(Default)]
struct Differences {
    missing: Vec<String>,
    extra: Vec<String>,
}

/// Facts that ours lacks or contradicts, and what ours says beyond them. Order counts in no list but the versions'.
fn compare(fact: &Value, ours: &Value, at: &str, found: &mut Differences) {
    match (fact, ours) {
        (Value::Object(fact), Value::Object(ours)) => {
            for (key, value) in fact {
                match ours.get(key) {
                    Some(mine) => compare(value, mine, &format!("{at}.{key}"), found),
                    None => found.missing.push(format!("{at}.{key}")),
                }
            }
            let extra = ours
                .keys()
                .filter(|key| *key != "description" && !fact.contains_key(*key));
            found.extra.extend(extra.map(|key| format!("{at}.{key}")));
        }
        (Value::Array(fact), Value::Array(mine)) if fact.iter().all(Value::is_string) => {
            let sorted = |list: &[Value]| {
                let mut words: Vec<String> = list.iter().map(Value::to_string).collect();
                words.sort();
                words
            };
            if sorted(fact) != sorted(mine) {
                found
                    .missing
                    .push(format!("{at}: {ours} instead of {fact:?}"));
            }
        }
        (Value::Array(fact), Value::Array(ours)) if fact.len() == ours.len() => {
            for (index, (fact, ours)) in fact.iter().zip(ours).enumerate() {
                compare(fact, ours, &format!("{at}[{index}]"), found);
            }
        }
        _ if fact != ours => found
            .missing
            .push(format!("{at}: {ours} instead of {fact}")),
        _ => {}
    }
}

/// The descriptions of all properties of this name.
fn descriptions(definition: &Value, name: &str, found: &mut Vec<String>) {
    match definition {
        Value::Object(fields) => {
            let text = fields
                .get(name)
                .and_then(|field| field["description"].as_str());
            found.extend(text.map(str::to_owned));
            for field in fields.values() {
                descriptions(field, name, found);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| descriptions(item, name, found)),
        _ => {}
    }
}

fn read(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_default()
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}
