//! The Home Assistant provider over TCP.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::error::Error as _;
use std::time::Duration;

use bmc_core::{BootDevice, BootOverride, Effect, ErrorKind, PowerAction, PowerState, Provider};
use bmc_rpc::home_assistant::{HomeAssistantBuilder, HomeAssistantProvider};
use bmc_rpc::sim::{HomeAssistantSim, Trouble};
use bmc_rpc::{ConfigError, Error};
use bytes::Bytes;
use tokio::time::Instant;

const ENTITY: &str = "switch.socket_1";

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

async fn peer() -> (HomeAssistantSim, HomeAssistantBuilder) {
    let peer = HomeAssistantSim::spawn(ENTITY, "token").await.unwrap();
    let builder = HomeAssistantProvider::builder(peer.url(), ENTITY).token("token");
    (peer, builder)
}

#[tokio::test]
async fn a_switch_is_switched() {
    let (peer, builder) = peer().await;
    // Attributes of the simulated switch are booleans and numbers, as real ones are.
    let session = builder.build().unwrap().open(soon()).await.unwrap();
    let power = session.power().unwrap();
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
    power.set_power(PowerAction::On).await.unwrap();
    assert_eq!(power.power_state().await.unwrap(), PowerState::On);
    let pxe = BootOverride::once(BootDevice::Pxe);
    session
        .boot()
        .unwrap()
        .set_boot_override(pxe)
        .await
        .unwrap();
    power.set_power(PowerAction::Off).await.unwrap();
    assert!(!peer.is_on());
    let get = format!("GET /api/states/{ENTITY}");
    let expected = [
        get.as_str(),
        &get,
        "POST /api/services/switch/turn_on",
        &get,
        "POST /api/services/switch/turn_off",
    ];
    assert_eq!(peer.requests(), expected);
}

/// The services are those of the entity's domain; a token from a file ends with a line feed.
#[tokio::test]
async fn whatever_can_be_turned_on_is_a_switch() {
    let entity = "input_boolean.rack";
    let peer = HomeAssistantSim::spawn(entity, "token").await.unwrap();
    let provider = HomeAssistantProvider::builder(peer.url(), entity).token("token\n");
    let session = provider.build().unwrap().open(soon()).await.unwrap();
    let power = session.power().unwrap();
    power.set_power(PowerAction::On).await.unwrap();
    assert!(peer.is_on());
    let last = peer.requests().pop();
    assert_eq!(
        last.as_deref(),
        Some("POST /api/services/input_boolean/turn_on")
    );
}

#[tokio::test]
async fn what_a_socket_cannot_do_is_not_sent() {
    let (peer, builder) = peer().await;
    let session = builder.build().unwrap().open(soon()).await.unwrap();
    for action in [PowerAction::Soft, PowerAction::Cycle, PowerAction::Reset] {
        let error = session
            .power()
            .unwrap()
            .set_power(action)
            .await
            .unwrap_err();
        assert_eq!(
            (error.kind(), error.effect()),
            (ErrorKind::Unsupported, Effect::None),
            "{error}"
        );
    }
    assert_eq!(peer.requests().len(), 1);
}

#[tokio::test]
async fn troubles_are_told() {
    let (peer, builder) = peer().await;
    let provider = builder.build().unwrap();
    peer.trouble(Trouble::Nameless);
    let error = provider.open(soon()).await.unwrap_err();
    let cause = error.source().unwrap().downcast_ref().unwrap();
    assert!(matches!(cause, Error::NoFriendlyName { .. }), "{error}");
    peer.trouble(Trouble::Unavailable);
    let session = provider.open(soon()).await.unwrap();
    assert_eq!(
        session.power().unwrap().power_state().await.unwrap(),
        PowerState::Unknown
    );

    let other = HomeAssistantProvider::builder(peer.url(), "switch.other")
        .token("token")
        .build()
        .unwrap();
    assert_eq!(
        other.open(soon()).await.unwrap_err().kind(),
        ErrorKind::NotFound
    );
    let intruder = HomeAssistantProvider::builder(peer.url(), ENTITY)
        .token("hunter2")
        .build()
        .unwrap();
    let error = intruder.open(soon()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication);
    assert!(!format!("{intruder:?} {error:?}").contains("hunter2"));
}

/// What comes in place of an answer: to a read it has no effect, to a switching perhaps.
#[tokio::test]
async fn every_bad_answer_is_typed() {
    use ErrorKind::{Busy, NotFound, PermissionDenied, Protocol, Rejected};
    let (peer, builder) = peer().await;
    let session = builder.build().unwrap().open(soon()).await.unwrap();
    let power = session.power().unwrap();
    let unknown = Some(Effect::Unknown);
    let state =
        |entity: &str, state: &str| format!(r#"{{"entity_id":"{entity}","state":{state}}}"#);
    // Where a switching has no effect to be told it succeeds: its answer tells nothing that counts.
    for (status, content_type, body, kind, effect, text) in [
        (
            302,
            "text/html",
            String::new(),
            Rejected,
            Some(Effect::None),
            "302 Found, a redirect",
        ),
        (
            403,
            "text/html",
            String::new(),
            PermissionDenied,
            Some(Effect::None),
            "403",
        ),
        (
            404,
            "text/html",
            String::new(),
            NotFound,
            Some(Effect::None),
            "404",
        ),
        (500, "text/html", String::new(), Protocol, unknown, "500"),
        (503, "text/html", String::new(), Busy, unknown, "503"),
        (
            200,
            "text/html",
            "<html>log in</html>".into(),
            Protocol,
            unknown,
            "text/html instead of JSON",
        ),
        (
            200,
            "application/json",
            "{".into(),
            Protocol,
            unknown,
            "not JSON (line 1, column 1)",
        ),
        (
            200,
            "application/json",
            "x".repeat(600 * 1024),
            Protocol,
            unknown,
            "longer than 524288 bytes",
        ),
        (
            200,
            "application/json",
            "[]".into(),
            Protocol,
            None,
            "a JSON array instead of an object",
        ),
        (
            200,
            "application/json",
            "{}".into(),
            Protocol,
            None,
            "member state is a missing member",
        ),
        (
            200,
            "application/json",
            state(ENTITY, "1"),
            Protocol,
            None,
            "member state is a number",
        ),
        (
            200,
            "application/json",
            state("switch.b", "\"on\""),
            Protocol,
            None,
            "for entity \"switch.b\" instead of",
        ),
        (
            200,
            "application/json",
            state(ENTITY, "\"on\""),
            Rejected,
            None,
            "has no friendly_name",
        ),
    ] {
        let answer = || {
            let answer = http::Response::builder().status(status);
            let answer = answer.header("content-type", content_type);
            answer.body(Bytes::from(body.clone())).unwrap()
        };
        peer.answer(answer());
        let error = power.power_state().await.unwrap_err();
        assert_eq!(
            (error.kind(), error.effect()),
            (kind, Effect::None),
            "{error}"
        );
        assert!(error.to_string().contains(text), "{error}");
        peer.answer(answer());
        match (power.set_power(PowerAction::On).await, effect) {
            (Ok(()), None) => {}
            (Err(error), Some(effect)) => {
                assert_eq!((error.kind(), error.effect()), (kind, effect), "{error}");
            }
            (other, _) => panic!("{text}: {other:?}"),
        }
    }
    assert!(!peer.is_on());
}

#[tokio::test]
async fn a_slow_page_meets_the_time_out() {
    let (peer, builder) = peer().await;
    let builder = builder.request_timeout(Duration::from_secs(1));
    let session = builder.build().unwrap().open(soon()).await.unwrap();
    peer.trouble(Trouble::Silent);
    let power = session.power().unwrap();
    let error = power.set_power(PowerAction::On).await.unwrap_err();
    let silence = (ErrorKind::Timeout, Effect::Unknown);
    assert_eq!((error.kind(), error.effect()), silence, "{error}");
    let error = power.power_state().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Timeout, Effect::None)
    );
}

/// After a switching the machine is on its way, and the next switching waits its turn; reading never does.
#[tokio::test]
async fn the_delay_holds_up_the_next_switching_only() {
    let (peer, builder) = peer().await;
    let delay = Duration::from_millis(1500);
    let provider = builder.operation_delay(delay).build().unwrap();
    let session = provider.open(soon()).await.unwrap();
    let power = session.power().unwrap();
    let began = Instant::now();
    power.set_power(PowerAction::On).await.unwrap();
    assert!(peer.is_on());
    assert!(began.elapsed() < delay, "the switching itself waited");
    assert_eq!(power.power_state().await.unwrap(), PowerState::PoweringOn);
    // A second session knows of it too.
    let second = provider.open(soon()).await.unwrap();
    second
        .power()
        .unwrap()
        .set_power(PowerAction::Off)
        .await
        .unwrap();
    assert!(began.elapsed() >= delay, "switched too early");
    assert!(!peer.is_on());
    assert_eq!(power.power_state().await.unwrap(), PowerState::PoweringOff);
    tokio::time::sleep_until(Instant::now() + delay).await;
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
}

/// A switching without an answer may have switched: the machine needs its time all the same. One that was refused has not.
#[tokio::test]
async fn what_may_be_switched_is_on_its_way() {
    let (peer, builder) = peer().await;
    let builder = builder.operation_delay(Duration::from_secs(90));
    let builder = builder.request_timeout(Duration::from_secs(1));
    let session = builder.build().unwrap().open(soon()).await.unwrap();
    let power = session.power().unwrap();
    let refusal = http::Response::builder().status(403).body(Bytes::new());
    peer.answer(refusal.unwrap());
    power.set_power(PowerAction::On).await.unwrap_err();
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
    peer.trouble(Trouble::Silent);
    let error = power.set_power(PowerAction::On).await.unwrap_err();
    assert_eq!(error.effect(), Effect::Unknown);
    peer.trouble(Trouble::None);
    assert_eq!(power.power_state().await.unwrap(), PowerState::PoweringOn);
    let error = power.set_power(PowerAction::Off).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
}

#[tokio::test]
async fn nobody_waits_for_a_long_delay() {
    let (peer, builder) = peer().await;
    let provider = builder.operation_delay(Duration::from_secs(90)).build();
    let session = provider.unwrap().open(soon()).await.unwrap();
    let power = session.power().unwrap();
    power.set_power(PowerAction::On).await.unwrap();
    // The same again is no other state.
    power.set_power(PowerAction::On).await.unwrap();
    let error = power.set_power(PowerAction::Off).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Busy, Effect::None)
    );
    let text = error.to_string();
    assert!(
        text.contains("the machine is still powering-on, for another 90 s"),
        "{text}"
    );
    assert!(peer.is_on());
}

#[test]
fn unusable_settings_are_named() {
    let why = |url: &str, entity: &str, token: &str| {
        let builder = HomeAssistantProvider::builder(url, entity).token(token);
        builder.build().map(drop).unwrap_err()
    };
    for url in [
        "",
        "homeassistant.local",
        "http://",
        "ftp://a",
        "http://a/?b",
        "http://a/#b",
        "http://256.256.256.256",
    ] {
        assert_eq!(
            why(url, ENTITY, "t"),
            ConfigError::Url { setting: "URL" },
            "{url}"
        );
    }
    for entity in [
        "",
        "switch",
        "switch.",
        ".a",
        "switch.a/b",
        "switch.A",
        "../x",
    ] {
        assert_eq!(
            why("http://a", entity, "t"),
            ConfigError::Entity {
                given: entity.into()
            }
        );
    }
    for token in ["", " \n"] {
        assert_eq!(
            why("http://a", ENTITY, token),
            ConfigError::Empty { setting: "token" }
        );
    }
    assert!(matches!(
        why("http://a", ENTITY, "a\nb"),
        ConfigError::HeaderValue { .. }
    ));
}
