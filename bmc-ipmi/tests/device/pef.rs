//! Platform event filters.

use bmc_core::ErrorKind;
use bmc_ipmi::command::{
    Command, EventReceiver, GetEventReceiver, GetLastProcessedEventId, GetPefConfiguration,
    PefCapabilities, PefParameter, PefSetting, PetAcknowledge, PlatformEvent,
};
use bmc_ipmi::device::{Pef, Sel};
use bmc_ipmi::record::sel::Generator;
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::{CompletionCode, EventType, SensorType, Timestamp};

use crate::alerts::{FILTER, POLICY};
use crate::setup::{connect, deadline};

async fn configured() -> SimHandle {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.pef(|pef| {
        pef.capabilities = PefCapabilities {
            version: 0x51,
            actions: 0x0f,
            filters: 3,
        };
        pef.processed = (7, 9);
        pef.set(PefSetting::Control(0x01));
        pef.set(PefSetting::Actions(0x05));
        pef.set(PefSetting::Policies(1));
        pef.set(PefSetting::Policy {
            set: 1,
            policy: POLICY,
        });
        pef.set(PefSetting::Filter {
            set: 2,
            filter: FILTER,
        });
    });
    bmc
}

#[tokio::test]
async fn filters_and_policies_are_read() {
    let bmc = configured().await;
    let pef = Pef::new(&connect(&bmc).await);
    let state = pef.read(deadline()).await.unwrap();
    assert_eq!(state.capabilities.actions, 0x0f);
    assert_eq!((state.control, state.actions), (0x01, 0x05));
    assert_eq!(
        state.filters,
        [(2, FILTER)],
        "the BMC does not show the others"
    );
    assert!(FILTER.is_enabled() && POLICY.is_enabled());
    assert_eq!(state.policies, [(1, POLICY)]);
    let processed = state.processed.unwrap();
    assert_eq!(
        (
            processed.last_record,
            processed.by_software,
            processed.by_bmc
        ),
        (0xffff, 7, 9)
    );
    let none = pef.parameter(PefParameter::SYSTEM_GUID, 0, deadline());
    assert_eq!(none.await.unwrap(), None);
}

#[tokio::test]
async fn what_a_bmc_does_not_tell_is_no_error_but_nonsense_is() {
    let bmc = configured().await;
    let pef = Pef::new(&connect(&bmc).await);
    let last = (GetLastProcessedEventId::NETFN, GetLastProcessedEventId::CMD);
    let denied = CompletionCode::INSUFFICIENT_PRIVILEGE;
    bmc.faults(|faults| faults.completion_codes.insert(last, denied));
    assert_eq!(pef.read(deadline()).await.unwrap().processed, None);

    let get = (GetPefConfiguration::NETFN, GetPefConfiguration::CMD);
    bmc.faults(|faults| faults.answers.insert(get, vec![0x11]));
    let error = pef.read(deadline()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert_eq!(
        error.to_string(),
        "PEF parameter: PEF control needs 1 bytes, 0 are left"
    );
}

#[tokio::test]
async fn events_are_told_once_and_logged() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let event = PlatformEvent {
        generator: None,
        revision: 4,
        sensor_type: SensorType::TEMPERATURE,
        sensor_number: 0x30,
        deassertion: true,
        event_type: EventType::THRESHOLD,
        data: [0x59, 1, 2],
    };
    client.execute(&event, deadline()).await.unwrap();
    let log = Sel::new(&client).read(deadline()).await.unwrap();
    let logged = log[0].event().unwrap();
    assert_eq!(logged.generator, Generator::software(0x40));
    assert!(logged.event.deassertion);
    assert_eq!(logged.event.sensor_type, SensorType::TEMPERATURE);
    assert_eq!(logged.event.event_type, EventType::THRESHOLD);
    let sent = bmc.log();
    let sent = sent.iter().find(|done| done.command == PlatformEvent::CMD);
    assert_eq!(sent.unwrap().data, [4, 0x01, 0x30, 0x81, 0x59, 1, 2]);
    assert_eq!(logged.event.data, event.data);
    const { assert!(!PlatformEvent::IDEMPOTENT) };

    let receiver = client.execute(&GetEventReceiver, deadline()).await.unwrap();
    assert_ne!(receiver.address, EventReceiver::NONE);
    let acknowledge = PetAcknowledge {
        sequence: 1,
        timestamp: Timestamp(0),
        event_source: 0x20,
        sensor_device: 0x20,
        sensor_number: 0x30,
        data: event.data,
    };
    client.execute(&acknowledge, deadline()).await.unwrap();
}
