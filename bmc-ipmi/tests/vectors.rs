//! Golden packets: every field of every vector, encoded and decoded.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation
)]

use serde_json::Value;

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{Command, GetChassisStatus, SetSessionPrivilegeLevel};
use bmc_ipmi::crypto::{self, CipherSuite, KeyedAuth, RakpContext, SessionKeys};
use bmc_ipmi::quirks::Quirks;
use bmc_ipmi::wire::{
    AuthCode, AuthType, AuthenticationAlgorithm, CompletionCode, ConfidentialityAlgorithm,
    IntegrityAlgorithm, LanRequest, LanResponse, OpenSessionAccepted, OpenSessionRequest,
    OpenSessionResponse, PayloadType, Privilege, Rakp1, Rakp2, Rakp2Accepted, Rakp3, Rakp4,
    Rakp4Accepted, Role, SessionHeader, SessionV15, Status, Username,
};

#[test]
fn open_session() {
    for v in sessions() {
        let authentication = AuthenticationAlgorithm::new(number(&v["auth"]));
        let integrity = IntegrityAlgorithm::new(number(&v["integrity"]));
        let confidentiality = ConfidentialityAlgorithm::new(number(&v["confidentiality"]));
        let suite = suite(&v);
        let algorithms = (
            suite.authentication(),
            suite.integrity(),
            suite.confidentiality(),
        );
        assert_eq!(algorithms, (authentication, integrity, confidentiality));
        let request = OpenSessionRequest {
            tag: payload(
                &v["open_session_request"],
                PayloadType::OPEN_SESSION_REQUEST,
            )[0],
            privilege: role(&v).privilege(),
            console_session_id: id(&v["console_sid_wire"]),
            authentication,
            integrity,
            confidentiality,
        };
        check(
            &v["open_session_request"],
            PayloadType::OPEN_SESSION_REQUEST,
            &request,
        );
        let response = OpenSessionResponse::Accepted(OpenSessionAccepted {
            tag: request.tag,
            privilege: role(&v).privilege(),
            console_session_id: id(&v["console_sid_wire"]),
            bmc_session_id: id(&v["bmc_sid_wire"]),
            authentication,
            integrity,
            confidentiality,
        });
        check(
            &v["open_session_response"],
            PayloadType::OPEN_SESSION_RESPONSE,
            &response,
        );
    }
}

#[test]
fn rakp_messages() {
    for v in sessions() {
        let tag = 0x5a;
        let rakp1 = Rakp1 {
            tag,
            bmc_session_id: id(&v["bmc_sid_wire"]),
            console_random: array(&v["rm"]),
            role: role(&v),
            username: Username::new(text(&v["username"]).as_bytes()).unwrap(),
        };
        check(&v["rakp1"], PayloadType::RAKP_1, &rakp1);
        let rakp2 = Rakp2::Accepted(Rakp2Accepted {
            tag,
            console_session_id: id(&v["console_sid_wire"]),
            bmc_random: array(&v["rc"]),
            bmc_guid: array(&v["guid"]),
            auth_code: AuthCode::new(&hex(&v["rakp2_kex"])).unwrap(),
        });
        check(&v["rakp2"], PayloadType::RAKP_2, &rakp2);
        let rakp3 = Rakp3 {
            tag,
            status: Status::OK,
            bmc_session_id: id(&v["bmc_sid_wire"]),
            auth_code: AuthCode::new(&hex(&v["rakp3_kex"])).unwrap(),
        };
        check(&v["rakp3"], PayloadType::RAKP_3, &rakp3);
        let rakp4 = Rakp4::Accepted(Rakp4Accepted {
            tag,
            console_session_id: id(&v["console_sid_wire"]),
            integrity_check: AuthCode::new(&hex(&v["rakp4_icv"])).unwrap(),
        });
        check(&v["rakp4"], PayloadType::RAKP_4, &rakp4);
    }
}

#[test]
fn codes_and_keys() {
    for v in sessions() {
        let (context, keys) = derive(&v);
        let password = hex(&v["password"]);
        assert_eq!(
            context.rakp2_code(&password).as_bytes(),
            hex(&v["rakp2_kex"])
        );
        assert_eq!(
            context.rakp3_code(&password).as_bytes(),
            hex(&v["rakp3_kex"])
        );
        assert_eq!(context.rakp4_code(&keys).as_bytes(), hex(&v["rakp4_icv"]));
        assert_eq!(keys.expose_sik(), hex(&v["sik"]));
        assert_eq!(keys.expose_k1(), hex(&v["k1"]));
        assert_eq!(keys.expose_k2(), hex(&v["k2"]));
        assert_eq!(
            context.suite.key_exchange_length(),
            context.rakp2_code(&password).as_bytes().len()
        );
        assert_eq!(
            format!("{keys:?}"),
            format!("SessionKeys {{ suite: CipherSuite({}), .. }}", v["suite"])
        );
    }
}

#[test]
fn sealed_packets() {
    for v in sessions() {
        let (_, keys) = derive(&v);
        for (name, receiver) in [
            ("set_priv_request", "bmc_sid_wire"),
            ("set_priv_response", "console_sid_wire"),
            ("chassis_status_request", "bmc_sid_wire"),
            ("chassis_status_response", "console_sid_wire"),
        ] {
            let message = &v[name];
            let sequence = message["seq"].as_u64().unwrap() as u32;
            check_sealed(
                &keys,
                id(&v[receiver]),
                sequence,
                &array(&v["iv"]),
                &hex(&message["payload"]),
                &hex(&message["packet"]),
            );
        }
    }
}

#[test]
fn every_pad_length() {
    let mut swept = 0;
    for v in sessions() {
        let (_, keys) = derive(&v);
        for (index, entry) in v["pad_sweep"].as_array().into_iter().flatten().enumerate() {
            let length = entry["plain_len"].as_u64().unwrap() as usize;
            let plain: Vec<u8> = (0..length).map(|i| (7 * i) as u8).collect();
            check_sealed(
                &keys,
                id(&v["bmc_sid_wire"]),
                100 + index as u32,
                &array(&v["iv"]),
                &plain,
                &hex(&entry["packet"]),
            );
            swept += 1;
        }
    }
    assert_eq!(swept, 14 * 34);
}

#[test]
fn lan_messages() {
    for v in sessions() {
        let bytes = hex(&v["set_priv_request"]["payload"]);
        let request = LanRequest::decode(&bytes).unwrap();
        let command = SetSessionPrivilegeLevel::from_bytes(request.data).unwrap();
        assert_eq!(
            (request.netfn, request.command),
            (SetSessionPrivilegeLevel::NETFN, 0x3b)
        );
        assert_eq!(encoded(|out| request.encode(out)), bytes);
        assert_ne!(command.0, Privilege::HIGHEST);

        let bytes = hex(&v["set_priv_response"]["payload"]);
        let response = LanResponse::decode(&bytes).unwrap();
        assert!(response.answers(request.netfn, request.command, request.sequence));
        assert_eq!(response.completion, CompletionCode::OK);
        assert_eq!(
            SetSessionPrivilegeLevel::decode_response(response.data),
            Ok(command)
        );
        assert_eq!(encoded(|out| response.encode(out)), bytes);

        let bytes = hex(&v["chassis_status_response"]["payload"]);
        let response = LanResponse::decode(&bytes).unwrap();
        assert_eq!(response.netfn, GetChassisStatus::NETFN.response());
        assert!(
            GetChassisStatus::decode_response(response.data)
                .unwrap()
                .is_on()
        );
        assert_eq!(encoded(|out| response.encode(out)), bytes);
    }
}

#[test]
fn v15_datagrams() {
    let file: Value = serde_json::from_str(include_str!("vectors/v15.json")).unwrap();
    let packets = file["packets"].as_array().unwrap();
    assert_eq!(packets.len(), 88);
    for v in packets {
        let (packet, message) = (hex(&v["packet"]), hex(&v["message"]));
        let auth_type = AuthType::new(number(&v["auth_type"]));
        let keyed = KeyedAuth::new(auth_type, text(&v["password"]).as_bytes());
        let sequence = v["seq"].as_u64().unwrap() as u32;
        let session = keyed.sign(id(&v["session_id_wire"]), sequence, &message);
        if auth_type != AuthType::NONE {
            assert_eq!(session.auth_code.as_slice(), hex(&v["authcode"]));
            let other = KeyedAuth::new(auth_type, b"another");
            assert!(!other.verify(&SessionV15::decode(&packet).unwrap()));
        }
        assert!(keyed.verify(&session));
        assert_eq!(SessionV15::decode(&packet), Ok(session));
        let mut expected = encoded(|out| session.encode(out));
        expected.extend(hex(&v["legacy_pad"]));
        assert_eq!(expected, packet);
        let is_request = text(&v["dir"]) == "console->bmc";
        assert_eq!(LanRequest::decode(&message).is_ok(), is_request);
        assert_eq!(LanResponse::decode(&message).is_ok(), !is_request);
    }
}

fn check<M: Wire + PartialEq + std::fmt::Debug>(
    packet: &Value,
    payload_type: PayloadType,
    message: &M,
) {
    assert_eq!(
        M::from_bytes(&payload(packet, payload_type)).as_ref(),
        Ok(message)
    );
    let rebuilt =
        encoded(|out| SessionHeader::encode_sessionless(payload_type, &message.to_bytes(), out));
    assert_eq!(rebuilt, hex(packet));
}

fn check_sealed(
    keys: &SessionKeys,
    receiver: u32,
    sequence: u32,
    iv: &[u8; 16],
    plain: &[u8],
    packet: &[u8],
) {
    let sealed =
        encoded(|out| crypto::seal(keys, PayloadType::IPMI, receiver, sequence, iv, plain, out));
    assert_eq!(sealed, packet);
    let mut datagram = packet.to_vec();
    let opened = crypto::open(keys, receiver, &mut datagram).unwrap();
    assert_eq!(
        (opened.payload_type, opened.sequence, opened.payload),
        (PayloadType::IPMI, sequence, plain)
    );
}

fn payload(packet: &Value, payload_type: PayloadType) -> Vec<u8> {
    let packet = hex(packet);
    let (header, payload, trailer) = SessionHeader::split(&packet).unwrap();
    let expected = SessionHeader {
        payload_type,
        encrypted: false,
        authenticated: false,
        session_id: 0,
        sequence: 0,
        payload_length: payload.len() as u16,
    };
    assert_eq!((header, trailer), (expected, [].as_slice()));
    payload.to_vec()
}

fn derive(v: &Value) -> (RakpContext, SessionKeys) {
    let context = RakpContext {
        suite: suite(v),
        console_session_id: id(&v["console_sid_wire"]),
        bmc_session_id: id(&v["bmc_sid_wire"]),
        console_random: array(&v["rm"]),
        bmc_random: array(&v["rc"]),
        bmc_guid: array(&v["guid"]),
        role: role(v),
        username: Username::new(text(&v["username"]).as_bytes()).unwrap(),
        quirks: Quirks::NONE,
    };
    let kg = v["kg"].as_str().map(|_| hex(&v["kg"]));
    let keys = context.session_keys(&hex(&v["password"]), kg.as_deref());
    (context, keys)
}

fn suite(v: &Value) -> CipherSuite {
    match number(&v["suite"]) {
        0 => CipherSuite::danger_suite_0(),
        id => CipherSuite::from_id(id).unwrap(),
    }
}

fn sessions() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("vectors/rmcpplus.json")).unwrap();
    let sessions = file["sessions"].as_array().unwrap().clone();
    assert_eq!(sessions.len(), 22);
    sessions
}

fn encoded(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out);
    out
}

fn role(v: &Value) -> Role {
    Role(number(&v["role"]))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn number(value: &Value) -> u8 {
    value.as_u64().unwrap() as u8
}

fn id(value: &Value) -> u32 {
    u32::from_le_bytes(array(value))
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    hex(value).try_into().unwrap()
}

fn hex(value: &Value) -> Vec<u8> {
    let digits = text(value);
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}
