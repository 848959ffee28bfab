//! Opening what consoles send and sealing what the BMC answers.

use std::net::SocketAddr;

use rand::Rng;
use tokio::time::Instant;

use crate::codec::Wire;
use crate::crypto;
use crate::quirks::Quirk;
use crate::sim::session::Protection;
use crate::sim::{Sim, v15};
use crate::wire::{
    CompletionCode, LanRequest, LanResponse, PayloadType, RmcpClass, RmcpHeader, SessionHeader,
};

impl Sim {
    pub(super) fn answer(
        &mut self,
        now: Instant,
        peer: SocketAddr,
        datagram: &[u8],
    ) -> Option<Vec<u8>> {
        if datagram.get(3) == Some(&RmcpClass::ASF.0) {
            return self.answer_ping(datagram);
        }
        if !SessionHeader::announced_by(datagram) {
            return self.answer_v15(now, peer, datagram);
        }
        let (header, payload, _) = SessionHeader::split(datagram).ok()?;
        if header.session_id != 0 {
            return self.answer_in_session(now, peer, header.session_id, datagram);
        }
        if header.authenticated || header.encrypted {
            return None;
        }
        let (payload_type, reply) = match header.payload_type {
            PayloadType::IPMI if self.settings.quirks.ignores_sessionless_rmcp_plus => return None,
            PayloadType::IPMI => (
                PayloadType::IPMI,
                self.answer_sessionless(now, peer, payload)?,
            ),
            PayloadType::OPEN_SESSION_REQUEST if !self.channels.is_open() => return None,
            PayloadType::OPEN_SESSION_REQUEST => (
                PayloadType::OPEN_SESSION_RESPONSE,
                self.on_open_session(now, payload),
            ),
            PayloadType::RAKP_1 => (PayloadType::RAKP_2, self.on_rakp1(now, payload)),
            PayloadType::RAKP_3 => return self.on_rakp3(now, payload),
            _ => return None,
        };
        let mut out = Vec::new();
        SessionHeader::encode_sessionless(payload_type, &reply, &mut out);
        Some(out)
    }

    pub(super) fn answer_sessionless(
        &mut self,
        now: Instant,
        peer: SocketAddr,
        message: &[u8],
    ) -> Option<Vec<u8>> {
        let request = LanRequest::decode(message).ok()?;
        let (completion, data) = self.execute(now, peer, None, &request);
        Some(self.encode_response(&request, completion, &data))
    }

    fn answer_in_session(
        &mut self,
        now: Instant,
        peer: SocketAddr,
        id: u32,
        datagram: &[u8],
    ) -> Option<Vec<u8>> {
        let mut datagram = datagram.to_vec();
        let session = self.sessions.active(id)?;
        let Protection::Plus(keys) = &session.protection else {
            return None;
        };
        let opened = crypto::open(keys, id, &mut datagram).ok()?;
        if !session.window.accept(opened.sequence) && !self.settings.quirks.executes_replays {
            return None;
        }
        if opened.payload_type == PayloadType::SOL {
            session.peer = Some(peer);
            self.serial.on_packet(now, id, opened.payload);
            return None;
        }
        if opened.payload_type != PayloadType::IPMI {
            return None;
        }
        session.last_used = now;
        session.peer = Some(peer);
        let request = LanRequest::decode(opened.payload).ok()?;
        let (completion, data) = self.execute(now, peer, Some(id), &request);
        let reply = self.encode_response(&request, completion, &data);
        let sealed = self.seal_in_session(id, PayloadType::IPMI, &reply);
        self.sessions.remove_closed();
        sealed
    }

    pub(super) fn seal_follow_ups(&mut self) -> Vec<Vec<u8>> {
        let follow_ups = std::mem::take(&mut self.follow_ups);
        follow_ups
            .into_iter()
            .filter_map(|follow_up| {
                self.seal_in_session(follow_up.session, PayloadType::IPMI, &follow_up.message)
            })
            .collect()
    }

    pub(super) fn encode_response(
        &self,
        request: &LanRequest<'_>,
        completion: CompletionCode,
        data: &[u8],
    ) -> Vec<u8> {
        let mut out = Vec::new();
        LanResponse::to(request, completion, data).encode(&mut out);
        if self.settings.needs(Quirk::NoChecksumCheck)
            && let Some(sum) = out.last_mut()
        {
            *sum = !*sum;
        }
        out
    }

    pub(super) fn seal_in_session(
        &mut self,
        id: u32,
        payload_type: PayloadType,
        payload: &[u8],
    ) -> Option<Vec<u8>> {
        let mut iv = [0; 16];
        self.rng.fill_bytes(&mut iv);
        let session = self.sessions.active(id)?;
        let sequence = session.next_sequence();
        let keys = match &session.protection {
            Protection::Plus(keys) => keys,
            Protection::V15(_, auth) => {
                let mut out = Vec::new();
                let needs = self.settings.deviations();
                v15::sign(needs, auth, id, sequence, payload).encode(&mut out);
                return Some(out);
            }
        };
        let mut out = Vec::new();
        if self.faults.unprotected {
            let header = SessionHeader {
                payload_type,
                encrypted: false,
                authenticated: false,
                session_id: session.console_id,
                sequence,
                payload_length: u16::try_from(payload.len()).ok()?,
            };
            RmcpHeader::IPMI.encode(&mut out);
            header.encode(&mut out);
            out.extend_from_slice(payload);
            return Some(out);
        }
        crypto::seal(
            keys,
            payload_type,
            session.console_id,
            sequence,
            &iv,
            payload,
            &mut out,
        );
        if self.faults.wrong_integrity
            && keys.integrity.is_some()
            && let Some(last) = out.last_mut()
        {
            *last ^= 1;
        }
        Some(out)
    }
}
