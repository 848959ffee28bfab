//! Python's BMCs: pyghmi's fake one and VirtualBMC, cipher suite 3 whatever is asked for.

use bmc_core::{BootDevice, BootOverride, ErrorKind, Provider};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::{Error, IpmiProvider};
use peers::Pyghmi;

use crate::{builder, cause, failure, soon, switch, walk_through};

#[tokio::test]
async fn fake_bmc_switches() {
    let Some(peer) = Pyghmi::start("fake", "admin", "secret") else {
        return;
    };
    let provider = suite_3(&peer);
    walk_through(&provider).await;
    boots_from_the_network(&provider).await;
}

/// It knows no power cycle.
#[tokio::test]
async fn virtualbmc_switches() {
    let Some(peer) = Pyghmi::start("virtualbmc", "admin", "secret") else {
        return;
    };
    let provider = suite_3(&peer);
    switch(&provider, &[]).await;
    boots_from_the_network(&provider).await;
}

/// It takes the port of a closed session for the session itself until it is greeted.
#[tokio::test]
async fn a_session_follows_another_from_the_same_port() {
    let Some(peer) = Pyghmi::start("fake", "admin", "secret") else {
        return;
    };
    let provider = builder(&peer, "admin", "secret").build().unwrap();
    for _ in 0..3 {
        let session = provider.open(soon()).await.unwrap();
        session.power().unwrap().power_state().await.unwrap();
        session.close().await;
    }
}

/// Asked for SHA-256 it answers SHA-1: that is not what was asked for, so no proof of the password leaves us.
#[tokio::test]
async fn a_weaker_answer_is_refused() {
    let Some(peer) = Pyghmi::start("fake", "admin", "secret") else {
        return;
    };
    let insistent = builder(&peer, "admin", "secret").cipher_suite(CipherSuite::SUITE_17);
    let error = failure(&insistent.build().unwrap()).await;
    assert!(matches!(cause(&error), Error::Downgrade { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
}

/// Its list of suites names 3, so no insistence on 17 is needed, nor a timer.
#[tokio::test]
async fn the_suite_is_found() {
    let Some(peer) = Pyghmi::start("fake", "admin", "secret") else {
        return;
    };
    let provider = builder(&peer, "admin", "secret").build().unwrap();
    walk_through(&provider).await;
}

fn suite_3(peer: &Pyghmi) -> IpmiProvider {
    builder(peer, "admin", "secret")
        .cipher_suite(CipherSuite::SUITE_3)
        .build()
        .unwrap()
}

async fn boots_from_the_network(provider: &IpmiProvider) {
    let session = provider.open(soon()).await.unwrap();
    let boot = session.boot().unwrap();
    boot.set_boot_override(BootOverride::once(BootDevice::Pxe))
        .await
        .unwrap();
    let reading = boot.boot_override().await.unwrap();
    assert_eq!(reading.settings.device, BootDevice::Pxe, "{reading:?}");
    session.close().await;
}
