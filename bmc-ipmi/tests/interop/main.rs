//! The client against BMCs that nobody here wrote: OpenIPMI's `ipmi_sim` and the server of go-ipmi.
//!
//! `.ci/peers/install openipmi goipmi` gets them. Without them a test says so and passes, unless `CI` is set.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

mod peers;

use std::error::Error as _;
use std::time::{Duration, Instant as StdInstant};

use bmc_core::testing::conformance;
use bmc_core::{
    BootDevice, BootMode, BootOverride, Credentials, ErrorKind, Persistence, PowerAction,
    PowerState, Provider,
};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::{Error, IpmiProvider, IpmiProviderBuilder, Transport};
use tokio::time::Instant;

use peers::{GoIpmi, IpmiSim, Peer};

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn builder(peer: &impl Peer, user: &str, password: &str) -> IpmiProviderBuilder {
    IpmiProvider::builder(peer.endpoint(), Credentials::new(user, password))
        .transport(&Transport::new())
}

/// On, off and cycle, each seen by reading back.
async fn walk_through(provider: &IpmiProvider) {
    let session = provider.open(soon()).await.unwrap();
    let power = session.power().unwrap();
    for (action, state) in [
        (PowerAction::On, PowerState::On),
        (PowerAction::On, PowerState::On),
        (PowerAction::Cycle, PowerState::On),
        (PowerAction::Off, PowerState::Off),
        (PowerAction::Off, PowerState::Off),
    ] {
        power.set_power(action).await.unwrap();
        let deadline = soon();
        while power.power_state().await.unwrap() != state {
            assert!(Instant::now() < deadline, "{action} never led to {state}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let identity = session.identity().unwrap().identity().await.unwrap();
    assert!(identity.firmware.is_some() && identity.manufacturer.is_some());
    session.close().await;
}

async fn failure(provider: &IpmiProvider) -> bmc_core::Error {
    provider.open(soon()).await.map(drop).unwrap_err()
}

fn cause(error: &bmc_core::Error) -> &Error {
    error.source().unwrap().downcast_ref().unwrap()
}

#[tokio::test]
async fn ipmi_sim_switches() {
    let Some(peer) = IpmiSim::start("switches") else {
        return;
    };
    let provider = builder(&peer, "ipmiusr", "test")
        .cipher_suite(CipherSuite::SUITE_3)
        .build()
        .unwrap();
    walk_through(&provider).await;
    let log = peer.log();
    let set: Vec<_> = log
        .lines()
        .filter_map(|line| line.split_once(" set power "))
        .collect();
    let states: String = set.iter().map(|(_, state)| state.trim()).collect();
    assert_eq!(states, "110100", "on, on, one cycle, off, off:\n{log}");
}

#[tokio::test]
async fn ipmi_sim_boots_from_the_network() {
    let Some(peer) = IpmiSim::start("boot") else {
        return;
    };
    let provider = builder(&peer, "oper", "operpass").build().unwrap();
    let session = provider.open(soon()).await.unwrap();
    let boot = session.boot().unwrap();
    boot.set_boot_override(BootOverride::once(BootDevice::Pxe))
        .await
        .unwrap();
    let reading = boot.boot_override().await.unwrap();
    assert_eq!(reading.settings.device, BootDevice::Pxe, "{reading:?}");
    assert!(peer.log().contains("boot pxe"), "{}", peer.log());
}

/// ipmi_sim knows no suite 17: it is asked for first and refused, and still no timer runs.
#[tokio::test]
async fn ipmi_sim_suite_is_found_without_a_wait() {
    let Some(peer) = IpmiSim::start("auto") else {
        return;
    };
    let provider = builder(&peer, "ipmiusr", "test").build().unwrap();
    let begun = StdInstant::now();
    let session = provider.open(soon()).await.unwrap();
    let elapsed = begun.elapsed();
    eprintln!("login with an unknown suite took {elapsed:?}");
    assert!(elapsed < Duration::from_millis(250), "{elapsed:?}");
    session.power().unwrap().power_state().await.unwrap();
}

#[tokio::test]
async fn ipmi_sim_refuses() {
    let Some(peer) = IpmiSim::start("refuses") else {
        return;
    };
    let error = failure(&builder(&peer, "ipmiusr", "tset").build().unwrap()).await;
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
    assert!(matches!(cause(&error), Error::WrongPassword), "{error}");

    let error = failure(&builder(&peer, "nobody", "test").build().unwrap()).await;
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");

    let suite_17 = builder(&peer, "ipmiusr", "test").cipher_suite(CipherSuite::SUITE_17);
    let error = failure(&suite_17.build().unwrap()).await;
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    let Error::NoCipherSuite { tried, offered } = cause(&error) else {
        panic!("{error}");
    };
    assert_eq!(tried, &[17]);
    assert!(offered.as_ref().unwrap().contains(&3), "{error}");
}

#[tokio::test]
async fn goipmi_switches_in_both_suites() {
    for suite in CipherSuite::ALL {
        let Some(peer) = GoIpmi::start("admin", "correct horse") else {
            return;
        };
        let provider = builder(&peer, "admin", "correct horse")
            .cipher_suite(suite)
            .build()
            .unwrap();
        walk_through(&provider).await;
    }
}

#[tokio::test]
async fn goipmi_and_the_provider_keep_the_contract() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let provider = builder(&peer, "admin", "secret").build().unwrap();
    conformance::open_respects_its_deadline(&provider).await;
    conformance::power_state_reads(&provider).await;
    conformance::power_converges(&provider).await;
    conformance::boot_override_converges(&provider).await;
    conformance::close_is_idempotent(&provider).await;
    conformance::operations_after_close_fail(&provider).await;

    // This server has no diagnostic interrupt.
    let session = provider.open(soon()).await.unwrap();
    let error = session.nmi().unwrap().send_nmi().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[tokio::test]
async fn goipmi_keeps_every_bit_of_the_boot_override() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let provider = builder(&peer, "admin", "secret").build().unwrap();
    let session = provider.open(soon()).await.unwrap();
    let boot = session.boot().unwrap();
    for (persistence, mode, raw) in [
        (Persistence::Persistent, BootMode::Efi, "e0"),
        (Persistence::Once, BootMode::Efi, "a0"),
        (Persistence::Persistent, BootMode::Legacy, "c0"),
        (Persistence::Once, BootMode::Legacy, "80"),
    ] {
        let wanted = BootOverride {
            device: BootDevice::Pxe,
            persistence,
            mode,
        };
        boot.set_boot_override(wanted).await.unwrap();
        let reading = boot.boot_override().await.unwrap();
        assert_eq!(reading.settings, wanted);
        assert!(reading.valid && reading.raw.starts_with(raw), "{reading:?}");
    }
    boot.set_boot_override(BootOverride::once(BootDevice::None))
        .await
        .unwrap();
    let reading = boot.boot_override().await.unwrap();
    assert_eq!(reading.settings.device, BootDevice::None);
}

#[tokio::test]
async fn goipmi_prefers_the_strong_suite_and_refuses_a_wrong_password() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let login = bmc_ipmi::Login::new(&Credentials::new("admin", "secret")).unwrap();
    let client = bmc_ipmi::Client::connect(
        &Transport::new(),
        &peer.endpoint(),
        login.into(),
        bmc_ipmi::proto::Known::default(),
        soon(),
    )
    .await
    .unwrap();
    assert_eq!(client.known().suite, Some(CipherSuite::SUITE_17));
    client.close().await;

    let error = failure(&builder(&peer, "admin", "Secret").build().unwrap()).await;
    assert!(matches!(cause(&error), Error::WrongPassword), "{error}");
}
