//! The server of go-ipmi: cipher suites 3 and 17.

use bmc_core::testing::conformance;
use bmc_core::{BootDevice, BootMode, BootOverride, ErrorKind, Persistence, Provider};
use bmc_ipmi::Error;
use bmc_ipmi::command::{BootParameter, GetSystemBootOptions};
use bmc_ipmi::crypto::CipherSuite;
use peers::GoIpmi;

use crate::{builder, cause, failure, log_in, soon, walk_through};

#[tokio::test]
async fn switches_in_both_suites() {
    for suite in CipherSuite::AUTOMATIC {
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
async fn and_the_provider_keep_the_contract() {
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
async fn keeps_every_bit_of_the_boot_override() {
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

/// It answers 80h, as the tables of both commands say.
#[tokio::test]
async fn says_which_boot_options_it_does_not_have() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let client = builder(&peer, "admin", "secret").build().unwrap();
    let client = client.connect(soon()).await.unwrap();
    let service_partition = GetSystemBootOptions::new(BootParameter::new(0x02));
    let error = client
        .execute(&service_partition, soon())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert_eq!(
        error.to_string(),
        "Get System Boot Options: parameter not supported (80h)"
    );
    client.close().await;
}

#[tokio::test]
async fn prefers_the_strong_suite_and_refuses_a_wrong_password() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let client = log_in(&peer, "admin", "secret").await;
    assert_eq!(client.known().suite, Some(CipherSuite::SUITE_17));
    client.close().await;

    let error = failure(&builder(&peer, "admin", "Secret").build().unwrap()).await;
    assert!(matches!(cause(&error), Error::WrongPassword), "{error}");
}
