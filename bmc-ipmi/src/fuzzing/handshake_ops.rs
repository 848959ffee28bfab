//! The login under any sequence of datagrams and time-outs.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use bmc_core::Credentials;
use bytes::BufMut;

use super::input::Input;
use crate::codec::Wire;
use crate::config::Login;
use crate::crypto::CipherSuite;
use crate::proto::{Connection, Event, Known};
use crate::wire::{
    AuthCode, OpenSessionAccepted, OpenSessionRequest, OpenSessionResponse, PayloadType, Privilege,
    Rakp1, Rakp2, Rakp2Accepted, Rakp3, Rakp4, Rakp4Accepted, Refusal, SessionHeader, Status,
};

static LOGIN: LazyLock<Option<Arc<Login>>> = LazyLock::new(|| {
    let login = Login::new(&Credentials::new("admin", "a password that"));
    login.ok().map(Arc::new)
});

/// Reads operations from `data` and carries them out on a login: any datagram, a well-formed answer that only lacks
/// the right codes, a refusal, a time-out. Whatever happens, nothing panics, every deadline can be met, and there is
/// no session, because nobody here knows the password.
pub fn ipmi_handshake_ops(data: &[u8]) {
    let Some(login) = LOGIN.as_ref() else {
        return;
    };
    let mut input = Input(data);
    let known = Known {
        suite: CipherSuite::from_id(input.byte()),
        ..Known::default()
    };
    let mut now = Instant::now();
    let mut connection = Connection::new(Arc::clone(login), known, now, [7; 32]);
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
                if let Some(mut datagram) = answer(&last, connection.console_id(), &mut input) {
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
            Some(event) => unreachable!("{event:?} without the password"),
        }
    }
    let error = connection.give_up(now);
    assert!(!error.to_string().is_empty());
    assert!(!connection.is_open());
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
