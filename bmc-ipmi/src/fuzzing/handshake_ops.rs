//! The login under any sequence of datagrams and time-outs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bmc_core::Credentials;
use bytes::BufMut;

use super::input::Input;
use crate::codec::Wire;
use crate::command::GetChassisStatus;
use crate::config::Login;
use crate::crypto::CipherSuite;
use crate::proto::{Connection, Event, Known, Request};
use crate::quirks::{Quirk, Quirks};
use crate::wire::{
    AuthCode, AuthType, CompletionCode, LanRequest, LanResponse, OpenSessionAccepted,
    OpenSessionRequest, OpenSessionResponse, PayloadType, Privilege, Rakp1, Rakp2, Rakp2Accepted,
    Rakp3, Rakp4, Rakp4Accepted, Refusal, SessionHeader, SessionV15, Status,
};

/// Reads operations from `data` and carries them out on a login: any datagram, a well-formed answer that only lacks
/// the right codes, a refusal, a time-out. Whatever happens, nothing panics, every deadline can be met, and there is
/// no session unless the login wants no proof, because nobody here knows the password.
///
/// The first byte chooses what is known of the BMC (0 to 31), a cipher suite to insist on (32 to 47), or an
/// authentication type of IPMI v1.5 (48 to 63); bit 7 says that a byte follows which chooses a quirk.
pub fn ipmi_handshake_ops(data: &[u8]) {
    let mut input = Input(data);
    let Some((login, known, is_open)) = login(&mut input) else {
        return;
    };
    let mut now = Instant::now();
    let mut connection = Connection::new(Arc::new(login), known, now, [7; 32]);
    let mut last = Vec::new();
    let mut out = Vec::new();
    while !input.0.is_empty() {
        while connection.poll_transmit(&mut out) {
            last.clone_from(&out);
        }
        match input.byte() % 4 {
            0 => {
                let length = usize::from(input.byte());
                let mut datagram = input.take(length).to_vec();
                connection.on_datagram(now, &mut datagram);
            }
            1 => {
                let answer = match SessionHeader::announced_by(&last) {
                    true => answer(&last, connection.console_id(), &mut input),
                    false => answer_v15(&last, &mut input),
                };
                if let Some(mut datagram) = answer {
                    connection.on_datagram(now, &mut datagram);
                }
            }
            2 => {
                now += Duration::from_millis(u64::from(input.byte()) * 16);
                connection.on_timeout(now);
            }
            _ => {
                if let Some(at) = connection.poll_timeout() {
                    now = now.max(at);
                }
                connection.on_timeout(now);
                if let Some(at) = connection.poll_timeout() {
                    assert!(at > now, "a deadline that is over");
                }
            }
        }
        match connection.poll_event() {
            None => {}
            Some(Event::LoginFailed(error)) => {
                // Every error has something to say.
                assert!(!error.to_string().is_empty());
                return;
            }
            Some(Event::Established) => {
                assert!(is_open, "a session without the password");
                connection.request(now, &Request::new(&GetChassisStatus, &[]));
            }
        }
    }
    let error = connection.give_up(now);
    assert!(!error.to_string().is_empty());
    assert!(is_open || !connection.is_open());
}

/// A login, what is known of the BMC, and whether a session needs no proof.
fn login(input: &mut Input<'_>) -> Option<(Login, Known, bool)> {
    let login = Login::new(&Credentials::new("admin", "a password that")).ok()?;
    let selector = input.byte();
    let mut login = login.quirks(match selector & 0x80 {
        0 => Quirks::NONE,
        _ => {
            let quirk = usize::from(input.byte()) % Quirk::ALL.len();
            Quirks::from_iter(Quirk::ALL.get(quirk).copied())
        }
    });
    let at = selector & 0x0f;
    let mut known = Known::default();
    let mut is_open = false;
    match selector >> 4 & 0x03 {
        0 | 1 => known.suite = CipherSuite::from_id(selector & 0x1f),
        2 => {
            let suite = CipherSuite::ALL.get(usize::from(at)).copied();
            is_open = suite.is_none();
            login = login.cipher_suite(suite.unwrap_or(CipherSuite::danger_suite_0()));
        }
        _ => {
            let auth_type = AuthType::new(at);
            is_open = auth_type == AuthType::NONE;
            login = login.v15(auth_type).ok()?;
        }
    }
    Some((login, known, is_open))
}

/// An answer to a datagram of an IPMI v1.5 login, with an AuthCode from `input`.
fn answer_v15(sent: &[u8], input: &mut Input<'_>) -> Option<Vec<u8>> {
    let sent = SessionV15::decode(sent).ok()?;
    let request = LanRequest::decode(sent.message).ok()?;
    let code = match input.byte() {
        code if code.is_multiple_of(4) => CompletionCode(code),
        _ => CompletionCode::OK,
    };
    let data = input.take(36).to_vec();
    let mut message = Vec::new();
    LanResponse::to(&request, code, &data).encode(&mut message);
    let mut answer = SessionV15 {
        message: &message,
        ..sent
    };
    for byte in &mut answer.auth_code {
        *byte = input.byte();
    }
    let mut datagram = Vec::new();
    answer.encode(&mut datagram);
    Some(datagram)
}

/// An answer to the datagram `sent` with the right tag and session ID, or almost; all else comes from `input`.
fn answer(sent: &[u8], console_id: u32, input: &mut Input<'_>) -> Option<Vec<u8>> {
    let (header, payload, _) = SessionHeader::split(sent).ok()?;
    let refuses = input.byte().is_multiple_of(4);
    let wrong = if input.byte().is_multiple_of(8) { 1 } else { 0 };
    let console_id = console_id.wrapping_add(wrong.into());
    let status = Status(input.byte());
    let refusal = |tag| Refusal::new(tag, status, console_id);
    let (payload_type, message) = match header.payload_type {
        PayloadType::OPEN_SESSION_REQUEST => {
            let request = OpenSessionRequest::from_bytes(payload).ok()?;
            let answer = if refuses {
                OpenSessionResponse::Refused(refusal(request.tag))
            } else {
                OpenSessionResponse::Accepted(OpenSessionAccepted {
                    tag: request.tag.wrapping_add(wrong),
                    privilege: Privilege::new(input.byte()),
                    console_session_id: request.console_session_id,
                    bmc_session_id: input.byte().into(),
                    authentication: request.authentication,
                    integrity: request.integrity,
                    confidentiality: request.confidentiality,
                })
            };
            (PayloadType::OPEN_SESSION_RESPONSE, answer.to_bytes())
        }
        PayloadType::RAKP_1 => {
            let request = Rakp1::from_bytes(payload).ok()?;
            let answer = if refuses {
                Rakp2::Refused(refusal(request.tag))
            } else {
                Rakp2::Accepted(Rakp2Accepted {
                    tag: request.tag,
                    console_session_id: console_id,
                    bmc_random: [input.byte(); 16],
                    bmc_guid: [0; 16],
                    auth_code: AuthCode::new(input.take(32)).unwrap_or(AuthCode::EMPTY),
                })
            };
            (PayloadType::RAKP_2, answer.to_bytes())
        }
        PayloadType::RAKP_3 => {
            let request = Rakp3::from_bytes(payload).ok()?;
            let answer = Rakp4::Accepted(Rakp4Accepted {
                tag: request.tag,
                console_session_id: console_id,
                integrity_check: AuthCode::new(input.take(16)).unwrap_or(AuthCode::EMPTY),
            });
            (PayloadType::RAKP_4, answer.to_bytes())
        }
        _ => return None,
    };
    let mut datagram = Vec::new();
    SessionHeader::encode_sessionless(payload_type, &message, &mut datagram);
    datagram.put_slice(input.take(usize::from(wrong)));
    Some(datagram)
}
