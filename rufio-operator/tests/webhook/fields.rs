//! Every field of `providerOptions.rpc`, from the Machine to the wire.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use axum::http::{HeaderMap, HeaderName};
use bmc_rpc::server::Verifier;
use bmc_rpc::{Algorithm, Keys, Scheme};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;
use rufio_operator::api::Machine;
use rufio_operator::crd::schema::of_kind;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::lab::contactable;
use super::{connection, keys, machine, operator, put_hook, put_secret, rpc};

/// A request as it came.
#[derive(Clone, Debug)]
struct Heard {
    line: String,
    headers: HeaderMap,
    body: String,
}

/// A setting, and what it does to requests.
struct Row {
    /// Fields below `rpc`, with their values.
    set: &'static [(&'static str, &'static str)],
    scheme: fn(Scheme) -> Scheme,
    keys: fn() -> Keys,
    check: fn(&Heard),
}

const PLAIN: Row = Row {
    set: &[],
    scheme: |scheme| scheme,
    keys,
    check: |heard| {
        assert!(heard.line.starts_with("POST /hook "), "{heard:?}");
        assert_eq!(heard.headers["content-type"], "application/json");
        assert!(heard.headers.contains_key("x-rufio-timestamp"));
        let signature = heard.headers["x-rufio-signature-256"].to_str().unwrap();
        assert!(signature.starts_with("sha256="), "{signature}");
        let body: Value = serde_json::from_str(&heard.body).unwrap();
        assert_eq!(body["host"], "vm-1");
    },
};

/// The values are JSON.
const TABLE: &[Row] = &[
    PLAIN,
    // As Rufio: what is empty is not set.
    Row {
        set: &[
            ("logNotificationsDisabled", "false"),
            ("request/httpContentType", r#""""#),
            ("request/httpMethod", r#""""#),
            ("request/staticHeaders", "{}"),
            ("request/timestampFormat", r#""""#),
            ("request/timestampHeader", r#""""#),
            ("signature/headerName", r#""""#),
            ("signature/appendAlgoToHeaderDisabled", "false"),
            ("signature/includedPayloadHeaders", "[]"),
            ("hmac/prefixSigDisabled", "false"),
            ("experimental/customRequestPayload", r#""""#),
            ("experimental/dotPath", r#""""#),
        ],
        ..PLAIN
    },
    Row {
        set: &[("consumerURL", r#""URLa/path?room=7""#)],
        check: |heard| assert!(heard.line.starts_with("POST /a/path?room=7 "), "{heard:?}"),
        ..PLAIN
    },
    Row {
        set: &[("request/httpContentType", r#""application/vnd.rack+json""#)],
        check: |heard| assert_eq!(heard.headers["content-type"], "application/vnd.rack+json"),
        ..PLAIN
    },
    Row {
        set: &[("request/httpMethod", r#""PUT""#)],
        check: |heard| assert!(heard.line.starts_with("PUT /hook "), "{heard:?}"),
        ..PLAIN
    },
    Row {
        set: &[(
            "request/staticHeaders",
            r#"{"X-Rack": ["7", "8"], "Authorization": ["Bearer t"]}"#,
        )],
        check: |heard| {
            assert_eq!(heard.headers["x-rack"], "7,8");
            assert_eq!(heard.headers["authorization"], "Bearer t");
        },
        ..PLAIN
    },
    Row {
        set: &[(
            "request/timestampFormat",
            r#""Mon, 02 Jan 2006 15:04:05 GMT""#,
        )],
        scheme: |scheme| scheme.timestamp_format("Mon, 02 Jan 2006 15:04:05 GMT"),
        check: |heard| {
            let timestamp = heard.headers["x-rufio-timestamp"].to_str().unwrap();
            assert!(timestamp.ends_with(" GMT"), "{timestamp}");
        },
        ..PLAIN
    },
    Row {
        set: &[("request/timestampHeader", r#""X-When""#)],
        scheme: |scheme| scheme.timestamp_header("X-When"),
        check: |heard| {
            assert!(heard.headers.contains_key("x-when"));
            assert!(!heard.headers.contains_key("x-rufio-timestamp"));
        },
        ..PLAIN
    },
    Row {
        set: &[("signature/headerName", r#""X-Mac""#)],
        scheme: |scheme| scheme.signature_header("X-Mac"),
        check: |heard| {
            assert!(heard.headers.contains_key("x-mac-256"));
            assert!(!heard.headers.contains_key("x-rufio-signature-256"));
        },
        ..PLAIN
    },
    Row {
        set: &[("signature/appendAlgoToHeaderDisabled", "true")],
        scheme: |scheme| scheme.algorithm_in_header(false),
        check: |heard| assert!(heard.headers.contains_key("x-rufio-signature")),
        ..PLAIN
    },
    Row {
        set: &[
            (
                "signature/includedPayloadHeaders",
                r#"["X-Rack", "X-Rufio-Timestamp"]"#,
            ),
            ("request/staticHeaders", r#"{"X-Rack": ["7"]}"#),
        ],
        scheme: |scheme| scheme.signed_headers(["X-Rack", "X-Rufio-Timestamp"]),
        check: |_| {},
        ..PLAIN
    },
    Row {
        set: &[("hmac/prefixSigDisabled", "true")],
        scheme: |scheme| scheme.algorithm_in_signature(false),
        check: |heard| {
            let signature = heard.headers["x-rufio-signature-256"].to_str().unwrap();
            assert_eq!(signature.len(), 64, "{signature}");
        },
        ..PLAIN
    },
    Row {
        set: &[(
            "hmac/secrets",
            r#"{"sha512": [{"name": "other", "namespace": "lab"}], "256": [{"name": "other"}, {"name": "hook"}]}"#,
        )],
        keys: || Keys::new().secret(Algorithm::Sha512, "0ther"),
        check: |heard| {
            let of = |name: &str| heard.headers[name].to_str().unwrap().split(',').count();
            assert_eq!(
                (of("x-rufio-signature-256"), of("x-rufio-signature-512")),
                (2, 1)
            );
        },
        ..PLAIN
    },
    Row {
        set: &[
            (
                "experimental/customRequestPayload",
                r#""data:\n  zone: lab\n  list: [1, {}]\n""#,
            ),
            ("experimental/dotPath", r#""data.list.1.body""#),
        ],
        check: |heard| {
            let body: Value = serde_json::from_str(&heard.body).unwrap();
            assert_eq!(body["data"]["zone"], "lab");
            assert_eq!(body["data"]["list"][1]["body"]["host"], "vm-1");
            assert!(body.get("host").is_none(), "{body}");
        },
        ..PLAIN
    },
    // One without the other is none, as in Rufio.
    Row {
        set: &[("experimental/customRequestPayload", r#""{\"a\":1}""#)],
        ..PLAIN
    },
    Row {
        set: &[("experimental/dotPath", r#""a""#)],
        ..PLAIN
    },
];

#[tokio::test]
async fn every_field_acts_on_the_wire() {
    let operator = operator();
    put_hook(&operator.store);
    put_secret(&operator.store, "other", &[("secret", "0ther")]);
    let user = operator.store.user();
    for (index, row) in TABLE.iter().enumerate() {
        let (url, heard) = listen().await;
        let mut options = rpc(&format!("{url}hook"));
        for (path, value) in row.set {
            let value: Value = serde_json::from_str(&value.replace("URL", &url)).unwrap();
            set(&mut options["rpc"], path, value);
        }
        let name = format!("m-{index}");
        user.create(&machine(&name, &connection("vm-1", &options)))
            .unwrap();
        let seen = operator
            .until(&name, |machine: &Machine| contactable(machine).is_some())
            .await;
        assert_eq!(contactable(&seen), Some("True"), "{:?}: {seen:?}", row.set);
        let heard = heard.lock().unwrap().clone();
        assert_eq!(heard.len(), 2, "{:?}: ping and getPowerState", row.set);
        for heard in &heard {
            (row.check)(heard);
            let accepts = |scheme: Scheme| {
                let verifier = Verifier::builder((row.keys)()).scheme(scheme).build();
                let now = SystemTime::now();
                verifier
                    .unwrap()
                    .verify(&heard.headers, heard.body.as_bytes(), now)
                    .is_ok()
            };
            let scheme = (row.scheme)(Scheme::rufio());
            assert!(accepts(scheme.clone()), "{:?}: {heard:?}", row.set);
            if scheme != Scheme::rufio() {
                assert!(!accepts(Scheme::rufio()), "{:?} has no effect", row.set);
            }
        }
    }
    operator.stop().await;
}

/// The schema has no field that is not in the table. What `logNotificationsDisabled` does is seen in the log: `local.rs`.
#[test]
fn no_field_is_forgotten() {
    let mut fields = BTreeSet::new();
    let schema = of_kind("Machine").unwrap();
    let mut rpc = schema;
    for name in ["spec", "connection", "providerOptions", "rpc"] {
        rpc = &rpc.properties.as_ref().unwrap()[name];
    }
    leaves(rpc, "", &mut fields);
    let tested = TABLE
        .iter()
        .flat_map(|row| row.set)
        .map(|(path, _)| (*path).to_owned());
    assert_eq!(fields, tested.collect());
    assert_eq!(fields.len(), 14);
}

fn leaves(schema: &JSONSchemaProps, path: &str, found: &mut BTreeSet<String>) {
    for (name, field) in schema.properties.iter().flatten() {
        let path = format!("{path}{name}");
        match field.properties {
            Some(_) => leaves(field, &format!("{path}/"), found),
            None => drop(found.insert(path)),
        }
    }
}

fn set(object: &mut Value, path: &str, value: Value) {
    let place = path
        .split('/')
        .fold(object, |object, name| &mut object[name]);
    *place = value;
}

/// Says `off` to everything, and keeps what it was asked.
async fn listen() -> (String, Arc<Mutex<Vec<Heard>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let heard: Arc<Mutex<Vec<Heard>>> = Arc::default();
    let kept = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let request = read(&mut socket).await;
            kept.lock().unwrap().push(request);
            let body = json!({"result": "off"}).to_string();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            socket.write_all((head + &body).as_bytes()).await.unwrap();
        }
    });
    (url, heard)
}

async fn read(socket: &mut TcpStream) -> Heard {
    let mut text = String::new();
    loop {
        let mut buffer = [0; 4096];
        let length = socket.read(&mut buffer).await.unwrap();
        text += std::str::from_utf8(&buffer[..length]).unwrap();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let mut lines = head.lines();
        let line = lines.next().unwrap().to_owned();
        let headers: HeaderMap = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| {
                let name: HeaderName = name.parse().unwrap();
                (name, value.parse().unwrap())
            })
            .collect();
        let length: usize = headers["content-length"].to_str().unwrap().parse().unwrap();
        if body.len() == length {
            let body = body.to_owned();
            return Heard {
                line,
                headers,
                body,
            };
        }
    }
}
