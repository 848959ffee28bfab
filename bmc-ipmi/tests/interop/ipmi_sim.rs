//! OpenIPMI's `ipmi_sim`: cipher suite 3.

use std::time::{Duration, Instant};

use bmc_core::{BootDevice, BootOverride, ErrorKind, Provider};
use bmc_ipmi::Error;
use bmc_ipmi::crypto::CipherSuite;
use peers::IpmiSim;

use crate::{builder, cause, failure, soon, walk_through};

#[tokio::test]
async fn switches() {
    let Some(peer) = IpmiSim::start() else {
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
async fn boots_from_the_network() {
    let Some(peer) = IpmiSim::start() else {
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

/// ipmi_sim knows no suite 17: it is asked for first and refused, and still nothing waits for a fixed time.
#[tokio::test]
async fn suite_is_found_without_a_wait() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let provider = builder(&peer, "ipmiusr", "test").build().unwrap();
    let begun = Instant::now();
    let session = provider.open(soon()).await.unwrap();
    let elapsed = begun.elapsed();
    eprintln!("login with an unknown suite took {elapsed:?}");
    assert!(elapsed < Duration::from_secs(1), "{elapsed:?}");
    session.power().unwrap().power_state().await.unwrap();
}

#[tokio::test]
async fn refuses() {
    let Some(peer) = IpmiSim::start() else {
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
