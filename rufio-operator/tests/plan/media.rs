//! Virtual media: only a webhook has it.

use std::time::Duration;

use rufio_operator::plan::task::{Decision, Seen};
use serde_json::{Value, json};

use super::TIMEOUT;
use super::task::{Case, NOT_OBSERVED, SEEN, failure, task};

const IMAGE: &str = "http://example.com/image.iso";

fn media(url: &str) -> Value {
    json!({"virtualMediaAction": {"kind": "CD", "mediaURL": url}})
}

fn webhook() -> Value {
    json!({"rpc": {"consumerURL": "http://example.com/hook"}})
}

fn inserted(case: &mut Case, url: Option<&str>) -> Decision {
    case.progress.pass_begins();
    let source = url.map(|url| url.parse().unwrap());
    case.progress.seen(Seen::Media(source));
    case.decide()
}

#[test]
fn what_cannot_be_inserted_is_named() {
    let message = failure(Case::over(webhook(), media("boot.iso")).decide());
    assert_eq!(
        message,
        "virtualMediaAction.mediaURL: media source is not an absolute URL such as https://server/image.iso"
    );
    let switch = json!({"homeassistant": {"switchEntityID": "switch.a"}});
    let message = failure(Case::over(switch, media("")).decide());
    assert!(
        message.contains("homeassistant has no virtual media"),
        "{message}"
    );
}

#[test]
fn media_is_inserted_and_ejected_where_the_connection_can() {
    let over = |url: &str| Case::over(webhook(), media(url));
    for (url, other) in [(IMAGE, None), ("", Some(IMAGE))] {
        let wanted = (!url.is_empty()).then_some(url);
        let mut case = over(url);
        assert_eq!(case.decide(), Decision::Look);
        assert_eq!(inserted(&mut case, wanted), SEEN, "it is there already");
        assert_eq!(inserted(&mut case, other), Decision::Begin);
        // A webhook cannot be asked: it is sent, and believed.
        case.progress.seen(Seen::Nothing);
        assert_eq!(case.decide(), Decision::Begin);
        case.task.status = task(json!({}), Some(1)).status;
        case.progress.begun();
        assert_eq!(case.decide(), Decision::Send);
        case.progress.accepted(case.given.tick);
        assert_eq!(case.decide(), Decision::Look);
        assert!(matches!(inserted(&mut case, other), Decision::Wait(_)));
        assert_eq!(inserted(&mut case, wanted), SEEN);
        case.progress.seen(Seen::Nothing);
        assert_eq!(case.decide(), NOT_OBSERVED);
    }
    // It leads to a state: after a crash and after an unknown effect it is sent again.
    let mut case = over(IMAGE);
    case.task.status = task(json!({}), Some(1)).status;
    assert_eq!(case.decide(), Decision::Look);
    case.progress.seen(Seen::Nothing);
    assert_eq!(case.decide(), Decision::Send);
    case.progress
        .unknown(case.given.tick, "rpc: silence".into());
    case.progress.seen(Seen::Nothing);
    assert!(matches!(case.decide(), Decision::Wait(_)));
    case.later(Duration::from_secs(4));
    assert_eq!(case.decide(), Decision::Send);
    case.later(TIMEOUT);
    assert!(
        failure(inserted(&mut case, None))
            .contains("wanted media CD http://example.com/image.iso, last seen nothing inserted")
    );
}
