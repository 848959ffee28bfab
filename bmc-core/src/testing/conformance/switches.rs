//! The identify light, the console and the BMC's own reset.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::step::{PATIENCE, bounded, must_fail, open, readable, within};
use crate::capability::{BmcReset, ConsoleOptions, IdentifyAction};
use crate::error::{Effect, ErrorKind};
use crate::provider::Provider;

/// The identify light reads back as it was switched; what the protocol cannot do is refused as a whole.
pub async fn identify_converges(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(light) = session.identify() {
        let wanted = [
            IdentifyAction::On,
            IdentifyAction::For(Duration::from_secs(60)),
            IdentifyAction::Off,
        ];
        let mut accepted = 0;
        for wanted in wanted {
            match bounded("set_identify", light.set_identify(wanted)).await {
                Ok(()) => accepted += 1,
                Err(error) => {
                    let kind = error.kind();
                    assert!(
                        matches!(kind, ErrorKind::Unsupported | ErrorKind::InvalidInput)
                            && error.effect() == Effect::None,
                        "{wanted:?} failed with {error:?} instead of a refusal"
                    );
                    continue;
                }
            }
            if let Some(read) = readable("identify_light", light.identify_light()).await {
                assert_eq!(read, wanted.goal(), "set {wanted:?}");
            }
        }
        assert!(accepted > 0, "the light cannot be switched at all");
    }
    session.close().await;
}

/// One console at a time, unless it is taken away; given back, it can be opened again, and it outlives its session.
pub async fn console_is_exclusive(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(console) = session.console() {
        let gentle = ConsoleOptions::default();
        let steal = ConsoleOptions { steal: true };
        let first = within("open_console", console.open_console(steal)).await;
        let refused = must_fail("a second open_console", console.open_console(gentle)).await;
        assert_eq!(refused, ErrorKind::Busy, "a second console");
        let mut second = within("open_console", console.open_console(steal)).await;
        drop(first);
        session.close().await;
        within("send_break", second.send_break()).await;
        drop(second);

        let session = open(provider).await;
        let deadline = Instant::now() + PATIENCE;
        while let Some(console) = session.console() {
            match bounded("open_console", console.open_console(gentle)).await {
                Ok(_) => break,
                Err(error) => assert!(
                    error.kind() == ErrorKind::Busy && Instant::now() < deadline,
                    "a dropped console cannot be opened again: {error:?}"
                ),
            }
            sleep(Duration::from_millis(20)).await;
        }
        session.close().await;
    }
    session.close().await;
}

/// A restart of the BMC ends the session, and after a while one can log in again.
pub async fn bmc_reset_ends_the_session(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(bmc) = session.bmc_control() {
        within("reset_bmc", bmc.reset_bmc(BmcReset::Cold)).await;
        assert!(!session.is_alive(), "the session survived the BMC");
        let deadline = Instant::now() + PATIENCE;
        loop {
            match provider.open(deadline).await {
                Ok(session) => break session.close().await,
                Err(error) => assert!(
                    error.is_retryable() && Instant::now() < deadline,
                    "no login after the reset: {error:?}"
                ),
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
    session.close().await;
}
