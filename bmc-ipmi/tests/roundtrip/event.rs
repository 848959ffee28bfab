//! Event and PEF commands.

use super::*;

wire_type! {
    get_event_receiver: GetEventReceiver = Just(GetEventReceiver);
    event_receiver: EventReceiver = receivers();
    set_event_receiver: SetEventReceiver = receivers().prop_map(SetEventReceiver);
    platform_event: PlatformEvent = any::<(Option<u8>, [u8; 4], [u8; 3])>().prop_map(|(generator, b, data)| {
        PlatformEvent {
            generator, revision: b[0], sensor_type: SensorType(b[1]), sensor_number: b[2],
            deassertion: b[3] & 0x80 != 0, event_type: EventType::new(b[3]), data,
        }
    });
    get_pef_capabilities: GetPefCapabilities = Just(GetPefCapabilities);
    pef_capabilities: PefCapabilities = any::<[u8; 3]>()
        .prop_map(|b| PefCapabilities { version: b[0], actions: b[1], filters: b[2] });
    get_pef_configuration: GetPefConfiguration = any::<(bool, u8, u8, u8)>().prop_map(
        |(revision_only, parameter, set, block)| GetPefConfiguration {
            revision_only, parameter: PefParameter::new(parameter), set, block,
        });
    event_filter: EventFilter = any::<[u8; 20]>().prop_map(|bytes| EventFilter::from_bytes(&bytes).unwrap());
    alert_policy: AlertPolicy = any::<[u8; 3]>()
        .prop_map(|b| AlertPolicy { policy: b[0], destination: b[1], string: b[2] });
    get_last_processed_event_id: GetLastProcessedEventId = Just(GetLastProcessedEventId);
    last_processed_event: LastProcessedEvent = any::<(u32, [u16; 3])>().prop_map(|(added, w)| LastProcessedEvent {
        last_addition: Timestamp(added), last_record: w[0], by_software: w[1], by_bmc: w[2],
    });
    pet_acknowledge: PetAcknowledge = any::<(u16, u32, [u8; 3], [u8; 3])>().prop_map(
        |(sequence, timestamp, b, data)| PetAcknowledge {
            sequence, timestamp: Timestamp(timestamp), event_source: b[0], sensor_device: b[1], sensor_number: b[2],
            data,
        });
}

proptest! {
    #[test]
    fn pef_settings(parameter in 0u8..16, data in vec(any::<u8>(), 0..32)) {
        if let Ok(setting) = PefSetting::decode(PefParameter::new(parameter), &data) {
            let mut again = Vec::new();
            setting.encode(&mut again);
            prop_assert_eq!(PefSetting::decode(PefParameter::new(parameter), &again), Ok(setting));
        }
    }
}

fn receivers() -> impl Strategy<Value = EventReceiver> {
    (any::<u8>(), 0u8..4).prop_map(|(address, lun)| EventReceiver { address, lun })
}
