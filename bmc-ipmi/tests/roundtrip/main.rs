//! Properties of every wire type: what is encoded decodes to itself, and arbitrary bytes never panic.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::session::cipher_suite_records::{
    CipherSuiteRecord, decode_records, encode_records,
};
use bmc_ipmi::command::*;
use bmc_ipmi::crypto::{self, CipherSuite, OpenError, RakpContext, SessionKeys};
use bmc_ipmi::quirks::Quirks;
use bmc_ipmi::wire::*;

/// Encoding then decoding gives the message back; decoding bytes either fails or gives a message that survives.
macro_rules! wire_type {
    ($($test:ident: $type:ty = $strategy:expr;)*) => {$(
        mod $test {
            use super::*;

            proptest! {
                #[test]
                fn survives(message in $strategy) {
                    survives_the_wire::<$type>(&message)?;
                }

                #[test]
                fn any_bytes(bytes in vec(any::<u8>(), 0..96)) {
                    if let Ok(message) = <$type>::from_bytes(&bytes) {
                        survives_the_wire(&message)?;
                    }
                }
            }
        }
    )*};
}

mod app;
mod channel;
mod chassis;
mod dcmi;
mod event;
mod fru;
mod fru_records;
mod lan;
mod login;
mod message;
mod sdr;
mod sel;
mod sensor;
mod session;
mod sol;
mod user;
mod watchdog;

wire_type! {
    rmcp_header: RmcpHeader = (any::<u8>(), any::<u8>())
        .prop_map(|(sequence, class)| RmcpHeader { sequence, class: RmcpClass(class) });
    session_header: SessionHeader = session_header_values();
    open_session_request: OpenSessionRequest = (any::<u8>(), privileges(), any::<u32>(), algorithms())
        .prop_map(|(tag, privilege, console_session_id, (authentication, integrity, confidentiality))| {
            OpenSessionRequest { tag, privilege, console_session_id, authentication, integrity, confidentiality }
        });
    open_session_response: OpenSessionResponse = prop_oneof![
        (any::<u8>(), privileges(), any::<u32>(), any::<u32>(), algorithms()).prop_map(
            |(tag, privilege, console_session_id, bmc_session_id, (authentication, integrity, confidentiality))| {
                OpenSessionResponse::Accepted(OpenSessionAccepted {
                    tag, privilege, console_session_id, bmc_session_id, authentication, integrity, confidentiality,
                })
            }),
        refusals().prop_map(OpenSessionResponse::Refused),
    ];
    rakp1: Rakp1 = (any::<u8>(), any::<u32>(), any::<[u8; 16]>(), any::<u8>(), vec(any::<u8>(), 0..=16))
        .prop_map(|(tag, bmc_session_id, console_random, role, name)| Rakp1 {
            tag, bmc_session_id, console_random, role: Role(role), username: Username::new(&name).unwrap(),
        });
    rakp2: Rakp2 = prop_oneof![
        (any::<u8>(), any::<u32>(), any::<[u8; 16]>(), any::<[u8; 16]>(), codes()).prop_map(
            |(tag, console_session_id, bmc_random, bmc_guid, auth_code)| Rakp2::Accepted(Rakp2Accepted {
                tag, console_session_id, bmc_random, bmc_guid, auth_code,
            })),
        refusals().prop_map(Rakp2::Refused),
    ];
    rakp3: Rakp3 = (any::<u8>(), any::<u8>(), any::<u32>(), codes())
        .prop_map(|(tag, status, bmc_session_id, auth_code)| Rakp3 {
            tag, status: Status(status), bmc_session_id, auth_code,
        });
    rakp4: Rakp4 = prop_oneof![
        (any::<u8>(), any::<u32>(), codes()).prop_map(|(tag, console_session_id, integrity_check)| {
            Rakp4::Accepted(Rakp4Accepted { tag, console_session_id, integrity_check })
        }),
        refusals().prop_map(Rakp4::Refused),
    ];
    refusal: Refusal = refusals();
    chassis_control: ChassisControl = any::<u8>().prop_map(ChassisControl::new);
    close_session: CloseSession = any::<u32>().prop_map(|session_id| CloseSession { session_id });
    set_session_privilege_level: SetSessionPrivilegeLevel = privileges().prop_map(SetSessionPrivilegeLevel);
    get_device_id: GetDeviceId = Just(GetDeviceId);
    device_id: DeviceId = (any::<[u8; 6]>(), 0u32..0x0100_0000, any::<u16>(), any::<Option<[u8; 4]>>())
        .prop_map(|(b, manufacturer, product, auxiliary)| DeviceId {
            device_id: b[0], revision: b[1], firmware_major: b[2], firmware_minor: b[3], ipmi_version: b[4],
            support: b[5], manufacturer, product, auxiliary,
        });
    get_chassis_status: GetChassisStatus = Just(GetChassisStatus);
    chassis_status: ChassisStatus = (any::<[u8; 3]>(), any::<Option<u8>>()).prop_map(|(b, front_panel)| {
        ChassisStatus { power: b[0], last_event: b[1], misc: b[2], front_panel }
    });
    get_channel_auth_capabilities: GetChannelAuthCapabilities = (any::<bool>(), 0u8..16, privileges())
        .prop_map(|(extended, channel, privilege)| GetChannelAuthCapabilities { extended, channel, privilege });
    channel_auth_capabilities: ChannelAuthCapabilities = (any::<[u8; 5]>(), 0u32..0x0100_0000)
        .prop_map(|(b, oem)| ChannelAuthCapabilities {
            channel: b[0], auth_types: b[1], login_status: b[2], versions: b[3], oem, oem_data: b[4],
        });
    get_channel_cipher_suites: GetChannelCipherSuites = (0u8..16, any::<u8>(), any::<bool>(), 0u8..64)
        .prop_map(|(channel, payload, by_suite, index)| GetChannelCipherSuites {
            channel, payload_type: PayloadType::new(payload), by_suite, index,
        });
    channel_cipher_suites: ChannelCipherSuites = (any::<u8>(), vec(any::<u8>(), 0..=16))
        .prop_map(|(channel, records)| ChannelCipherSuites { channel, records });
    boot_flags: BootFlags = boot_flags_values();
    get_system_boot_options: GetSystemBootOptions = any::<[u8; 3]>().prop_map(|b| GetSystemBootOptions {
        parameter: BootParameter::new(b[0]), set: b[1], block: b[2],
    });
}

proptest! {
    #[test]
    fn lan_request(b in any::<[u8; 7]>(), data in vec(any::<u8>(), 0..64)) {
        let request = LanRequest {
            responder: b[0], responder_lun: b[1] & 3, netfn: NetFn::new(b[2] & 0x3e), requester: b[3],
            requester_lun: b[4] & 3, sequence: b[5] & 0x3f, command: b[6], data: &data,
        };
        let mut bytes = Vec::new();
        request.encode(&mut bytes);
        prop_assert_eq!(LanRequest::decode(&bytes), Ok(request));
        prop_assert!(LanResponse::decode(&bytes).is_err());
        let damaged = usize::from(b[0]) % bytes.len();
        bytes[damaged] ^= 0x10;
        prop_assert!(LanRequest::decode(&bytes).is_err(), "one changed bit breaks a checksum");
    }

    #[test]
    fn lan_response(b in any::<[u8; 8]>(), data in vec(any::<u8>(), 0..64)) {
        let response = LanResponse {
            requester: b[0], requester_lun: b[1] & 3, netfn: NetFn::new(b[2] | 1), responder: b[3],
            responder_lun: b[4] & 3, sequence: b[5] & 0x3f, command: b[6], completion: CompletionCode(b[7]),
            data: &data,
        };
        let mut bytes = Vec::new();
        response.encode(&mut bytes);
        prop_assert_eq!(LanResponse::decode(&bytes), Ok(response));
        prop_assert!(LanRequest::decode(&bytes).is_err());
    }

    #[test]
    fn arbitrary_datagrams_never_panic(mut bytes in vec(any::<u8>(), 0..160), ipmi in any::<bool>()) {
        if ipmi && bytes.len() >= 4 {
            bytes[..4].copy_from_slice(&[6, 0, 0xff, 7]);
        }
        let _ = (SessionV15::decode(&bytes).is_ok(), SessionHeader::split(&bytes).is_ok());
        let _ = (LanRequest::decode(&bytes).is_ok(), LanResponse::decode(&bytes).is_ok());
        let _ = (PresencePing::from_bytes(&bytes).is_ok(), PresencePong::from_bytes(&bytes).is_ok());
        for suite in CipherSuite::ALL {
            let is_protected = suite.integrity() != IntegrityAlgorithm::NONE;
            let is_open = crypto::open(&keys(suite, b"p"), 1, &mut bytes.clone()).is_ok();
            prop_assert!(!(is_protected && is_open));
        }
    }

    #[test]
    fn cipher_suite_records(records in vec(records(), 0..12), noise in vec(any::<u8>(), 0..64)) {
        prop_assert_eq!(decode_records(&encode_records(&records)), records);
        let read = decode_records(&noise);
        prop_assert_eq!(decode_records(&encode_records(&read)), read);
    }

    #[test]
    fn sealed_payloads_open(
        suite in suites(), session in any::<u32>(), sequence in any::<u32>(), iv in any::<[u8; 16]>(),
        payload in vec(any::<u8>(), 0..300),
    ) {
        let keys = keys(suite, b"secret");
        let mut datagram = Vec::new();
        crypto::seal(&keys, PayloadType::SOL, session, sequence, &iv, &payload, &mut datagram);
        let opened = crypto::open(&keys, session, &mut datagram).unwrap();
        prop_assert_eq!((opened.payload_type, opened.sequence), (PayloadType::SOL, sequence));
        prop_assert_eq!(opened.payload, payload);
    }

    #[test]
    fn no_changed_bit_and_no_other_key_opens(suite in authenticated(), bit in any::<prop::sample::Index>(), cut in 1usize..40) {
        let keys_here = keys(suite, b"secret");
        let mut sealed = Vec::new();
        crypto::seal(&keys_here, PayloadType::IPMI, 7, 1, &[9; 16], b"message", &mut sealed);
        // The RMCP header's reserved byte and sequence number are not covered by the AuthCode.
        let bit = bit.index((sealed.len() - 4) * 8) + 32;
        let mut changed = sealed.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(crypto::open(&keys_here, 7, &mut changed).is_err());
        let mut short = sealed[..sealed.len() - cut].to_vec();
        prop_assert!(crypto::open(&keys_here, 7, &mut short).is_err());
        let mut long = [sealed.clone(), vec![0; cut]].concat();
        prop_assert!(crypto::open(&keys_here, 7, &mut long).is_err());
        prop_assert_eq!(crypto::open(&keys(suite, b"other"), 7, &mut sealed), Err(OpenError::AuthCode));
    }
}

#[test]
fn each_protection_is_enforced() {
    let keys = keys(CipherSuite::SUITE_3, b"secret");
    let mut sealed = Vec::new();
    crypto::seal(
        &keys,
        PayloadType::IPMI,
        7,
        1,
        &[9; 16],
        b"message",
        &mut sealed,
    );
    for payload_type in [0x00, 0x40, 0x80] {
        let mut cleared = sealed.clone();
        cleared[5] = payload_type;
        assert_eq!(
            crypto::open(&keys, 7, &mut cleared),
            Err(OpenError::Protection)
        );
    }
    let foreign = Err(OpenError::SessionId { found: 7 });
    assert_eq!(crypto::open(&keys, 8, &mut sealed.clone()), foreign);
    sealed[20] ^= 1;
    assert_eq!(
        crypto::open(&keys, 7, &mut sealed),
        Err(OpenError::AuthCode)
    );
}

#[test]
fn refusals_in_the_forms_of_known_bmcs() {
    let forms: [(&[u8], Refusal); 4] = [
        (
            &[0xc7],
            Refusal {
                tag: None,
                status: Status(0xc7),
                console_session_id: None,
                padding: 0,
            },
        ),
        (
            &[0x5a, 0x04],
            Refusal {
                tag: Some(0x5a),
                status: Status::INVALID_AUTHENTICATION_ALGORITHM,
                console_session_id: None,
                padding: 0,
            },
        ),
        (
            &[0x5a, 0x11, 0, 0, 1, 2, 3, 4],
            Refusal::new(0x5a, Status::NO_CIPHER_SUITE_MATCH, 0x0403_0201),
        ),
        (
            &[&[0, 0x0d][..], &[0; 34]].concat(),
            Refusal {
                tag: Some(0),
                status: Status::UNAUTHORIZED_NAME,
                console_session_id: Some(0),
                padding: 28,
            },
        ),
    ];
    for (bytes, refusal) in forms {
        assert_eq!(
            OpenSessionResponse::from_bytes(bytes),
            Ok(OpenSessionResponse::Refused(refusal))
        );
        assert_eq!(Rakp2::from_bytes(bytes), Ok(Rakp2::Refused(refusal)));
        assert_eq!(Rakp4::from_bytes(bytes), Ok(Rakp4::Refused(refusal)));
        assert_eq!(refusal.to_bytes(), bytes);
    }
}

fn survives_the_wire<M: Wire + PartialEq + Debug>(message: &M) -> Result<(), TestCaseError> {
    let bytes = message.to_bytes();
    let back = M::from_bytes(&bytes);
    prop_assert_eq!(back.as_ref(), Ok(message));
    prop_assert!(M::from_prefix(&bytes).is_ok());
    Ok(())
}

fn keys(suite: CipherSuite, password: &[u8]) -> SessionKeys {
    let context = RakpContext {
        suite,
        console_session_id: 1,
        bmc_session_id: 2,
        console_random: [3; 16],
        bmc_random: [4; 16],
        bmc_guid: [5; 16],
        role: Role::by_name(Privilege::ADMINISTRATOR),
        username: Username::new(b"admin").unwrap(),
        quirks: Quirks::NONE,
    };
    context.session_keys(password, None)
}

fn suites() -> impl Strategy<Value = CipherSuite> {
    let zero = [CipherSuite::danger_suite_0()];
    prop::sample::select([&CipherSuite::ALL[..], &zero].concat())
}

fn authenticated() -> impl Strategy<Value = CipherSuite> {
    suites().prop_filter("no integrity", |suite| {
        suite.integrity() != IntegrityAlgorithm::NONE
    })
}

fn privileges() -> impl Strategy<Value = Privilege> {
    any::<u8>().prop_map(Privilege::new)
}

fn codes() -> impl Strategy<Value = AuthCode> {
    vec(any::<u8>(), 0..=32).prop_map(|code| AuthCode::new(&code).unwrap())
}

fn algorithms() -> impl Strategy<
    Value = (
        AuthenticationAlgorithm,
        IntegrityAlgorithm,
        ConfidentialityAlgorithm,
    ),
> {
    any::<[u8; 3]>().prop_map(|[a, i, c]| {
        (
            AuthenticationAlgorithm::new(a),
            IntegrityAlgorithm::new(i),
            ConfidentialityAlgorithm::new(c),
        )
    })
}

/// The short forms end before the session ID, so they hold at most five meaningless bytes.
fn refusals() -> impl Strategy<Value = Refusal> {
    let status = || (1u8..=255).prop_map(Status);
    prop_oneof![
        status().prop_map(|status| Refusal {
            tag: None,
            status,
            console_session_id: None,
            padding: 0
        }),
        (any::<u8>(), status(), 0usize..6).prop_map(|(tag, status, padding)| Refusal {
            tag: Some(tag),
            status,
            console_session_id: None,
            padding
        }),
        (any::<u8>(), status(), any::<u32>(), 0usize..64).prop_map(|(tag, status, id, padding)| {
            Refusal {
                padding,
                ..Refusal::new(tag, status, id)
            }
        }),
    ]
}

fn session_header_values() -> impl Strategy<Value = SessionHeader> {
    let payload_type = any::<u8>().prop_map(PayloadType::new);
    let payload_type =
        payload_type.prop_filter("has a longer header", |t| *t != PayloadType::OEM_EXPLICIT);
    (
        payload_type,
        any::<(bool, bool)>(),
        any::<u32>(),
        any::<u32>(),
        any::<u16>(),
    )
        .prop_map(
            |(payload_type, (encrypted, authenticated), session_id, sequence, payload_length)| {
                SessionHeader {
                    payload_type,
                    encrypted,
                    authenticated,
                    session_id,
                    sequence,
                    payload_length,
                }
            },
        )
}

fn boot_flags_values() -> impl Strategy<Value = BootFlags> {
    (any::<(bool, bool, bool)>(), any::<[u8; 5]>()).prop_map(|((valid, persistent, efi), b)| {
        BootFlags {
            valid,
            persistent,
            efi,
            device: BootFlagDevice::new(b[0]),
            options: b[1] & 0xc3,
            console: b[2],
            multiplexer: b[3],
            instance: b[4],
        }
    })
}

fn records() -> impl Strategy<Value = CipherSuiteRecord> {
    let oem = prop::option::of(0u32..0x0100_0000);
    let list = || vec(any::<u8>(), 0..3);
    (any::<u8>(), oem, any::<Option<u8>>(), list(), list()).prop_map(
        |(id, oem, authentication, integrity, conf)| CipherSuiteRecord {
            id,
            oem,
            authentication: authentication.map(AuthenticationAlgorithm::new),
            integrity: integrity.into_iter().map(IntegrityAlgorithm::new).collect(),
            confidentiality: conf
                .into_iter()
                .map(ConfidentialityAlgorithm::new)
                .collect(),
        },
    )
}
