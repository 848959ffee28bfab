//! Power.

use std::time::Duration;
use tokio::time::{Instant, sleep};

use super::step::{PATIENCE, open, within};
use crate::capability::{PowerAction, PowerControl, PowerState};
use crate::provider::Provider;

/// The power state can be read, again and again on one session.
pub async fn power_state_reads(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(power) = session.power() {
        for _ in 0..3 {
            let state = within("power_state", power.power_state()).await;
            assert_ne!(state, PowerState::Unknown, "the power state is not known");
        }
    }
    session.close().await;
}

/// `On` and `Off` lead to their states, perhaps after a while, and succeed when the host is there already.
pub async fn power_converges(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(power) = session.power() {
        for action in [
            PowerAction::On,
            PowerAction::On,
            PowerAction::Off,
            PowerAction::Off,
            PowerAction::On,
        ] {
            switch(power, action).await;
        }
    }
    session.close().await;
}

/// Sends `action` and waits for its goal.
pub(super) async fn switch(power: &dyn PowerControl, action: PowerAction) {
    within("set_power", power.set_power(action)).await;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let state = within("power_state", power.power_state()).await;
        if Some(state) == action.goal() {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "still {state} {PATIENCE:?} after power {action}"
        );
        sleep(Duration::from_millis(20)).await;
    }
}
