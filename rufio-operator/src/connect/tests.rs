use std::collections::BTreeMap;

use bmc_core::{BootDevice, BootOverride, PowerAction, Secret};
use bmc_rpc::sim::{ConsumerSim, HomeAssistantSim};
use bmc_rpc::{Algorithm, Keys, Scheme};
use serde_json::{Value, json};

use super::*;
use crate::env::Env;
use crate::store::memory::MemoryStore;

const NAMESPACE: &str = "lab";

fn connector() -> (MemoryStore, Connector<MemoryStore>) {
    let store = MemoryStore::new(Env::system());
    let connect = Connector::new(store.clone(), Transport::new(), ConnectConfig::default());
    (store, connect)
}

fn key(namespace: &str, name: &str) -> Key {
    Key {
        namespace: namespace.into(),
        name: name.into(),
    }
}

fn put(store: &MemoryStore, secret: &Key, values: &[(&str, &str)]) {
    let values = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Secret::from(*value)));
    store
        .user()
        .put_secret(secret.clone(), values.collect::<BTreeMap<_, _>>());
}

fn connection(host: &str, options: Value) -> Connection {
    serde_json::from_value(json!({"host": host, "insecureTLS": true, "providerOptions": options}))
        .unwrap()
}

fn signed(url: &str, secrets: Value) -> Connection {
    connection(
        "vm-1",
        json!({"rpc": {"consumerURL": url, "hmac": {"secrets": secrets}}}),
    )
}

fn invalid(result: Result<Bmc, ConnectError>) -> (&'static str, String) {
    match result {
        Err(ConnectError::Invalid { field, reason }) => (field, reason),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn rufios_defaults_hold_where_nothing_is_given() {
    let keys = Keys::new()
        .secret(Algorithm::Sha256, "old")
        .secret(Algorithm::Sha256, "new")
        .secret(Algorithm::Sha512, "new");
    let consumer = ConsumerSim::builder()
        .keys(keys)
        .scheme(Scheme::rufio())
        .spawn()
        .await
        .unwrap();
    let (store, connect) = connector();
    put(&store, &key(NAMESPACE, "old"), &[("secret", "old")]);
    put(&store, &key("keys", "new"), &[("secret", "new")]);
    let new = json!({"name": "new", "namespace": "keys"});
    let mut wanted = signed(
        &consumer.url(),
        json!({"sha256": [{"name": "old"}, new], "512": [new]}),
    );
    let rpc = wanted.provider_options.as_mut().unwrap().rpc.as_mut();
    let rpc = rpc.unwrap();
    rpc.request = serde_json::from_value(json!({
        "httpMethod": "", "httpContentType": "", "timestampFormat": "", "timestampHeader": "",
    }))
    .unwrap();
    rpc.signature = serde_json::from_value(json!({"headerName": ""})).unwrap();
    rpc.experimental =
        serde_json::from_value(json!({"customRequestPayload": "", "dotPath": ""})).unwrap();
    assert_eq!(
        secrets_of(&wanted, NAMESPACE),
        [key("keys", "new"), key(NAMESPACE, "old")]
    );

    let bmc = connect.connect(&wanted, NAMESPACE).await.unwrap();
    bmc.set_power(PowerAction::On).await.unwrap();
    assert!(consumer.is_on("vm-1"));
    assert_eq!(consumer.refused(), 0);
    let (_, headers) = &consumer.requests()[0];
    assert_eq!(headers["content-type"], "application/json");
    let signatures = headers["x-rufio-signature-256"].to_str().unwrap();
    assert_eq!(signatures.matches("sha256=").count(), 2, "{signatures}");
    assert!(headers.contains_key("x-rufio-signature-512"));
    assert!(headers.contains_key("x-rufio-timestamp"));
}

#[tokio::test]
async fn every_field_reaches_the_wire() {
    let scheme = Scheme::rufio()
        .timestamp_header("X-Now")
        .timestamp_format("2006-01-02 15:04:05")
        .signature_header("X-Mac")
        .algorithm_in_header(false)
        .algorithm_in_signature(false)
        .signed_headers(["X-Now", "X-Site"]);
    let consumer = ConsumerSim::builder()
        .keys(Keys::new().secret(Algorithm::Sha512, "k"))
        .scheme(scheme)
        .spawn()
        .await
        .unwrap();
    let (store, connect) = connector();
    put(&store, &key(NAMESPACE, "hook"), &[("secret", "k")]);
    let wanted = connection(
        "vm-1",
        json!({"rpc": {
            "consumerURL": consumer.url(),
            "logNotificationsDisabled": true,
            "request": {
                "httpMethod": "PUT",
                "httpContentType": "application/vnd.x+json",
                "staticHeaders": {"X-Site": ["a", "b"]},
                "timestampHeader": "X-Now",
                "timestampFormat": "2006-01-02 15:04:05",
            },
            "signature": {
                "headerName": "X-Mac",
                "appendAlgoToHeaderDisabled": true,
                "includedPayloadHeaders": ["X-Now", "X-Site"],
            },
            "hmac": {"prefixSigDisabled": true, "secrets": {"sha512": [{"name": "hook"}]}},
        }}),
    );
    let bmc = connect.connect(&wanted, NAMESPACE).await.unwrap();
    let once = BootOverride::once(BootDevice::Pxe);
    bmc.set_boot_override(once).await.unwrap();
    let (_, headers) = &consumer.requests()[0];
    assert_eq!(headers["content-type"], "application/vnd.x+json");
    assert_eq!(headers["x-site"], "a,b");
    let mac = headers["x-mac"].to_str().unwrap();
    assert_eq!(mac.len(), 128, "{mac}");
}

#[tokio::test]
async fn fields_that_cannot_be_used_are_named() {
    let (store, connect) = connector();
    put(&store, &key(NAMESPACE, "hook"), &[("secret", "k")]);
    put(&store, &key(NAMESPACE, "empty"), &[("secret", "")]);
    let url = "http://127.0.0.1:9/";
    let hook = json!([{"name": "hook"}]);
    let request = |request: Value| json!({"consumerURL": url, "request": request});
    let signature = |signature: Value| json!({"consumerURL": url, "signature": signature});
    let hmac = |secrets: Value| json!({"consumerURL": url, "hmac": {"secrets": secrets}});
    let many = (0..40_000).map(|number| (format!("x-{number}"), vec!["1"]));
    let many: BTreeMap<String, Vec<&str>> = many.collect();
    for (rpc, field) in [
        (json!({"consumerURL": ""}), "consumerURL"),
        (json!({"consumerURL": "ftp://a"}), "consumerURL"),
        (
            json!({"consumerURL": "http://256.256.256.256/"}),
            "consumerURL",
        ),
        (
            request(json!({"httpMethod": "CONNECT"})),
            "request.httpMethod",
        ),
        (
            request(json!({"staticHeaders": {"X-A": ["1"], "x-a": ["2"]}})),
            "request.staticHeaders",
        ),
        (
            request(json!({"staticHeaders": many})),
            "request.staticHeaders",
        ),
        (
            request(json!({"staticHeaders": {"Host": ["a"]}})),
            "request.staticHeaders",
        ),
        (request(json!({"httpMethod": "a b"})), "request.httpMethod"),
        (
            request(json!({"httpContentType": "a\nb"})),
            "request.httpContentType",
        ),
        (
            request(json!({"staticHeaders": {"a b": ["c"]}})),
            "request.staticHeaders",
        ),
        (
            request(json!({"timestampHeader": "a b"})),
            "request.timestampHeader",
        ),
        (
            request(json!({"timestampFormat": "now"})),
            "request.timestampFormat",
        ),
        (
            signature(json!({"headerName": "a b"})),
            "signature.headerName",
        ),
        (
            json!({"consumerURL": url, "hmac": {"secrets": {"sha256": hook}},
                "signature": {"includedPayloadHeaders": ["X-None"]}}),
            "signature.includedPayloadHeaders",
        ),
        (hmac(json!({"md5": hook})), "hmac.secrets"),
        (hmac(json!({"sha256": []})), "hmac.secrets"),
        (hmac(json!({"sha256": [{}]})), "hmac.secrets"),
        (hmac(json!({"sha256": [{"name": "empty"}]})), "hmac.secrets"),
        (
            json!({"consumerURL": url, "experimental": {"customRequestPayload": "[", "dotPath": "a"}}),
            "experimental",
        ),
    ] {
        let wanted = connection("vm-1", json!({"rpc": rpc}));
        let (named, _) = invalid(connect.connect(&wanted, NAMESPACE).await);
        assert_eq!(named, format!("providerOptions.rpc.{field}"));
    }
}

#[tokio::test]
async fn without_its_secret_nothing_leaves() {
    let consumer = ConsumerSim::builder().spawn().await.unwrap();
    let (store, connect) = connector();
    let wanted = signed(&consumer.url(), json!({"sha256": [{"name": "hook"}]}));
    let hook = key(NAMESPACE, "hook");
    let missing = connect.connect(&wanted, NAMESPACE).await.unwrap_err();
    assert_eq!(missing, ConnectError::SecretMissing(hook.clone()));

    put(&store, &hook, &[("key", "k")]);
    connect.secret_changed(&hook);
    let missing = connect.connect(&wanted, NAMESPACE).await.unwrap_err();
    let text = missing.to_string();
    assert_eq!(text, "secret lab/hook has no key \"secret\"");
    assert_eq!(consumer.requests().len() + consumer.refused(), 0);
}

#[tokio::test]
async fn a_changed_secret_makes_another_handle() {
    let consumer = ConsumerSim::builder()
        .keys(Keys::new().secret(Algorithm::Sha256, "right"))
        .scheme(Scheme::rufio())
        .spawn()
        .await
        .unwrap();
    let (store, connect) = connector();
    let hook = key(NAMESPACE, "hook");
    put(&store, &hook, &[("secret", "wrong")]);
    let wanted = signed(&consumer.url(), json!({"sha256": [{"name": "hook"}]}));
    let bmc = connect.connect(&wanted, NAMESPACE).await.unwrap();
    bmc.power_state().await.unwrap_err();
    put(&store, &hook, &[("secret", "right")]);
    connect.secret_changed(&hook);
    let bmc = connect.connect(&wanted, NAMESPACE).await.unwrap();
    bmc.power_state().await.unwrap();
    assert_eq!(connect.handles(), 1);
}

#[tokio::test]
async fn home_assistant_comes_before_the_webhook() {
    let consumer = ConsumerSim::builder().spawn().await.unwrap();
    let page = HomeAssistantSim::spawn("switch.socket_1", "token")
        .await
        .unwrap();
    let (store, connect) = connector();
    // No username: there is no use for it.
    put(&store, &key(NAMESPACE, "auth"), &[("password", "token")]);
    let rpc = json!({"consumerURL": consumer.url()});
    let switch = json!({"switchEntityID": "switch.socket_1", "powerOperationDelaySeconds": 0});
    let mut wanted = connection(&page.url(), json!({"homeassistant": switch, "rpc": rpc}));
    let (field, _) = invalid(connect.connect(&wanted, NAMESPACE).await);
    assert_eq!(field, "authSecretRef.name");
    wanted.auth_secret_ref.name = Some("auth".into());
    let bmc = connect.connect(&wanted, NAMESPACE).await.unwrap();
    bmc.set_power(PowerAction::On).await.unwrap();
    assert!(page.is_on());
    assert_eq!(consumer.requests().len(), 0);

    let options = json!({"homeassistant": {"switchEntityID": ""}, "rpc": rpc});
    let wanted = connection("vm-1", options);
    let bmc = connect.connect(&wanted, NAMESPACE).await.unwrap();
    bmc.set_power(PowerAction::On).await.unwrap();
    assert!(consumer.is_on("vm-1"));

    let switch = json!({"switchEntityID": "switch.a", "powerOperationDelaySeconds": -1});
    let wanted = connection(&page.url(), json!({"homeassistant": switch}));
    let (field, reason) = invalid(connect.connect(&wanted, NAMESPACE).await);
    assert!(
        field.ends_with("powerOperationDelaySeconds"),
        "{field} {reason}"
    );
}
