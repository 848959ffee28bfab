//! What the BMC is.

use bmc_core::Credentials;
use bmc_ipmi::Error;
use bmc_ipmi::command::*;
use bmc_ipmi::device::SystemTexts;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::PayloadType;

use crate::setup::{connect, connect_as, deadline};

#[tokio::test]
async fn a_device_tells_its_version() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let device = client.execute(&GetDeviceId, deadline()).await.unwrap();
    assert_eq!(device.ipmi(), (2, 0));
    client.close().await;
}

#[tokio::test]
async fn a_device_tells_how_it_is() {
    let bmc = Sim::builder()
        .guid(*b"bmc-ipmi-sim-bmc")
        .spawn()
        .await
        .unwrap();
    let client = connect(&bmc).await;
    assert!(
        client
            .execute(&GetSelfTestResults, deadline())
            .await
            .unwrap()
            .is_passed()
    );
    bmc.set_self_test(SelfTestResults {
        result: SelfTestResult::CORRUPTED,
        detail: 0x80,
    });
    let results = client
        .execute(&GetSelfTestResults, deadline())
        .await
        .unwrap();
    assert_eq!(
        results.faults().collect::<Vec<_>>(),
        ["SEL device inaccessible"]
    );
    let guids = [
        client.execute(&GetSystemGuid, deadline()).await.unwrap(),
        client.execute(&GetDeviceGuid, deadline()).await.unwrap(),
    ];
    assert_eq!(guids, [Guid(*b"bmc-ipmi-sim-bmc"); 2]);
    let set = SetAcpiPowerState {
        system: Some(AcpiSystemState::S3),
        device: None,
    };
    client.execute(&set, deadline()).await.unwrap();
    let state = client
        .execute(&GetAcpiPowerState, deadline())
        .await
        .unwrap();
    assert_eq!(
        (state.system, state.device),
        (AcpiSystemState::S3, AcpiDeviceState::UNKNOWN)
    );
}

#[tokio::test]
async fn a_system_has_texts() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let texts = SystemTexts::new(&connect(&bmc).await);
    let (name, os) = (SystemInfoParameter::SYSTEM_NAME, SystemInfoParameter::OS);
    assert_eq!(texts.read(name, deadline()).await.unwrap(), "");
    for text in [
        "short",
        "exactly 14 b.s",
        "a name that needs three blocks: höher",
        &"x".repeat(255),
    ] {
        texts.write(name, text, deadline()).await.unwrap();
        assert_eq!(texts.read(name, deadline()).await.unwrap(), text);
        assert_eq!(texts.read(os, deadline()).await.unwrap(), "");
    }
    let error = texts
        .write(name, &"x".repeat(256), deadline())
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "text is 256 bytes long: 255 are allowed");
}

#[tokio::test]
async fn a_session_tells_about_itself_and_others() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let (client, _other) = (connect(&bmc).await, connect(&bmc).await);
    let own = client
        .execute(&GetSessionInfo::Own, deadline())
        .await
        .unwrap();
    assert_eq!(own.active, 2);
    let session = own.session.unwrap();
    assert_eq!(
        (session.user.value(), session.channel, session.protocol),
        (2, 1, 1)
    );
    let console = session.console.unwrap();
    assert!(console.ip.is_loopback() && console.port != 0);
    let again = client
        .execute(&GetSessionInfo::Handle(own.handle), deadline())
        .await
        .unwrap();
    assert_eq!(again.handle, own.handle);
    let none = client
        .execute(&GetSessionInfo::Nth(9), deadline())
        .await
        .unwrap();
    assert_eq!((none.handle, none.session), (0, None));
}

#[tokio::test]
async fn a_bmc_key_is_set_and_locked() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let set = |kg: &str| SetChannelSecurityKeys::set_kg(1, kg.into());
    assert!(set("twenty-one characters").is_none());
    let state = client
        .execute(&set("key").unwrap(), deadline())
        .await
        .unwrap();
    assert_eq!(state.lock, KeyLock::UNLOCKED);
    let without = connect_as(&bmc, Credentials::new("admin", "password"), None).await;
    assert!(matches!(without.unwrap_err(), Error::WrongKg));
    let lock = SetChannelSecurityKeys {
        operation: KeyOperation::Lock,
        ..set("").unwrap()
    };
    assert_eq!(
        client.execute(&lock, deadline()).await.unwrap().lock,
        KeyLock::LOCKED
    );
    let error = client
        .execute(&set("other").unwrap(), deadline())
        .await
        .unwrap_err();
    assert_eq!(error.completion(), Some(SetChannelSecurityKeys::LOCKED));
}

#[tokio::test]
async fn a_channel_tells_its_payloads() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let support = client
        .execute(&GetChannelPayloadSupport(1), deadline())
        .await
        .unwrap();
    assert!(support.contains(PayloadType::SOL) && !support.contains(PayloadType::OEM_EXPLICIT));
    let version = |payload_type| GetChannelPayloadVersion {
        channel: 1,
        payload_type,
    };
    let sol = client
        .execute(&version(PayloadType::SOL), deadline())
        .await
        .unwrap();
    assert_eq!((sol.major, sol.minor), (1, 0));
    let error = client
        .execute(&version(PayloadType::OEM_EXPLICIT), deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.completion(),
        Some(GetChannelPayloadVersion::UNAVAILABLE)
    );
}
