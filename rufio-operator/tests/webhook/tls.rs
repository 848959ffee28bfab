//! `insecureTLS`: Rufio never looks at it.

use std::net::SocketAddr;
use std::sync::Arc;

use bmc_rpc::sim::HomeAssistantSim;
use rufio_operator::api::Machine;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::lab::contactable;
use super::{
    condition, connection, consumer, home_assistant, machine, operator, put_hook, put_secret, rpc,
};

/// Puts TLS, with a certificate that nobody knows, in front of an HTTP server. Gives the port.
async fn with_tls(server: SocketAddr) -> u16 {
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(own.signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut front) = acceptor.accept(socket).await else {
                    return;
                };
                let mut back = TcpStream::connect(server).await.unwrap();
                let _ = copy_bidirectional(&mut front, &mut back).await;
            });
        }
    });
    port
}

fn address(url: &str) -> SocketAddr {
    let address = url.strip_prefix("http://").unwrap();
    address.trim_end_matches('/').parse().unwrap()
}

#[tokio::test]
async fn an_unknown_certificate_is_accepted_only_if_asked_for() {
    let consumer = consumer().spawn().await.unwrap();
    let page = HomeAssistantSim::spawn("switch.a", "t0ken").await.unwrap();
    let hook = format!(
        "https://localhost:{}/",
        with_tls(address(&consumer.url())).await
    );
    let home = format!("https://localhost:{}", with_tls(address(&page.url())).await);
    let operator = operator();
    put_hook(&operator.store);
    put_secret(&operator.store, "token", &[("password", "t0ken")]);
    let user = operator.store.user();
    let looked = |machine: &Machine| contactable(machine).is_some();
    for (kind, mut connection) in [
        ("rpc", connection("vm-1", &rpc(&hook))),
        (
            "homeassistant",
            connection(&home, &home_assistant("switch.a", 0)),
        ),
    ] {
        connection["insecureTLS"] = false.into();
        let verifying = format!("{kind}-verifying");
        user.create(&machine(&verifying, &connection)).unwrap();
        let refused = operator.until(&verifying, looked).await;
        assert_eq!(contactable(&refused), Some("False"), "{kind}");
        let (message, reason) = condition(&refused);
        assert_eq!(reason.as_deref(), Some("TLSFailed"), "{message}");
        assert!(
            message.contains("peer is not trusted") && message.contains("certificate"),
            "{message}"
        );
        assert_eq!(
            consumer.requests().len() + page.requests().len(),
            0,
            "{kind}"
        );
    }
    for (kind, connection) in [
        ("rpc", connection("vm-1", &rpc(&hook))),
        (
            "homeassistant",
            connection(&home, &home_assistant("switch.a", 0)),
        ),
    ] {
        let trusting = format!("{kind}-trusting");
        user.create(&machine(&trusting, &connection)).unwrap();
        let seen = operator.until(&trusting, looked).await;
        assert_eq!(contactable(&seen), Some("True"), "{kind}: {seen:?}");
    }
    assert!(!consumer.requests().is_empty() && !page.requests().is_empty());
    operator.stop().await;
}
