//! Peers that mean harm, byte by byte over TCP: every exchange ends, in time, with a typed error.

use std::env;
use std::error::Error as _;
use std::io::Write;
use std::time::Duration;

use bmc_core::http::{HttpError, HttpOptions};
use bmc_core::{Effect, ErrorKind, PowerAction, Provider};
use bmc_rpc::{Error, RpcProvider};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio::time::Instant;

use super::{consumer, keys, soon};

/// Longer than any peer here needs to be seen through.
const LONG: Duration = Duration::from_secs(20);

/// What a peer sends after the request: this, and then this again and again until nobody listens.
struct Bytes {
    first: Vec<u8>,
    then: &'static [u8],
    pause: Duration,
}

fn once(first: impl Into<Vec<u8>>) -> Bytes {
    Bytes {
        first: first.into(),
        then: b"",
        pause: Duration::ZERO,
    }
}

fn endless(first: &str, then: &'static [u8]) -> Bytes {
    Bytes {
        then,
        ..once(first)
    }
}

fn slow(first: &str, then: &'static [u8]) -> Bytes {
    Bytes {
        pause: Duration::from_millis(5),
        ..endless(first, then)
    }
}

async fn request(socket: &mut TcpStream) {
    let mut heard = String::new();
    let is_whole = |heard: &str| {
        let (head, body) = heard.split_once("\r\n\r\n")?;
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length: "))?;
        (body.len() >= length.parse().ok()?).then_some(())
    };
    while is_whole(&heard).is_none() {
        let mut buffer = [0; 4096];
        let read = socket.read(&mut buffer).await.unwrap();
        assert!(read > 0, "{heard}");
        heard += &String::from_utf8_lossy(&buffer[..read]);
    }
}

/// What becomes of a `cycle`: `ping` is answered well, the next request with these bytes.
async fn cycle(answer: Bytes, limit: Duration) -> Result<(), bmc_core::Error> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let peer = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        request(&mut socket).await;
        socket
            .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
            .await
            .unwrap();
        let (mut socket, _) = listener.accept().await.unwrap();
        request(&mut socket).await;
        let mut sent = socket.write_all(&answer.first).await;
        while sent.is_ok() && !answer.then.is_empty() {
            sent = socket.write_all(answer.then).await;
            if !answer.pause.is_zero() {
                tokio::time::sleep(answer.pause).await;
            }
        }
    });
    let provider = RpcProvider::builder(url, "10.0.0.5")
        .keys(keys())
        .request_timeout(limit);
    let session = provider.build().unwrap().open(soon()).await.unwrap();
    let cycled = session.power().unwrap().set_power(PowerAction::Cycle).await;
    peer.abort();
    cycled
}

fn gzip(body: &[u8], cut: usize) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(body).unwrap();
    let mut packed = packed.finish().unwrap();
    packed.truncate(packed.len() - cut);
    let length = packed.len();
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {length}\r\n\r\n");
    [head.into_bytes(), packed].concat()
}

#[tokio::test]
async fn every_exchange_ends_and_none_is_taken_for_done() {
    use ErrorKind::{Protocol, Rejected, Timeout};
    let ok = "HTTP/1.1 200 OK\r\n";
    let chunked = &format!("{ok}Transfer-Encoding: chunked\r\n\r\n");
    let with = |rest: &str| once(format!("{ok}{rest}"));
    for (what, answer, kind) in [
        ("slow status line", slow("", b"H"), Timeout),
        ("slow headers", slow(&format!("{ok}X: "), b"a"), Timeout),
        (
            "slow body",
            slow(&format!("{ok}Content-Length: 9000\r\n\r\n"), b" "),
            Timeout,
        ),
        (
            "endless interim answers",
            endless("", b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"),
            Timeout,
        ),
        (
            "endless headers",
            endless(ok, b"X-A: bbbbbbbb\r\n"),
            Protocol,
        ),
        (
            "endless body",
            endless(&format!("{ok}\r\n"), &[b' '; 4096]),
            Protocol,
        ),
        (
            "endless chunks",
            endless(
                chunked,
                b"40\r\n                                                                \r\n",
            ),
            Protocol,
        ),
        (
            "endless trailers",
            endless(&format!("{chunked}0\r\n"), b"A: bbbbbbbb\r\n"),
            Protocol,
        ),
        (
            "huge header",
            with(&format!("X: {}\r\n\r\n{{}}", "a".repeat(1 << 21))),
            Protocol,
        ),
        ("half a head", with("Conte"), Protocol),
        ("half a body", with("Content-Length: 9\r\n\r\n{}"), Protocol),
        (
            "half a chunk",
            once(format!("{chunked}9\r\n{{}}")),
            Protocol,
        ),
        (
            "no last chunk",
            once(format!("{chunked}2\r\n{{}}\r\n")),
            Protocol,
        ),
        (
            "no chunk",
            once(format!("{chunked}zz\r\n{{}}\r\n")),
            Protocol,
        ),
        (
            "lying length",
            with("Content-Length: 99999999999\r\n\r\n{}"),
            Protocol,
        ),
        (
            "two lengths",
            with("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "),
            Protocol,
        ),
        ("gzip bomb", once(gzip(&vec![b' '; 1 << 25], 0)), Protocol),
        ("gzip cut", once(gzip(b"{}", 3)), Protocol),
        (
            "no gzip",
            with("Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"),
            Protocol,
        ),
        (
            "unknown packing",
            with("Content-Encoding: br\r\nContent-Length: 2\r\n\r\n\u{1}\u{2}"),
            Protocol,
        ),
        (
            "HTTP/2",
            once(*b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0d"),
            Protocol,
        ),
        (
            "another protocol",
            once("220 mail.example ESMTP\r\n"),
            Protocol,
        ),
        ("nothing", once(""), Protocol),
        (
            "another protocol from here",
            once("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
            Rejected,
        ),
        (
            "no such status",
            once("HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"),
            Rejected,
        ),
    ] {
        let limit = match kind {
            Timeout => Duration::from_secs(1),
            _ => LONG,
        };
        let error = cycle(answer, limit).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.effect()),
            (kind, Effect::Unknown),
            "{what}: {error}"
        );
    }
    // Nothing is read of what is announced to be too long.
    let lying = cycle(with("Content-Length: 99999999999\r\n\r\n{}"), LONG).await;
    let text = lying.unwrap_err().to_string();
    assert!(text.contains("longer than 524288 bytes"), "{text}");
    let junk_behind = [gzip(b"{}", 0), b"junk".to_vec()].concat();
    for (what, answer) in [
        ("junk behind", once(junk_behind)),
        ("HTTP/1.0", once("HTTP/1.0 200 OK\r\n\r\n{}")),
        (
            "interim answer",
            once("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 204 Done\r\n\r\n"),
        ),
    ] {
        cycle(answer, LONG)
            .await
            .unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

/// Neither the request nor what it carries goes to where a redirect points.
#[tokio::test]
async fn a_redirect_leads_nowhere() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = elsewhere.local_addr().unwrap();
    for status in [301, 302, 303, 307, 308] {
        let answer = format!(
            "HTTP/1.1 {status} X\r\nLocation: http://{addr}/hook?secret=1\r\nContent-Length: 0\r\n\r\n"
        );
        let error = cycle(once(answer), LONG).await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains("a redirect, which is not followed"), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
    // Nobody waits in the queue.
    let accepted = tokio::time::timeout(Duration::ZERO, elsewhere.accept()).await;
    assert!(accepted.is_err(), "{accepted:?}");
}

/// Runs itself again, in a process whose environment names a proxy where nobody is.
#[tokio::test]
async fn a_proxy_of_the_environment_is_not_used() {
    let nobody = "http://127.0.0.1:9";
    if env::var("http_proxy").is_ok_and(|proxy| proxy == nobody) {
        let (_consumer, builder) = consumer().await;
        builder.build().unwrap().open(soon()).await.unwrap();
        return;
    }
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", "hostile::a_proxy_of_the_environment_is_not_used"]);
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        again.env(name, nobody);
    }
    again.env_remove("no_proxy").env_remove("NO_PROXY");
    let ran = again.output().await.unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && told.contains("1 passed"), "{told}");
}

#[tokio::test]
async fn nothing_is_sent_after_the_deadline() {
    let peer = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", peer.local_addr().unwrap());
    let client = HttpOptions::new().build().unwrap();
    let request = http::Request::post(url).body(bytes::Bytes::new()).unwrap();
    let error = client.send(request, Instant::now()).await.unwrap_err();
    assert!(matches!(error, HttpError::NotSent { .. }), "{error:?}");
    assert_eq!(error.effect(), Effect::None);
    let accepted = tokio::time::timeout(Duration::ZERO, peer.accept()).await;
    assert!(accepted.is_err(), "{accepted:?}");
}

/// What certainly was not sent has no effect, so that another provider may take over.
#[tokio::test]
async fn without_a_connection_nothing_was_done() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = gone.local_addr().unwrap().port();
    drop(gone);
    let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let not_tls = plain.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = plain.accept().await {
            let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silence = silent.local_addr().unwrap().port();
    let client = HttpOptions::new().connect_timeout(Duration::from_millis(300));
    let client = client.build().unwrap();
    for (url, kind) in [
        (format!("https://127.0.0.1:{silence}/"), ErrorKind::Timeout),
        (format!("http://127.0.0.1:{port}/"), ErrorKind::Unreachable),
        (
            "http://no-such-host.invalid/".to_owned(),
            ErrorKind::Unreachable,
        ),
        (format!("https://127.0.0.1:{not_tls}/"), ErrorKind::Tls),
    ] {
        let provider = RpcProvider::builder(&url, "10.0.0.5").client(&client);
        let provider = provider.build().unwrap();
        let error = provider.open(soon()).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.effect()),
            (kind, Effect::None),
            "{url}: {error}"
        );
        let cause = error.source().unwrap().downcast_ref::<Error>().unwrap();
        assert_eq!(cause.effect(), Effect::None, "{url}");
        let expected = matches!(
            cause,
            Error::Http(
                HttpError::Connect { .. }
                    | HttpError::ConnectTimeout { .. }
                    | HttpError::Tls { .. }
            )
        );
        assert!(expected, "{url}: {cause:?}");
    }
}
