//! What becomes of every kind of answer.

use std::error::Error as _;
use std::io::Write;
use std::time::Duration;

use bmc_core::{Effect, ErrorKind, PowerAction, PowerState, Provider};
use bmc_rpc::Error;
use bmc_rpc::sim::Fault;
use bytes::Bytes;
use tokio::time::Instant;

use super::{consumer, session, soon};

fn cause(error: &bmc_core::Error) -> &Error {
    error.source().unwrap().downcast_ref().unwrap()
}

fn answer(status: u16, content_type: &str, body: impl Into<Bytes>) -> Fault {
    let answer = http::Response::builder()
        .status(status)
        .header("content-type", content_type)
        .body(body.into());
    Fault::Answer(answer.unwrap())
}

fn ok(body: &str) -> Fault {
    answer(200, "application/json", body.to_owned())
}

#[tokio::test]
async fn every_success_is_one() {
    let (consumer, session) = session().await;
    let power = session.power().unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(br#"{"result":"on"}"#).unwrap();
    let packed = http::Response::builder()
        .header("content-encoding", "gzip")
        .body(Bytes::from(packed.finish().unwrap()));
    for (fault, state) in [
        (ok(r#"{"result":"on"}"#), PowerState::On),
        (ok(r#"{"result":" ON\n"}"#), PowerState::On),
        (
            ok(r#"{"id":0,"host":"","result":"off","error":null}"#),
            PowerState::Off,
        ),
        (
            ok(r#"{"result":"off","error":{"code":0,"message":"fine"}}"#),
            PowerState::Off,
        ),
        (ok(r#"{"result":"running"}"#), PowerState::Unknown),
        // Go's own spelling of a struct without tags.
        (
            ok(r#"{"ID":0,"Host":"","Result":"on","Error":null,"error":null}"#),
            PowerState::On,
        ),
        (
            answer(202, "text/plain; charset=utf-8", r#"{"result":"on"}"#),
            PowerState::On,
        ),
        (Fault::Answer(packed.unwrap()), PowerState::On),
        (Fault::Chunked, PowerState::Off),
    ] {
        consumer.fault(fault.clone());
        assert_eq!(power.power_state().await.unwrap(), state, "{fault:?}");
    }
    for fault in [
        answer(204, "text/plain", ""),
        answer(201, "application/json", "{}"),
        ok(""),
    ] {
        consumer.fault(fault);
        power.set_power(PowerAction::On).await.unwrap();
    }
}

#[tokio::test]
async fn every_failure_is_typed() {
    use ErrorKind::{
        Authentication, Busy, NotFound, PermissionDenied, Protocol, Rejected, Timeout, Unsupported,
    };
    let (consumer, session) = session().await;
    let power = session.power().unwrap();
    let html = "<html>log in, please</html>";
    let long = "x".repeat(600 * 1024);
    for (fault, kind, effect, text) in [
        (
            answer(302, "text/html", html),
            Rejected,
            Effect::None,
            "302 Found, a redirect",
        ),
        (
            answer(400, "text/html", html),
            Rejected,
            Effect::None,
            "answers 400 Bad Request",
        ),
        (
            answer(401, "text/html", html),
            Authentication,
            Effect::None,
            "401",
        ),
        (
            answer(403, "text/html", html),
            PermissionDenied,
            Effect::None,
            "403",
        ),
        (
            answer(404, "text/html", html),
            NotFound,
            Effect::None,
            "404",
        ),
        (
            answer(408, "text/html", html),
            Timeout,
            Effect::Unknown,
            "408",
        ),
        (answer(429, "text/html", html), Busy, Effect::None, "429"),
        (
            answer(500, "text/html", html),
            Protocol,
            Effect::Unknown,
            "500",
        ),
        (answer(503, "text/html", html), Busy, Effect::Unknown, "503"),
        (
            answer(504, "text/html", html),
            Timeout,
            Effect::Unknown,
            "504",
        ),
        (
            answer(422, "a/json", r#"{"error":{"code":5,"message":"five"}}"#),
            Rejected,
            Effect::None,
            "and reports error 5: five",
        ),
        (
            answer(303, "text/html", ""),
            Rejected,
            Effect::Unknown,
            "303",
        ),
        (
            answer(501, "text/html", html),
            Unsupported,
            Effect::None,
            "501",
        ),
        (
            ok(r#"{"Error":{"Code":5,"MESSAGE":"five"}}"#),
            Rejected,
            Effect::None,
            "reports error 5: five",
        ),
        (
            ok(r#"{"ID":42}"#),
            Protocol,
            Effect::Unknown,
            "has id 42 instead of",
        ),
        (
            ok(r#"{"error":{"code":99999999999999999999}}"#),
            Protocol,
            Effect::Unknown,
            "member error.code is a number",
        ),
        (
            ok("\u{feff}{}"),
            Protocol,
            Effect::Unknown,
            "not JSON (line 1, column 1)",
        ),
        (
            ok("{}\0"),
            Protocol,
            Effect::Unknown,
            "not JSON (line 1, column 3)",
        ),
        (
            ok(r#"{"result":"\ud800"}"#),
            Protocol,
            Effect::Unknown,
            "not JSON",
        ),
        (
            ok(&"[".repeat(100_000)),
            Protocol,
            Effect::Unknown,
            "not JSON",
        ),
        (
            Fault::Failure(5, "fi\nve".into()),
            Rejected,
            Effect::None,
            "reports error 5: fi ve",
        ),
        (
            answer(200, "text/html", html),
            Protocol,
            Effect::Unknown,
            "answers with text/html instead of JSON",
        ),
        (
            ok(html),
            Protocol,
            Effect::Unknown,
            "not JSON (line 1, column 1)",
        ),
        (
            ok("[]"),
            Protocol,
            Effect::Unknown,
            "a JSON array instead of an object",
        ),
        (
            ok(r#"{"id":"7"}"#),
            Protocol,
            Effect::Unknown,
            "member id is a string instead of an integer",
        ),
        (
            ok(r#"{"id":1.7e18}"#),
            Protocol,
            Effect::Unknown,
            "member id is a number instead of an integer",
        ),
        (
            ok(r#"{"error":"no"}"#),
            Protocol,
            Effect::Unknown,
            "member error is a string",
        ),
        (
            Fault::WrongId(42),
            Protocol,
            Effect::Unknown,
            "has id 42 instead of",
        ),
        (
            Fault::WrongHost("x".into()),
            Protocol,
            Effect::Unknown,
            "for host \"x\" instead of \"10.0.0.5\"",
        ),
        (Fault::HangupBefore, Protocol, Effect::Unknown, "broke off"),
        (Fault::HangupAfter, Protocol, Effect::Unknown, "broke off"),
        (
            ok(&long),
            Protocol,
            Effect::Unknown,
            "longer than 524288 bytes",
        ),
    ] {
        consumer.fault(fault.clone());
        let error = power.set_power(PowerAction::Cycle).await.unwrap_err();
        assert_eq!((error.kind(), error.effect()), (kind, effect), "{error}");
        assert_eq!(error.to_string().matches(text).count(), 1, "{error}");

        // The same answer to a read has no effect.
        consumer.fault(fault);
        let error = power.power_state().await.unwrap_err();
        assert_eq!(
            (error.kind(), error.effect()),
            (kind, Effect::None),
            "{error}"
        );
    }
    for (body, found) in [
        ("{}", "missing"),
        ("", "missing"),
        (r#"{"result":1}"#, "number"),
        (r#"{"result":true}"#, "boolean"),
    ] {
        consumer.fault(ok(body));
        let error = power.power_state().await.unwrap_err();
        assert!(
            matches!(cause(&error), Error::Result { found: f, .. } if *f == found),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_slow_consumer_meets_the_time_out() {
    let (consumer, builder) = consumer().await;
    let builder = builder.request_timeout(Duration::from_secs(1));
    let session = builder.build().unwrap().open(soon()).await.unwrap();
    for fault in [Fault::Silence, Fault::Stall] {
        consumer.fault(fault);
        let error = session
            .power()
            .unwrap()
            .set_power(PowerAction::On)
            .await
            .unwrap_err();
        assert_eq!(
            (error.kind(), error.effect()),
            (ErrorKind::Timeout, Effect::Unknown),
            "{error}"
        );
    }
}

/// Long before whoever opens the session loses patience.
#[tokio::test]
async fn a_ping_meets_the_time_out() {
    let (consumer, builder) = consumer().await;
    consumer.fault(Fault::Silence);
    let provider = builder.request_timeout(Duration::from_millis(100)).build();
    let began = Instant::now();
    let opened = provider.unwrap().open(soon()).await;
    assert_eq!(opened.unwrap_err().kind(), ErrorKind::Timeout);
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_consumer_that_answers_ping_with_an_error_is_not_used() {
    let (consumer, builder) = consumer().await;
    consumer.fault(Fault::Failure(7, "not for you".into()));
    let error = builder.build().unwrap().open(soon()).await.unwrap_err();
    assert!(
        matches!(cause(&error), Error::Failed(failure) if failure.code == 7),
        "{error}"
    );
    assert_eq!(error.effect(), Effect::None);
}
