//! The Home Assistant provider against a page in Python.

use std::time::Duration;

use bmc_core::testing::conformance;
use bmc_core::{ErrorKind, PowerAction, PowerState, Provider};
use bmc_rpc::home_assistant::HomeAssistantProvider;
use tokio::time::Instant;

use crate::peers::{Peer, file};

const ENTITY: &str = "switch.rack_socket";

#[tokio::test]
async fn a_page_in_python_is_switched() {
    let Some(peer) = Peer::python(file(".ci/peers/rpc/home_assistant.py"), &[ENTITY, "token"])
    else {
        return;
    };
    let url = format!("http://127.0.0.1:{}/", peer.port);
    let provider = |token: &str| {
        HomeAssistantProvider::builder(&url, ENTITY)
            .token(token)
            .build()
            .unwrap()
    };
    let soon = || Instant::now() + Duration::from_secs(20);
    let session = provider("token").open(soon()).await.unwrap();
    let power = session.power().unwrap();
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
    power.set_power(PowerAction::On).await.unwrap();
    assert_eq!(power.power_state().await.unwrap(), PowerState::On);
    let get = format!("GET /api/states/{ENTITY} 200");
    for expected in [&get, &get, "POST /api/services/switch/turn_on 200", &get] {
        assert_eq!(peer.line(), *expected);
    }
    let refused = provider("other").open(soon()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Authentication);
    conformance::all(&provider("token")).await;
}
