//! Golden bytes of commands with numbers of several bytes or with fields of bits, written out by hand from the tables of
//! IPMI v2.0 (§22 to §35) and DCMI v1.5 (§6): what reads and writes alike could still be read and written wrongly.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fmt::Debug;
use std::net::Ipv4Addr;

use bmc_ipmi::codec::{Reader, Wire};
use bmc_ipmi::command::{
    ActivatePayload, ActivatedPayload, ActiveSession, BadPasswordThreshold, BootInitiatorInfo,
    BootOption, ChannelInfo, ChannelMedium, ChannelProtocol, Command, ConsoleAddress,
    DcmiTemperature, DcmiTemperatures, ExpirationFlags, GetChannelInfo, GetDcmiTemperatures,
    GetLastProcessedEventId, GetPayloadActivationStatus, GetPayloadInstanceInfo, GetPohCounter,
    GetPowerLimit, GetPowerReading, GetSdr, GetSdrRepositoryInfo, GetSelEntry, GetSensorReading,
    GetSessionInfo, GetUserAccess, GetWatchdogTimer, LanParameter, LanSetting, LastProcessedEvent,
    MacAddress, PayloadActivationStatus, PayloadInstanceInfo, PetAcknowledge, PohCounter,
    PowerLimit, PowerLimitAction, PowerLimitStatus, PowerReading, PretimeoutInterrupt, ReadFruData,
    SdrPart, SdrRange, SdrRepositoryInfo, SelEntryPart, SelReservation, SendMessage, SensorReading,
    SessionInfo, SessionSupport, SetPowerLimit, SetUserAccess, SetWatchdogTimer, SolActivation,
    TimeoutAction, TimerUse, UserAccess, UserFlags, UserId, UserStatus, VlanId, WatchdogTimer,
};
use bmc_ipmi::wire::{EntityId, PayloadType, Privilege, Timestamp};

/// These bytes are the message, and the message is these bytes.
fn golden<T: Wire + Debug + PartialEq>(message: &T, bytes: &[u8]) {
    assert_eq!(message.to_bytes(), bytes, "{message:?}");
    assert_eq!(T::from_bytes(bytes).as_ref(), Ok(message));
}

/// Network function and number of a command.
fn numbered<C: Command>(netfn: u8, command: u8) {
    assert_eq!((C::NETFN.value(), C::CMD), (netfn, command));
}

#[test]
fn watchdog() {
    numbered::<SetWatchdogTimer>(0x06, 0x24);
    numbered::<GetWatchdogTimer>(0x06, 0x25);
    let set = SetWatchdogTimer {
        timer_use: TimerUse::SMS_OS,
        keep_running: true,
        without_log: false,
        action: TimeoutAction::POWER_CYCLE,
        interrupt: PretimeoutInterrupt::NMI,
        pretimeout: 10,
        clear: ExpirationFlags::of(TimerUse::SMS_OS),
        countdown: 0x1234,
    };
    golden(&set, &[0x44, 0x23, 10, 0x10, 0x34, 0x12]);
    let timer = WatchdogTimer {
        timer_use: TimerUse::BIOS_POST,
        is_running: false,
        without_log: true,
        action: TimeoutAction::HARD_RESET,
        interrupt: PretimeoutInterrupt::SMI,
        pretimeout: 5,
        expired: ExpirationFlags::of(TimerUse::BIOS_FRB2),
        countdown: 0x1234,
        left: Some(0x0102),
    };
    golden(&timer, &[0x82, 0x11, 5, 0x02, 0x34, 0x12, 0x02, 0x01]);
}

#[test]
fn repositories() {
    numbered::<GetSdr>(0x0a, 0x23);
    let range = SdrRange {
        reservation: 0x1234,
        record: 0x5678,
        offset: 5,
        count: 16,
    };
    golden(&GetSdr(range), &[0x34, 0x12, 0x78, 0x56, 5, 16]);
    let part = SdrPart {
        next: 0x5679,
        data: vec![1, 2],
    };
    golden(&part, &[0x79, 0x56, 1, 2]);
    numbered::<GetSdrRepositoryInfo>(0x0a, 0x20);
    let info = SdrRepositoryInfo {
        version: 0x51,
        records: 0x0102,
        free: 0x0304,
        last_addition: Timestamp(0x1122_3344),
        last_erase: Timestamp(0x5566_7788),
        operations: 0x2f,
    };
    golden(
        &info,
        &[
            0x51, 0x02, 0x01, 0x04, 0x03, 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55, 0x2f,
        ],
    );
    numbered::<GetSelEntry>(0x0a, 0x43);
    let entry = GetSelEntry {
        reservation: SelReservation(0x1234),
        record_id: 0x5678,
        offset: 8,
        count: 4,
    };
    golden(&entry, &[0x34, 0x12, 0x78, 0x56, 8, 4]);
    let part = SelEntryPart {
        next: 0x5679,
        data: vec![9; 4],
    };
    golden(&part, &[0x79, 0x56, 9, 9, 9, 9]);
    numbered::<ReadFruData>(0x0a, 0x11);
    let read = ReadFruData {
        device: 3,
        offset: 0x0120,
        count: 32,
    };
    golden(&read, &[3, 0x20, 0x01, 32]);
}

#[test]
fn chassis() {
    numbered::<GetPohCounter>(0x00, 0x0f);
    let hours = PohCounter {
        minutes_per_count: 60,
        count: 0x0102_0304,
    };
    golden(&hours, &[60, 4, 3, 2, 1]);
    let initiator = BootInitiatorInfo {
        channel: 1,
        session_id: 0x0102_0304,
        timestamp: 0x0506_0708,
    };
    golden(&initiator, &[1, 4, 3, 2, 1, 8, 7, 6, 5]);
    golden(
        &bmc_ipmi::command::SetSystemBootOptions::new(BootOption::InitiatorInfo(initiator)),
        &[6, 1, 4, 3, 2, 1, 8, 7, 6, 5],
    );
}

#[test]
fn data_center() {
    numbered::<GetPowerReading>(0x2c, 0x02);
    golden(&GetPowerReading { period: None }, &[0xdc, 1, 0, 0]);
    let reading = PowerReading {
        current: 0x0102,
        minimum: 0x0304,
        maximum: 0x0506,
        average: 0x0708,
        time: Timestamp(0x1122_3344),
        period: 0x5566_7788,
        state: 0x40,
    };
    let bytes = [
        0xdc, 2, 1, 4, 3, 6, 5, 8, 7, 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55, 0x40,
    ];
    golden(&reading, &bytes);
    let foreign = [&[0xdd][..], &bytes[1..]].concat();
    assert!(
        PowerReading::from_bytes(&foreign).is_err(),
        "another group's answer"
    );
    numbered::<GetPowerLimit>(0x2c, 0x03);
    numbered::<SetPowerLimit>(0x2c, 0x04);
    let limit = PowerLimit {
        action: PowerLimitAction::LOG,
        watts: 0x0102,
        correction_ms: 0x1122_3344,
        sampling_s: 0x0506,
    };
    let body = [0x11, 2, 1, 0x44, 0x33, 0x22, 0x11, 0, 0, 6, 5];
    let status = PowerLimitStatus {
        limit: Some(limit),
        active: true,
    };
    golden(&status, &[&[0xdc, 0, 0][..], &body].concat());
    golden(
        &SetPowerLimit(limit),
        &[&[0xdc, 0, 0, 0][..], &body].concat(),
    );
    numbered::<GetDcmiTemperatures>(0x2c, 0x10);
    let ask = GetDcmiTemperatures {
        entity: EntityId::DCMI_AIR_INLET,
        instance: 0,
        start: 1,
    };
    golden(&ask, &[0xdc, 0x01, 0x40, 0, 1]);
    let temperatures = DcmiTemperatures {
        total: 2,
        temperatures: vec![
            DcmiTemperature {
                celsius: 23,
                instance: 1,
            },
            DcmiTemperature {
                celsius: -5,
                instance: 2,
            },
        ],
    };
    golden(&temperatures, &[0xdc, 2, 2, 23, 1, 0x85, 2]);
}

#[test]
fn payloads() {
    numbered::<ActivatePayload>(0x06, 0x48);
    let encrypted = SolActivation {
        encrypted: true,
        alerts: SolActivation::ALERTS_WAIT,
        ..SolActivation::default()
    };
    golden(
        &ActivatePayload::sol(encrypted),
        &[0x01, 0x01, 0x84, 0, 0, 0],
    );
    let authenticated = SolActivation {
        authenticated: true,
        starts_deasserted: true,
        ..SolActivation::default()
    };
    golden(
        &ActivatePayload::sol(authenticated),
        &[0x01, 0x01, 0x42, 0, 0, 0],
    );
    let activated = ActivatedPayload {
        auxiliary: [0; 4],
        inbound_size: 0x0102,
        outbound_size: 0x0304,
        port: 623,
        vlan: ActivatedPayload::NO_VLAN,
    };
    golden(
        &activated,
        &[0, 0, 0, 0, 2, 1, 4, 3, 0x6f, 0x02, 0xff, 0xff],
    );
    numbered::<GetPayloadActivationStatus>(0x06, 0x4a);
    let status = PayloadActivationStatus {
        capacity: 1,
        active: 0x0102,
    };
    golden(&status, &[1, 2, 1]);
    numbered::<GetPayloadInstanceInfo>(0x06, 0x4b);
    let ask = GetPayloadInstanceInfo {
        payload_type: PayloadType::SOL,
        instance: 1,
    };
    golden(&ask, &[1, 1]);
    let info = PayloadInstanceInfo {
        session_id: 0x0102_0304,
        information: [1, 0, 0, 0, 0, 0, 0, 0],
    };
    golden(&info, &[4, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn users_and_sessions() {
    numbered::<SetUserAccess>(0x06, 0x43);
    let user = UserId::new(5).unwrap();
    let set = SetUserAccess {
        channel: 1,
        user,
        flags: Some(UserFlags {
            callback_only: false,
            link_authentication: true,
            messaging: false,
        }),
        limit: Privilege::OPERATOR,
        session_limit: None,
    };
    golden(&set, &[0xa1, 5, 3]);
    numbered::<GetUserAccess>(0x06, 0x44);
    let access = UserAccess {
        max_users: 16,
        status: UserStatus::ENABLED,
        enabled_users: 2,
        fixed_names: 1,
        flags: UserFlags {
            callback_only: true,
            link_authentication: false,
            messaging: true,
        },
        limit: Privilege::ADMINISTRATOR,
    };
    golden(&access, &[16, 0x42, 1, 0x54]);

    numbered::<GetSessionInfo>(0x06, 0x3d);
    golden(&GetSessionInfo::Id(0x0102_0304), &[0xff, 4, 3, 2, 1]);
    let info = SessionInfo {
        handle: 1,
        slots: 36,
        active: 2,
        session: Some(ActiveSession {
            user: UserId::new(2).unwrap(),
            privilege: Privilege::ADMINISTRATOR,
            channel: 1,
            protocol: 1,
            console: Some(ConsoleAddress {
                ip: Ipv4Addr::new(192, 0, 2, 7),
                mac: MacAddress([2, 0, 0, 0, 0, 1]),
                port: 0x1234,
            }),
        }),
    };
    golden(
        &info,
        &[
            1, 36, 2, 2, 4, 0x11, 192, 0, 2, 7, 2, 0, 0, 0, 0, 1, 0x34, 0x12,
        ],
    );
    numbered::<GetChannelInfo>(0x06, 0x42);
    let info = ChannelInfo {
        channel: 1,
        medium: ChannelMedium::LAN,
        protocol: ChannelProtocol::IPMB,
        sessions: SessionSupport::MULTI,
        active_sessions: 3,
        vendor: 0x00_1b_f2,
        auxiliary: [0, 0],
    };
    golden(&info, &[1, 4, 1, 0x83, 0xf2, 0x1b, 0x00, 0, 0]);
    numbered::<SendMessage>(0x06, 0x34);
    golden(&SendMessage::tracked(7, vec![0xaa]), &[0x47, 0xaa]);
}

#[test]
fn events_and_sensors() {
    numbered::<GetLastProcessedEventId>(0x04, 0x15);
    let last = LastProcessedEvent {
        last_addition: Timestamp(0x1122_3344),
        last_record: 0x0102,
        by_software: 0x0304,
        by_bmc: 0x0506,
    };
    golden(&last, &[0x44, 0x33, 0x22, 0x11, 2, 1, 4, 3, 6, 5]);
    numbered::<PetAcknowledge>(0x04, 0x17);
    let acknowledge = PetAcknowledge {
        sequence: 0x0102,
        timestamp: Timestamp(0x1122_3344),
        event_source: 0x20,
        sensor_device: 0x20,
        sensor_number: 0x30,
        data: [1, 0xff, 0xff],
    };
    golden(
        &acknowledge,
        &[
            2, 1, 0x44, 0x33, 0x22, 0x11, 0x20, 0x20, 0x30, 1, 0xff, 0xff,
        ],
    );
    numbered::<GetSensorReading>(0x04, 0x2d);
    let reading = SensorReading::from_bytes(&[0x17, 0xc0, 0x02, 0x81]).unwrap();
    assert_eq!(reading.discrete_states(), 0x0102, "bit 15 is reserved");
}

#[test]
fn lan_parameters() {
    for (parameter, setting, bytes) in [
        (
            LanParameter::PRIMARY_PORT,
            LanSetting::PrimaryPort(623),
            &[0x6f, 0x02][..],
        ),
        (
            LanParameter::SECONDARY_PORT,
            LanSetting::SecondaryPort(664),
            &[0x98, 0x02],
        ),
        (
            LanParameter::VLAN_ID,
            LanSetting::VlanId(VlanId {
                enabled: true,
                id: 0x123,
            }),
            &[0x23, 0x81],
        ),
        (
            LanParameter::BAD_PASSWORD_THRESHOLD,
            LanSetting::BadPasswordThreshold(BadPasswordThreshold {
                logs_event: true,
                count: 3,
                reset_interval: 0x0102,
                lockout_interval: 0x0304,
            }),
            &[1, 3, 2, 1, 4, 3],
        ),
    ] {
        let mut out = Vec::new();
        setting.encode(&mut out);
        assert_eq!(out, bytes, "{setting:?}");
        let mut reader = Reader::new("LAN parameter", bytes);
        assert_eq!(LanSetting::decode(parameter, &mut reader).unwrap(), setting);
    }
}
