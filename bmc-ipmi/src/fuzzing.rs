//! Properties that hold for all bytes: called by the fuzz targets, and by `tests/corpus.rs` with their corpora.
//!
//! Each function panics where its property is broken.

mod handshake_ops;
mod input;
mod records;
mod session_ops;
mod sol_ops;

use std::fmt::Debug;

use bytes::BufMut;

use crate::codec::Wire;
use crate::command::session::cipher_suite_records::{decode_records, encode_records, known_suites};
use crate::command::*;
use crate::crypto::{self, CipherSuite, RakpContext, SessionKeys};
use crate::quirks::Quirks;
use crate::record::Sdr;
use crate::record::sel::{SelRecord, SystemEvent};
use crate::wire::{
    LanRequest, LanResponse, OpenSessionRequest, OpenSessionResponse, PayloadType, PresencePing,
    PresencePong, Privilege, Rakp1, Rakp2, Rakp3, Rakp4, RmcpHeader, Role, SessionHeader,
    SessionV15, SolHeader, Username,
};

pub use handshake_ops::ipmi_handshake_ops;
pub use records::{ipmi_fru, ipmi_sdr_record, ipmi_sel_record};
pub use session_ops::ipmi_session_ops;
pub use sol_ops::ipmi_sol;

/// A datagram is refused, or what was read of it gives the same datagram again, down to the message inside.
pub fn ipmi_datagram(data: &[u8]) {
    survives::<PresencePing>(data);
    survives::<PresencePong>(data);
    if let Ok(session) = SessionV15::decode(data) {
        let mut again = Vec::new();
        session.encode(&mut again);
        same_but_for_rmcp(data, &again, 1);
        lan_message(session.message);
    }
    let Ok((header, payload, trailer)) = SessionHeader::split(data) else {
        return;
    };
    let mut again = RmcpHeader::IPMI.to_bytes();
    header.encode(&mut again);
    again.put_slice(payload);
    again.put_slice(trailer);
    same_but_for_rmcp(data, &again, 0);
    if header.encrypted {
        return;
    }
    match header.payload_type {
        PayloadType::IPMI => lan_message(payload),
        PayloadType::OPEN_SESSION_REQUEST => survives::<OpenSessionRequest>(payload),
        PayloadType::OPEN_SESSION_RESPONSE => survives::<OpenSessionResponse>(payload),
        PayloadType::RAKP_1 => survives::<Rakp1>(payload),
        PayloadType::RAKP_2 => survives::<Rakp2>(payload),
        PayloadType::RAKP_3 => survives::<Rakp3>(payload),
        PayloadType::RAKP_4 => survives::<Rakp4>(payload),
        _ => {}
    }
}

/// The first byte chooses a message type; the rest is refused by it, or survives encoding and decoding.
pub fn ipmi_roundtrip(data: &[u8]) {
    let Some((selector, data)) = data.split_first() else {
        return;
    };
    let checks: &[fn(&[u8])] = &[
        lan_message,
        survives::<OpenSessionRequest>,
        survives::<OpenSessionResponse>,
        survives::<Rakp1>,
        survives::<Rakp2>,
        survives::<Rakp3>,
        survives::<Rakp4>,
        survives::<ChassisControl>,
        survives::<ChassisStatus>,
        survives::<CloseSession>,
        survives::<DeviceId>,
        survives::<GetChannelAuthCapabilities>,
        survives::<ChannelAuthCapabilities>,
        survives::<GetChannelCipherSuites>,
        survives::<ChannelCipherSuites>,
        survives::<SetSessionPrivilegeLevel>,
        survives::<SetSystemBootOptions>,
        survives::<GetSystemBootOptions>,
        survives::<SystemBootOptions>,
        survives::<BootFlags>,
        survives::<ActivatePayload>,
        survives::<ActivatedPayload>,
        survives::<AddSelEntry>,
        survives::<AddedSelEntry>,
        survives::<AlertPolicy>,
        survives::<ArpSuspension>,
        survives::<ChassisIdentify>,
        survives::<ClearSel>,
        survives::<DeactivatePayload>,
        survives::<DeleteSelEntry>,
        survives::<DeletedSelEntry>,
        survives::<ErasureProgress>,
        survives::<EventFilter>,
        survives::<EventReceiver>,
        survives::<Forwarded>,
        survives::<FruData>,
        survives::<FruInventoryArea>,
        survives::<GetFruInventoryAreaInfo>,
        survives::<GetIpStatistics>,
        survives::<GetLanConfiguration>,
        survives::<GetPefConfiguration>,
        survives::<GetSelEntry>,
        survives::<GetSolConfiguration>,
        survives::<IpStatistics>,
        survives::<ConfigurationData>,
        survives::<LastProcessedEvent>,
        survives::<PefCapabilities>,
        survives::<PetAcknowledge>,
        survives::<PlatformEvent>,
        survives::<ReadFruData>,
        survives::<SelAllocationInfo>,
        survives::<SelEntryPart>,
        survives::<SelInfo>,
        survives::<SelRecord>,
        survives::<SelReservation>,
        survives::<SelTime>,
        survives::<SelTimeUtcOffset>,
        survives::<SendMessage>,
        survives::<SetEventReceiver>,
        survives::<SetLanConfiguration>,
        survives::<SetSelTime>,
        survives::<SetSelTimeUtcOffset>,
        survives::<SetSolConfiguration>,
        survives::<SolHeader>,
        survives::<SuspendArps>,
        survives::<SystemEvent>,
        survives::<SystemRestartCause>,
        survives::<AcpiPowerState>,
        survives::<BootMailbox>,
        survives::<BootInitiatorInfo>,
        survives::<KeepBootFlags>,
        survives::<ChassisCapabilities>,
        survives::<GetSystemInfo>,
        survives::<Guid>,
        survives::<PohCounter>,
        survives::<PowerRestorePolicies>,
        survives::<SelfTestResults>,
        survives::<SetAcpiPowerState>,
        survives::<SetFrontPanelEnables>,
        survives::<SetPowerCycleInterval>,
        survives::<SetPowerRestorePolicy>,
        survives::<SetSystemInfo>,
        survives::<ActiveSession>,
        survives::<ChannelAccess>,
        survives::<ChannelInfo>,
        survives::<ChannelPayloadSupport>,
        survives::<ChannelPayloadVersion>,
        survives::<ChannelSecurityKeys>,
        survives::<GetChannelAccess>,
        survives::<GetSessionInfo>,
        survives::<GetUserPayloadAccess>,
        survives::<PayloadAccess>,
        survives::<PayloadActivationStatus>,
        survives::<PayloadInstanceInfo>,
        survives::<SessionInfo>,
        survives::<SetChannelAccess>,
        survives::<SetChannelSecurityKeys>,
        survives::<SetUserAccess>,
        survives::<SetUserName>,
        survives::<SetUserPassword>,
        survives::<SetUserPayloadAccess>,
        survives::<SetWatchdogTimer>,
        survives::<UserAccess>,
        survives::<UserName>,
        survives::<WatchdogTimer>,
        survives::<WriteFruData>,
        survives::<WrittenFruData>,
        survives::<PresencePing>,
        survives::<PresencePong>,
        survives::<GetSessionChallenge>,
        survives::<SessionChallenge>,
        survives::<ActivateSession>,
        survives::<ActivatedSession>,
        survives::<ActivatePowerLimit>,
        survives::<AssetTagPart>,
        survives::<DcmiAccess>,
        survives::<DcmiData>,
        survives::<DcmiController>,
        survives::<DcmiLog>,
        survives::<DcmiPeriods>,
        survives::<DcmiSensors>,
        survives::<DcmiSupport>,
        survives::<DcmiTemperatures>,
        survives::<DcmiTextLength>,
        survives::<DeviceSdrInfo>,
        survives::<GetAssetTag>,
        survives::<GetDcmiCapabilities>,
        survives::<GetDcmiConfiguration>,
        survives::<GetDcmiSensorInfo>,
        survives::<GetDcmiTemperatures>,
        survives::<GetDeviceSdrInfo>,
        survives::<GetPowerReading>,
        survives::<GetSdr>,
        survives::<GetSensorHysteresis>,
        survives::<GetSensorReading>,
        survives::<GetSensorReadingFactors>,
        survives::<GetThermalLimit>,
        survives::<McIdStringPart>,
        survives::<PowerLimitStatus>,
        survives::<PowerReading>,
        survives::<ReadingFactors>,
        survives::<SdrPart>,
        survives::<SdrRepositoryAllocation>,
        survives::<SdrRepositoryInfo>,
        survives::<SdrRepositoryTime>,
        survives::<SdrReservation>,
        survives::<SensorEventMasks>,
        survives::<SensorEventStatus>,
        survives::<SensorHysteresis>,
        survives::<SensorReading>,
        survives::<SensorReadingFactors>,
        survives::<SensorThresholds>,
        survives::<SensorTypes>,
        survives::<SetAssetTag>,
        survives::<SetDcmiConfiguration>,
        survives::<SetMcIdString>,
        survives::<SetPowerLimit>,
        survives::<SetSensorHysteresis>,
        survives::<SetSensorThresholds>,
        survives::<SetThermalLimit>,
        survives::<ThermalLimit>,
        survives::<Sdr>,
    ];
    let check = usize::from(*selector) % checks.len();
    checks.get(check).copied().unwrap_or(lan_message)(data);
}

/// The first byte chooses a suite. The rest opens as it is never, and with a valid AuthCode behind it only if
/// sealing its payload gives a datagram that opens to the same.
pub fn ipmi_open_sealed(data: &[u8]) {
    let Some((selector, data)) = data.split_first() else {
        return;
    };
    let suite = CipherSuite::ALL
        .get(usize::from(*selector) % (CipherSuite::ALL.len() + 1))
        .copied()
        .unwrap_or(CipherSuite::danger_suite_0());
    let keys = keys(suite);
    let is_protected = keys.integrity.is_some() || keys.aes.is_some();
    let opened = crypto::open(&keys, SESSION_ID, &mut data.to_vec()).is_ok();
    assert!(!(opened && is_protected), "only the keys open it");

    let mut signed = data.to_vec();
    if let Some(integrity) = &keys.integrity {
        let code = integrity.code(data.get(RmcpHeader::LENGTH..).unwrap_or_default());
        signed.extend_from_slice(code.as_bytes());
    }
    let Ok(opened) = crypto::open(&keys, SESSION_ID, &mut signed) else {
        return;
    };
    let mut again = Vec::new();
    let (payload_type, sequence) = (opened.payload_type, opened.sequence);
    crypto::seal(
        &keys,
        payload_type,
        SESSION_ID,
        sequence,
        &[0; 16],
        opened.payload,
        &mut again,
    );
    assert_eq!(crypto::open(&keys, SESSION_ID, &mut again), Ok(opened));
}

/// Whatever is read from a list of cipher suite records is read again from its own encoding.
pub fn ipmi_cipher_suites(data: &[u8]) {
    let records = decode_records(data);
    assert_eq!(decode_records(&encode_records(&records)), records);
    assert!(known_suites(&records).len() <= records.len());
}

const SESSION_ID: u32 = 0x0302_0100;

fn keys(suite: CipherSuite) -> SessionKeys {
    let context = RakpContext {
        suite,
        console_session_id: SESSION_ID,
        bmc_session_id: 1,
        console_random: [1; 16],
        bmc_random: [2; 16],
        bmc_guid: [3; 16],
        role: Role::by_name(Privilege::ADMINISTRATOR),
        username: Username::new(b"admin").unwrap_or_else(|| unreachable!("five bytes")),
        quirks: Quirks::NONE,
    };
    context.session_keys(b"password", None)
}

fn survives<M: Wire + PartialEq + Debug>(data: &[u8]) {
    // A prefix is refused only where the whole is.
    let prefix = M::from_prefix(data);
    let Ok(message) = M::from_bytes(data) else {
        return;
    };
    assert_eq!(prefix.as_ref(), Ok(&message));
    let bytes = message.to_bytes();
    assert_eq!(M::from_bytes(&bytes).as_ref(), Ok(&message));
    // Reserved bits and left-out optional fields are all that an encoding may change.
    assert_eq!(
        M::from_bytes(&bytes).map(|again| again.to_bytes()),
        Ok(bytes)
    );
}

/// LAN messages have no reserved bits: they are the same bytes again.
fn lan_message(data: &[u8]) {
    let mut again = Vec::new();
    if let Ok(request) = LanRequest::decode(data) {
        request.encode(&mut again);
        assert_eq!(again, data);
    } else if let Ok(response) = LanResponse::decode(data) {
        response.encode(&mut again);
        assert_eq!(again, data);
    }
}

/// The RMCP header has a reserved byte and a sequence number that IPMI ignores.
fn same_but_for_rmcp(data: &[u8], again: &[u8], ignored_at_the_end: usize) {
    let (data, again) = (
        data.get(RmcpHeader::LENGTH..),
        again.get(RmcpHeader::LENGTH..),
    );
    let (data, again) = (data.unwrap_or_default(), again.unwrap_or_default());
    assert!(data.starts_with(again));
    assert!(data.len() - again.len() <= ignored_at_the_end);
}
