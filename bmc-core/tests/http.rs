//! The HTTP client against servers on loopback, with and without TLS.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::http::{HttpClient, HttpError, HttpOptions};
use bmc_core::{Effect, ErrorKind, TlsPolicy};
use bytes::Bytes;
use http::{Request, Response};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn request(url: &str) -> Request<Bytes> {
    Request::post(url)
        .header("x-some-thing", "1")
        .body(Bytes::from_static(b"ping"))
        .unwrap()
}

async fn ask(client: &HttpClient, url: &str) -> Result<Response<Bytes>, HttpError> {
    client.send(request(url), soon()).await
}

async fn fails(client: &HttpClient, url: &str) -> (HttpError, bmc_core::Error) {
    let error = ask(client, url).await.unwrap_err();
    (error.clone(), error.into())
}

/// Answers every connection with `answer` and passes on what was asked. Returns its port.
async fn server(answer: impl Into<Vec<u8>>) -> (u16, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (asked, questions) = mpsc::unbounded_channel();
    let answer = answer.into();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            if let Some(question) = read_request(&mut socket).await {
                let _ = asked.send(question);
                let _ = socket.write_all(&answer).await;
            }
        }
    });
    (port, questions)
}

/// One request with the 4-byte body that all tests send.
async fn read_request(socket: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut question = Vec::new();
    while !question.ends_with(b"\r\n\r\nping") {
        let mut byte = [0];
        socket.read_exact(&mut byte).await.ok()?;
        question.push(byte[0]);
    }
    String::from_utf8(question).ok()
}

fn answer(headers: &str, body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n{headers}\r\n").into_bytes();
    answer.extend_from_slice(body);
    answer
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn every_framing_of_a_body_is_read() {
    let packed = gzip(b"hello");
    let packed_headers = format!(
        "Content-Encoding: gzip\r\nContent-Length: {}\r\n",
        packed.len()
    );
    for bytes in [
        answer("Content-Length: 5\r\n", b"hello"),
        answer(
            "Transfer-Encoding: chunked\r\n",
            b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        ),
        answer("", b"hello"),
        answer(&packed_headers, &packed),
    ] {
        let (port, mut questions) = server(bytes).await;
        let client = HttpOptions::new().build().unwrap();
        let url = format!("http://127.0.0.1:{port}/hook?a=b");
        let answer = ask(&client, &url).await.unwrap();
        assert_eq!(answer.body().as_ref(), b"hello");
        let question = questions.recv().await.unwrap();
        assert!(
            question.starts_with("POST /hook?a=b HTTP/1.1\r\n"),
            "{question}"
        );
        assert!(question.contains("X-Some-Thing: 1\r\n"), "{question}");
    }
}

#[tokio::test]
async fn no_body_exceeds_its_limit() {
    let long = vec![b' '; 1_000_000];
    let bomb = gzip(&long);
    assert!(bomb.len() < 2000);
    for bytes in [
        answer("Content-Length: 1000000\r\n", &long),
        answer("", &long),
        answer(
            &format!(
                "Content-Encoding: gzip\r\nContent-Length: {}\r\n",
                bomb.len()
            ),
            &bomb,
        ),
    ] {
        let (port, _questions) = server(bytes).await;
        let client = HttpOptions::new().max_body(2000).build().unwrap();
        let (error, core) = fails(&client, &format!("http://127.0.0.1:{port}/")).await;
        assert!(
            matches!(error, HttpError::TooLarge { limit: 2000, .. }),
            "{error:?}"
        );
        assert_eq!(
            (core.kind(), core.effect()),
            (ErrorKind::Protocol, Effect::Unknown)
        );
    }
}

#[tokio::test]
async fn a_redirect_is_an_answer() {
    let redirect = "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n";
    let (port, _questions) = server(redirect).await;
    let client = HttpOptions::new().build().unwrap();
    let answer = ask(&client, &format!("http://127.0.0.1:{port}/"))
        .await
        .unwrap();
    assert_eq!(answer.status(), 302);
}

#[tokio::test]
async fn a_request_is_sent_once() {
    for bytes in [
        "",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe",
        "garbage\r\n\r\n",
    ] {
        let (port, mut questions) = server(bytes).await;
        let client = HttpOptions::new().build().unwrap();
        let (error, core) = fails(&client, &format!("http://127.0.0.1:{port}/")).await;
        assert!(matches!(error, HttpError::Broken { .. }), "{error:?}");
        assert_eq!(
            (core.kind(), core.effect()),
            (ErrorKind::Protocol, Effect::Unknown)
        );
        questions.recv().await.unwrap();
        assert!(questions.try_recv().is_err(), "sent twice");
    }
}

#[tokio::test]
async fn nothing_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let client = HttpOptions::new().build().unwrap();
    let (_, core) = fails(
        &client,
        &format!("http://user:hunter2@127.0.0.1:{port}/token"),
    )
    .await;
    assert_eq!(
        (core.kind(), core.effect()),
        (ErrorKind::Unreachable, Effect::None)
    );
    let text = format!("{core} {core:?}");
    assert!(text.contains(&format!("http://127.0.0.1:{port}")), "{text}");
    assert!(text.contains("refused"), "{text}");
    assert!(
        !text.contains("hunter2") && !text.contains("token"),
        "{text}"
    );
}

#[tokio::test]
async fn a_silent_peer_meets_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let client = HttpOptions::new().build().unwrap();
    let deadline = Instant::now() + Duration::from_millis(50);
    let error = client.send(request(&url), deadline).await.unwrap_err();
    assert!(matches!(error, HttpError::Timeout { .. }), "{error:?}");
    assert_eq!(error.effect(), Effect::Unknown);
    let error = client
        .send(request(&url), Instant::now())
        .await
        .unwrap_err();
    assert!(matches!(error, HttpError::NotSent { .. }), "{error:?}");
    assert_eq!(error.effect(), Effect::None);
}

#[tokio::test]
async fn only_http_urls_are_asked() {
    let client = HttpOptions::new().build().unwrap();
    for url in ["/hook", "ftp://127.0.0.1/", "127.0.0.1:80"] {
        let (error, _) = fails(&client, url).await;
        assert!(matches!(error, HttpError::Url), "{url}: {error:?}");
    }
}

#[tokio::test]
async fn a_proxy_gets_everything() {
    let (port, mut questions) = server(answer("Content-Length: 0\r\n", b"")).await;
    let client = HttpOptions::new()
        .proxy(format!("http://127.0.0.1:{port}"))
        .build()
        .unwrap();
    ask(&client, "http://192.0.2.1/hook").await.unwrap();
    let question = questions.recv().await.unwrap();
    assert!(
        question.starts_with("POST http://192.0.2.1/hook HTTP/1.1\r\n"),
        "{question}"
    );
}

/// A TLS server for `localhost` with a certificate of its own. Returns its URL, its certificate as PEM and its fingerprint.
async fn tls_server() -> (String, String, [u8; 32]) {
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
            if let Ok(mut socket) = acceptor.accept(socket).await {
                greet(&mut socket).await;
            }
        }
    });
    let fingerprint = Sha256::digest(own.cert.der()).into();
    (
        format!("https://localhost:{port}/"),
        own.cert.pem(),
        fingerprint,
    )
}

async fn greet(socket: &mut (impl AsyncRead + AsyncWrite + Unpin)) {
    if read_request(socket).await.is_some() {
        let _ = socket
            .write_all(&answer("Content-Length: 5\r\n", b"hello"))
            .await;
        let _ = socket.shutdown().await;
    }
}

#[tokio::test]
async fn tls_policies_decide() {
    let (url, pem, fingerprint) = tls_server().await;
    let (_, other_pem, other_fingerprint) = tls_server().await;
    let client = |policy| HttpOptions::new().tls(policy).build().unwrap();

    for policy in [
        TlsPolicy::DangerousAcceptAny,
        TlsPolicy::Pinned(fingerprint),
        TlsPolicy::VerifyRoots(pem.clone().into()),
    ] {
        let answer = ask(&client(policy.clone()), &url).await;
        let answer = answer.unwrap_or_else(|error| panic!("{policy:?}: {error:?}"));
        assert_eq!(answer.body().as_ref(), b"hello");
    }
    for policy in [
        TlsPolicy::Verify,
        TlsPolicy::Pinned(other_fingerprint),
        TlsPolicy::VerifyRoots(other_pem.into()),
    ] {
        let (error, core) = fails(&client(policy.clone()), &url).await;
        assert!(
            matches!(error, HttpError::Tls { .. }),
            "{policy:?}: {error:?}"
        );
        assert_eq!((core.kind(), core.effect()), (ErrorKind::Tls, Effect::None));
    }
    // Another name than the certificate's.
    let by_address = url.replace("localhost", "127.0.0.1");
    let (error, _) = fails(&client(TlsPolicy::VerifyRoots(pem.into())), &by_address).await;
    assert!(matches!(error, HttpError::Tls { .. }), "{error:?}");
}
