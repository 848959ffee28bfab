//! The Home Assistant provider against a page in Python.

use std::process::Command;
use std::time::Duration;

use bmc_core::testing::conformance;
use bmc_core::{ErrorKind, PowerAction, PowerState, Provider};
use bmc_rpc::home_assistant::HomeAssistantProvider;
use peers::{Process, file};
use tokio::time::Instant;

const ENTITY: &str = "switch.rack_socket";

#[tokio::test]
async fn a_page_in_python_is_switched() {
    let Some(python) = peers::program("python3") else {
        return;
    };
    let page = file(".ci/peers/rpc/home_assistant.py");
    let peer = Process::start(Command::new(python).arg(page).args([ENTITY, "token"]));
    let url = format!("http://127.0.0.1:{}/", peer.first());
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
