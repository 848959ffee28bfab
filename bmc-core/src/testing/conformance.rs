//! What every [`Provider`] owes its users, as checks that anybody can run.
//!
//! Each check opens its own sessions and closes them. The host behind the provider is switched on and off, gets boot
//! overrides and a diagnostic interrupt: use a simulation, or a machine without work.
//!
//! # Panics
//! A check panics, with the reason, when the provider breaks the contract.
#![allow(clippy::panic)]

use std::fmt::Debug;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use crate::capability::{
    BootDevice, BootMode, BootOverride, MediaKind, MediaSource, Persistence, PowerAction,
    PowerControl, PowerState,
};
use crate::error::{Effect, Error, ErrorKind};
use crate::provider::{Provider, Session};

/// Longest wait for one step, and for the host to switch.
const PATIENCE: Duration = Duration::from_secs(30);

/// How much later than its deadline a provider may return.
const GRACE: Duration = Duration::from_secs(1);

/// All checks, one after the other.
pub async fn all(provider: &dyn Provider) {
    name_is_stable(provider).await;
    open_respects_its_deadline(provider).await;
    power_state_reads(provider).await;
    power_converges(provider).await;
    boot_override_converges(provider).await;
    media_converges(provider).await;
    declared_capabilities_work(provider).await;
    close_is_idempotent(provider).await;
    operations_after_close_fail(provider).await;
}

/// The name is a short lower-case word and stays the same when the provider is used.
pub async fn name_is_stable(provider: &dyn Provider) {
    let name = provider.name();
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    assert!(
        !name.is_empty() && name.len() <= 32 && name.bytes().all(word),
        "name {name:?} is not 1 to 32 of a-z, 0-9 and -"
    );
    open(provider).await.close().await;
    assert_eq!(provider.name(), name, "the name changed");
}

/// A login ends by its deadline, well or badly, also when that is close or past.
pub async fn open_respects_its_deadline(provider: &dyn Provider) {
    for allowed in [Duration::ZERO, Duration::from_millis(1)] {
        let opening = provider.open(Instant::now() + allowed);
        match timeout(allowed + GRACE, opening).await {
            Err(_) => panic!("open took more than {GRACE:?} longer than the {allowed:?} it had"),
            Ok(Ok(session)) => session.close().await,
            Ok(Err(error)) => assert_eq!(
                error.effect(),
                Effect::None,
                "a login has no effect on the host: {error}"
            ),
        }
    }
}

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

/// A boot override reads back as it was set, or is refused as a whole; clearing it leaves none. A provider that cannot
/// read it back says so each time.
///
/// Booting from the network must work in at least one combination of persistence and mode.
pub async fn boot_override_converges(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(boot) = session.boot() {
        let mut accepted = 0;
        for persistence in [Persistence::Once, Persistence::Persistent] {
            for mode in [BootMode::Legacy, BootMode::Efi] {
                let wanted = BootOverride {
                    device: BootDevice::Pxe,
                    persistence,
                    mode,
                };
                match bounded("set_boot_override", boot.set_boot_override(wanted)).await {
                    Ok(()) => {
                        if let Some(read) = readable("boot_override", boot.boot_override()).await {
                            assert!(
                                read.valid && read.settings == wanted,
                                "set {wanted}, read {read:?}"
                            );
                        }
                        accepted += 1;
                    }
                    Err(error) => assert!(
                        is_plain_refusal(&error),
                        "{wanted} failed with {error:?} instead of a refusal"
                    ),
                }
            }
        }
        assert!(
            accepted > 0,
            "no combination for booting from the network was accepted"
        );
        let clear = BootOverride::once(BootDevice::None);
        within("set_boot_override", boot.set_boot_override(clear)).await;
        if let Some(read) = readable("boot_override", boot.boot_override()).await {
            assert!(
                !read.valid || read.settings.device == BootDevice::None,
                "cleared, but still there: {read:?}"
            );
        }
    }
    session.close().await;
}

/// A virtual medium reads back as it was inserted, takes the place of another, and is gone once ejected, also twice.
pub async fn media_converges(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(media) = session.media() {
        let kind = MediaKind::Cd;
        for url in ["http://192.0.2.1/a.iso", "http://192.0.2.1/b.iso"] {
            let source: MediaSource = match url.parse() {
                Ok(source) => source,
                Err(error) => panic!("{url}: {error}"),
            };
            within("insert_media", media.insert_media(kind, &source)).await;
            if let Some(read) = readable("media", media.media(kind)).await {
                assert_eq!(read, Some(source), "inserted, but reads otherwise");
            }
        }
        for _ in 0..2 {
            within("eject_media", media.eject_media(kind)).await;
            if let Some(read) = readable("media", media.media(kind)).await {
                assert_eq!(read, None, "ejected, but still there");
            }
        }
    }
    session.close().await;
}

/// What a session declares, it can do: no declared capability answers [`ErrorKind::Unsupported`] to everything.
pub async fn declared_capabilities_work(provider: &dyn Provider) {
    let session = open(provider).await;
    assert!(session.is_alive(), "a new session is not alive");
    if let Some(power) = session.power() {
        within("power_state", power.power_state()).await;
    }
    if let Some(boot) = session.boot() {
        let clear = BootOverride::once(BootDevice::None);
        within("set_boot_override", boot.set_boot_override(clear)).await;
    }
    if let Some(media) = session.media() {
        within("eject_media", media.eject_media(MediaKind::Cd)).await;
    }
    if let Some(identity) = session.identity() {
        within("identity", identity.identity()).await;
    }
    if let Some(nmi) = session.nmi() {
        if let Some(power) = session.power() {
            switch(power, PowerAction::On).await;
        }
        within("send_nmi", nmi.send_nmi()).await;
    }
    session.close().await;
}

/// Closing twice is like closing once, and a session can be opened again.
pub async fn close_is_idempotent(provider: &dyn Provider) {
    for _ in 0..3 {
        let session = open(provider).await;
        for _ in 0..2 {
            let closed = timeout(PATIENCE, session.close()).await;
            assert!(closed.is_ok(), "close did not return");
        }
    }
}

/// On a closed session everything fails, soon and without effect, and the session is not alive.
pub async fn operations_after_close_fail(provider: &dyn Provider) {
    let session = open(provider).await;
    session.close().await;
    assert!(
        !session.is_alive(),
        "a closed session says that it is alive"
    );
    if let Some(power) = session.power() {
        must_fail("power_state", power.power_state()).await;
        must_fail("set_power", power.set_power(PowerAction::On)).await;
    }
    if let Some(boot) = session.boot() {
        let clear = BootOverride::once(BootDevice::None);
        must_fail("boot_override", boot.boot_override()).await;
        must_fail("set_boot_override", boot.set_boot_override(clear)).await;
    }
    if let Some(media) = session.media() {
        must_fail("eject_media", media.eject_media(MediaKind::Cd)).await;
    }
    if let Some(nmi) = session.nmi() {
        must_fail("send_nmi", nmi.send_nmi()).await;
    }
    if let Some(identity) = session.identity() {
        must_fail("identity", identity.identity()).await;
    }
}

async fn open(provider: &dyn Provider) -> Arc<dyn Session> {
    within("open", provider.open(Instant::now() + PATIENCE)).await
}

/// Sends `action` and waits for its goal.
async fn switch(power: &dyn PowerControl, action: PowerAction) {
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

async fn bounded<T>(what: &str, step: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match timeout(PATIENCE, step).await {
        Ok(result) => result,
        Err(_) => panic!("{what} did not return within {PATIENCE:?}"),
    }
}

async fn within<T>(what: &str, step: impl Future<Output = Result<T, Error>>) -> T {
    match bounded(what, step).await {
        Ok(value) => value,
        Err(error) => panic!("{what} failed: {error:?}"),
    }
}

/// What was read; `None` where the protocol has no such question.
async fn readable<T>(what: &str, step: impl Future<Output = Result<T, Error>>) -> Option<T> {
    match bounded(what, step).await {
        Ok(value) => Some(value),
        Err(error) if error.kind() == ErrorKind::Unsupported && error.effect() == Effect::None => {
            None
        }
        Err(error) => panic!("{what} failed: {error:?}"),
    }
}

async fn must_fail<T: Debug>(what: &str, step: impl Future<Output = Result<T, Error>>) {
    match bounded(what, step).await {
        Ok(value) => panic!("{what} on a closed session succeeded: {value:?}"),
        Err(error) => assert_eq!(
            error.effect(),
            Effect::None,
            "{what} on a closed session claims an effect: {error:?}"
        ),
    }
}

fn is_plain_refusal(error: &Error) -> bool {
    error.effect() == Effect::None
        && matches!(
            error.kind(),
            ErrorKind::Unsupported | ErrorKind::InvalidInput | ErrorKind::Rejected
        )
}
