//! Final objects against files, with what differs from run to run replaced by words.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Map, Value};

/// Set this to write the files anew instead of comparing.
const REFRESH: &str = "RUFIO_REFRESH_GOLDEN";

/// Compares objects with `tests/cluster/golden/NAME.yaml`; `bmc` is the BMC's address.
pub fn assert_golden(name: &str, objects: &[Value], bmc: SocketAddr) {
    let mut words = Words {
        uids: BTreeMap::new(),
        bmc,
    };
    let objects: Vec<Value> = objects.iter().map(|it| words.object(it)).collect();
    let documents: String = objects
        .iter()
        .map(|it| format!("---\n{}", serde_saphyr::to_string(it).expect("YAML")))
        .collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cluster/golden")
        .join(format!("{name}.yaml"));
    if std::env::var_os(REFRESH).is_some() {
        fs::write(&file, &documents).expect("writable");
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(documents, golden, "{}", file.display());
}

struct Words {
    /// The first object that had a uid names it.
    uids: BTreeMap<String, String>,
    bmc: SocketAddr,
}

impl Words {
    fn object(&mut self, object: &Value) -> Value {
        let metadata = &object["metadata"];
        if let (Some(uid), Some(name)) = (metadata["uid"].as_str(), metadata["name"].as_str()) {
            self.uids.insert(uid.to_owned(), format!("UID of {name}"));
        }
        let mut object = self.value(object);
        if let Some(metadata) = object["metadata"].as_object_mut() {
            for volatile in ["creationTimestamp", "resourceVersion", "managedFields"] {
                metadata.remove(volatile);
            }
            if let Some(annotations) = metadata
                .get_mut("annotations")
                .and_then(Value::as_object_mut)
            {
                annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
                if annotations.is_empty() {
                    metadata.remove("annotations");
                }
            }
        }
        object
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Object(object) => Value::Object(
                object
                    .iter()
                    .map(|(key, value)| (key.clone(), self.value(value)))
                    .collect::<Map<_, _>>(),
            ),
            Value::Array(list) => list.iter().map(|it| self.value(it)).collect(),
            Value::String(text) => Value::from(self.text(text)),
            Value::Number(number) if number.as_u64() == Some(self.bmc.port().into()) => {
                "PORT".into()
            }
            other => other.clone(),
        }
    }

    fn text(&self, text: &str) -> String {
        if let Some(word) = self.uids.get(text) {
            return word.clone();
        }
        // What the API holds has whole seconds.
        if text.len() == 20 && text.ends_with('Z') && text.get(10..11) == Some("T") {
            return "TIME".to_owned();
        }
        text.replace(&self.bmc.ip().to_string(), "127.0.0.1")
            .replace(&format!(":{}", self.bmc.port()), ":PORT")
    }
}
