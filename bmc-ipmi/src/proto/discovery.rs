//! Asking the BMC for its cipher suites before the login.
//!
//! In IPMI v1.5 framing, which every BMC answers; RMCP+ framing outside a session is dropped in silence by some.

use crate::codec::Wire;
use crate::command::session::cipher_suite_records::decode_records;
use crate::command::{Command, GetChannelCipherSuites};
use crate::proto::io::Outbox;
use crate::wire::lan::LanRequest;
use crate::wire::session_v15::SessionV15;
use crate::wire::{AuthType, LanResponse, PayloadType, SessionHeader};

/// Reads the list of cipher suites part by part.
#[derive(Debug)]
pub(super) struct Discovery {
    state: State,
    sequence: u8,
    index: u8,
    list: Vec<u8>,
}

#[derive(Debug, Eq, PartialEq)]
enum State {
    Asking,
    /// Numbers of the suites, without the vendors' own.
    Answered(Vec<u8>),
    /// The BMC does not know the command.
    Refused,
}

impl Discovery {
    /// Begins with the requester sequence number `sequence`.
    pub(super) fn new(sequence: u8) -> Self {
        Self {
            state: State::Asking,
            sequence,
            index: 0,
            list: Vec::new(),
        }
    }

    /// Whether a part is still missing: `transmit` may help.
    pub(super) fn is_asking(&self) -> bool {
        self.state == State::Asking
    }

    /// What the BMC says it offers, once the list is complete.
    pub(super) fn offered(&self) -> Option<&[u8]> {
        match &self.state {
            State::Answered(ids) => Some(ids),
            _ => None,
        }
    }

    /// Asks, or asks again, for the part that is missing.
    pub(super) fn transmit(&self, out: &mut Outbox) {
        let data = GetChannelCipherSuites::this_channel(self.index).to_bytes();
        let mut message = Vec::new();
        LanRequest::to_bmc(
            GetChannelCipherSuites::NETFN,
            GetChannelCipherSuites::CMD,
            self.sequence,
            &data,
        )
        .encode(&mut message);
        out.push(|datagram| SessionV15::sessionless(&message).encode(datagram));
    }

    /// Takes in a datagram outside a session. `true`: it was the part that was asked for.
    pub(super) fn on_datagram(&mut self, datagram: &[u8], out: &mut Outbox) -> bool {
        if !self.is_asking() {
            return false;
        }
        let Some(response) = sessionless_message(datagram)
            .and_then(|message| LanResponse::decode(message).ok())
            .filter(|response| {
                response.answers(
                    GetChannelCipherSuites::NETFN,
                    GetChannelCipherSuites::CMD,
                    self.sequence,
                )
            })
        else {
            return false;
        };
        let part = response
            .completion
            .is_ok()
            .then(|| GetChannelCipherSuites::decode_response(response.data).ok());
        let Some(Some(part)) = part else {
            self.state = State::Refused;
            return true;
        };
        self.list.extend_from_slice(&part.records);
        if part.is_last() || self.index == GetChannelCipherSuites::MAX_INDEX {
            let records = decode_records(&self.list).into_iter();
            let standard = records.filter(|record| record.oem.is_none());
            self.state = State::Answered(standard.map(|record| record.id).collect());
        } else {
            self.index += 1;
            self.sequence = (self.sequence + 1) % LanRequest::SEQUENCES;
            self.transmit(out);
        }
        true
    }
}

/// The LAN message of a datagram outside a session; some BMCs answer v1.5 framing in RMCP+ framing.
pub(super) fn sessionless_message(datagram: &[u8]) -> Option<&[u8]> {
    if SessionHeader::announced_by(datagram) {
        let (header, payload, _) = SessionHeader::split(datagram).ok()?;
        return super::is_plain(&header, PayloadType::IPMI).then_some(payload);
    }
    let header = SessionV15::decode(datagram).ok()?;
    (header.session_id == 0 && header.auth_type == AuthType::NONE).then_some(header.message)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::wire::CompletionCode;

    /// The answer to the part that is asked for.
    fn answer(discovery: &Discovery, records: &[u8]) -> Vec<u8> {
        let (netfn, command) = (GetChannelCipherSuites::NETFN, GetChannelCipherSuites::CMD);
        let request = LanRequest::to_bmc(netfn, command, discovery.sequence, &[]);
        let data = [&[1], records].concat();
        let mut message = Vec::new();
        LanResponse::to(&request, CompletionCode::OK, &data).encode(&mut message);
        let mut datagram = Vec::new();
        SessionV15::sessionless(&message).encode(&mut datagram);
        datagram
    }

    #[test]
    fn suites_of_manufacturers_are_not_those_of_the_specification() {
        let mut discovery = Discovery::new(0);
        // Start of record, number, algorithms; C1h has an enterprise number behind the number.
        let records = [0xc1, 17, 1, 2, 3, 3, 0x44, 0x81, 0xc0, 3, 1, 0x41, 0x81];
        let datagram = answer(&discovery, &records);
        assert!(discovery.on_datagram(&datagram, &mut Outbox::default()));
        assert_eq!(discovery.offered(), Some(&[3][..]));
    }

    #[test]
    fn a_list_without_an_end_is_left() {
        let mut discovery = Discovery::new(0);
        let mut out = Outbox::default();
        for _ in 0..=GetChannelCipherSuites::MAX_INDEX {
            assert!(discovery.is_asking());
            let datagram = answer(&discovery, &[0; 16]);
            assert!(discovery.on_datagram(&datagram, &mut out));
        }
        assert!(!discovery.is_asking());
    }
}
