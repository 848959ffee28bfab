//! What every [`Provider`] owes its users, as checks that anybody can run.
//!
//! Each check opens its own sessions and closes them. The host behind the provider is switched on and off, gets boot
//! overrides and a diagnostic interrupt; the BMC loses its events, gets and loses a user, and restarts: use a simulation,
//! or a machine without work.
//!
//! # Panics
//! A check panics, with the reason, when the provider breaks the contract.
#![allow(clippy::panic)]

mod boot;
mod lists;
mod media;
mod power;
mod step;
mod switches;
mod users;

use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::capability::{
    BootDevice, BootOverride, ConsoleOptions, IdentifyAction, MediaKind, PowerAction, UserSettings,
};
use crate::error::Effect;
use crate::provider::Provider;

pub use boot::boot_override_converges;
pub use lists::{event_log_pages, inventory_reads, sensors_read};
pub use media::media_converges;
use power::switch;
pub use power::{power_converges, power_state_reads};
use step::{PATIENCE, must_fail, open, within};
pub use switches::{bmc_reset_ends_the_session, console_is_exclusive, identify_converges};
pub use users::users_converge;

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
    event_log_pages(provider).await;
    sensors_read(provider).await;
    inventory_reads(provider).await;
    users_converge(provider).await;
    identify_converges(provider).await;
    console_is_exclusive(provider).await;
    declared_capabilities_work(provider).await;
    close_is_idempotent(provider).await;
    operations_after_close_fail(provider).await;
    bmc_reset_ends_the_session(provider).await;
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

/// What a session declares, it can do: no declared capability answers
/// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) to everything.
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
    if let Some(record) = session.restart_record() {
        within("last_restart", record.last_restart()).await;
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
    if let Some(record) = session.restart_record() {
        must_fail("last_restart", record.last_restart()).await;
    }
    if let Some(log) = session.event_log() {
        must_fail("event_log", log.event_log()).await;
        must_fail("events", log.events(None, 1)).await;
        must_fail("clear_events", log.clear_events()).await;
    }
    if let Some(sensors) = session.sensors() {
        must_fail("sensors", sensors.sensors()).await;
    }
    if let Some(inventory) = session.inventory() {
        must_fail("components", inventory.components()).await;
    }
    if let Some(users) = session.users() {
        must_fail("users", users.users()).await;
        let nobody = UserSettings {
            name: Some("nobody".into()),
            ..UserSettings::default()
        };
        must_fail("set_user", users.set_user(&nobody)).await;
    }
    if let Some(light) = session.identify() {
        must_fail("set_identify", light.set_identify(IdentifyAction::Off)).await;
    }
    if let Some(console) = session.console() {
        must_fail(
            "open_console",
            console.open_console(ConsoleOptions::default()),
        )
        .await;
    }
}
