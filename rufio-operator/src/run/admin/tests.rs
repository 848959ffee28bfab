use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::env::Env;
use crate::run::shutdown::{self, Trigger};
use crate::store::memory::MemoryStore;

fn admin() -> (Admin, Trigger) {
    let (trigger, shutdown) = shutdown::channel();
    let admin = Admin::new(Metrics::new(), shutdown, "starting");
    (admin, trigger)
}

fn loopback(port: u16) -> Listen {
    Listen::At {
        host: "127.0.0.1".to_owned(),
        port,
    }
}

/// Status and body.
async fn get(address: SocketAddr, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let code = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (code, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
}

#[tokio::test]
async fn readiness_tells_why_not_and_liveness_does_not_care() {
    let (admin, trigger) = admin();
    let servers = admin.serve(&Listen::Off, &loopback(0)).await.unwrap();
    let [health] = servers.addresses[..] else {
        panic!("{servers:?}");
    };
    let says = |code: u16, body: &str| (code, body.to_owned());
    assert_eq!(get(health, "/readyz").await, says(503, "starting"));
    admin.set_ready(Readiness::Waiting("filling the caches".to_owned()));
    assert_eq!(
        get(health, "/readyz").await,
        says(503, "filling the caches")
    );
    admin.set_ready(Readiness::StandingBy("lease a/b is held by c".into()));
    assert_eq!(
        get(health, "/readyz").await,
        says(200, "ok: standing by: lease a/b is held by c")
    );
    admin.set_ready(Readiness::Ready);
    assert_eq!(get(health, "/readyz").await, says(200, "ok"));
    trigger.fire();
    assert_eq!(get(health, "/readyz").await, says(503, "shutting down"));
    assert_eq!(get(health, "/healthz").await, says(200, "ok"));
    assert_eq!(get(health, "/metrics").await.0, 404);
}

#[tokio::test]
async fn metrics_count_the_machines_of_the_store() {
    let (admin, _trigger) = admin();
    let servers = admin.serve(&loopback(0), &loopback(0)).await.unwrap();
    let [metrics, health] = servers.addresses[..] else {
        panic!("{servers:?}");
    };
    assert_eq!(get(health, "/healthz").await.0, 200);
    assert_eq!(get(metrics, "/healthz").await.0, 404);
    let line = |count: u32| {
        format!("rufio_machines{{power=\"unknown\",contactable=\"Unknown\"}} {count}\n")
    };
    let (code, text) = get(metrics, "/metrics").await;
    assert!(code == 200 && text.contains(&line(0)), "{text}");
    let store = MemoryStore::new(Env::simulated(1));
    admin.count_machines(&store);
    let machine = serde_json::json!({
        "apiVersion": "bmc.tinkerbell.org/v1alpha1",
        "kind": "Machine",
        "metadata": {"namespace": "ns", "name": "m"},
        "spec": {"connection": {
            "host": "192.0.2.1",
            "insecureTLS": true,
            "authSecretRef": {"namespace": "ns", "name": "s"},
        }},
    });
    let machine: Machine = serde_json::from_value(machine).unwrap();
    store.create(&machine).await.unwrap();
    let (_, text) = get(metrics, "/metrics").await;
    assert!(text.contains(&line(1)), "{text}");
}

#[tokio::test]
async fn one_address_is_one_server() {
    let (admin, _trigger) = admin();
    // A port that was free a moment ago: only a fixed one can be given twice.
    let servers = loop {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let listen = loopback(free.local_addr().unwrap().port());
        drop(free);
        match admin.serve(&listen, &listen).await {
            Ok(servers) => break servers,
            Err(error) => assert_eq!(error.error.kind(), io::ErrorKind::AddrInUse),
        }
    };
    let [both] = servers.addresses[..] else {
        panic!("{servers:?}");
    };
    for path in ["/healthz", "/metrics"] {
        assert_eq!(get(both, path).await.0, 200, "{path}");
    }
}

#[tokio::test]
async fn an_address_in_use_names_the_flag_and_a_dropped_server_is_gone() {
    let (admin, _trigger) = admin();
    let first = admin.serve(&loopback(0), &Listen::Off).await.unwrap();
    let address = first.addresses[0];
    let second = admin.serve(&Listen::Off, &loopback(address.port())).await;
    let error = second.unwrap_err().to_string();
    let says = format!("--health-probe-bind-address: cannot listen on {address}: ");
    assert!(error.starts_with(&says), "{error}");
    drop(first);
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn switched_off_is_off() {
    let (admin, _trigger) = admin();
    let servers = admin.serve(&Listen::Off, &Listen::Off).await.unwrap();
    assert!(servers.addresses.is_empty());
}
