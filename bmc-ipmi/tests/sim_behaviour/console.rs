//! The console's side, without any retry.

use tokio::time::Instant;

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::Command;
use bmc_ipmi::crypto::{self, CipherSuite, RakpContext, SessionKeys};
use bmc_ipmi::sim::{Reply, Sim};
use bmc_ipmi::wire::{
    AuthCode, CompletionCode, LanRequest, LanResponse, OpenSessionRequest, OpenSessionResponse,
    PayloadType, Privilege, Rakp1, Rakp2, Rakp3, Rakp4, Role, SessionHeader, SessionV15, Status,
    Username,
};

pub(crate) const CONSOLE_ID: u32 = 0xa0b1_c2d3;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Framing {
    V15,
    RmcpPlus,
}

#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Refused {
    OpenSession(Status),
    Rakp2(Status),
    Rakp4(Status),
}

/// The console's side, without any retry.
pub(crate) struct Console {
    pub(crate) sim: Sim,
    pub(crate) now: Instant,
    pub(crate) username: &'static str,
    pub(crate) password: &'static str,
    pub(crate) role: Role,
}

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: u32,
    pub(crate) context: RakpContext,
    pub(crate) rakp2_code: AuthCode,
    pub(crate) keys: Option<SessionKeys>,
    pub(crate) sequence: u32,
}

impl Console {
    pub(crate) fn new(sim: Sim) -> Self {
        Self {
            sim,
            now: Instant::now(),
            username: "admin",
            password: "password",
            role: Role::by_name(Privilege::ADMINISTRATOR),
        }
    }

    pub(crate) fn send(&mut self, datagram: &[u8]) -> Vec<Vec<u8>> {
        let peer = ([127, 0, 0, 1], 4000).into();
        let replies = self.sim.on_datagram(self.now, peer, datagram);
        replies.into_iter().map(|reply| reply.datagram).collect()
    }

    pub(crate) fn sessionless<C: Command>(
        &mut self,
        framing: Framing,
        command: &C,
    ) -> Result<C::Response, CompletionCode> {
        let reply = self.send(&frame(framing, &request(command, 1))).remove(0);
        let message = match framing {
            Framing::V15 => SessionV15::decode(&reply).unwrap().message.to_vec(),
            Framing::RmcpPlus => payload_of(&reply),
        };
        response::<C>(&message, 1)
    }

    pub(crate) fn handshake_datagram(
        &mut self,
        payload_type: PayloadType,
        message: &impl Wire,
    ) -> Vec<u8> {
        let mut datagram = Vec::new();
        SessionHeader::encode_sessionless(payload_type, &message.to_bytes(), &mut datagram);
        self.send(&datagram).remove(0)
    }

    pub(crate) fn handshake(&mut self, payload_type: PayloadType, message: &impl Wire) -> Vec<u8> {
        payload_of(&self.handshake_datagram(payload_type, message))
    }

    pub(crate) fn open_session_request(&self, suite: CipherSuite) -> OpenSessionRequest {
        OpenSessionRequest {
            tag: 7,
            privilege: self.role.privilege(),
            console_session_id: CONSOLE_ID,
            authentication: suite.authentication(),
            integrity: suite.integrity(),
            confidentiality: suite.confidentiality(),
        }
    }

    pub(crate) fn open(&mut self, suite: CipherSuite) -> Result<u32, Refused> {
        let request = self.open_session_request(suite);
        let reply = self.handshake(PayloadType::OPEN_SESSION_REQUEST, &request);
        match OpenSessionResponse::from_bytes(&reply).unwrap() {
            OpenSessionResponse::Accepted(accepted) => Ok(accepted.bmc_session_id),
            OpenSessionResponse::Refused(refusal) => Err(Refused::OpenSession(refusal.status)),
        }
    }

    pub(crate) fn rakp1(&self, bmc_session_id: u32) -> Rakp1 {
        Rakp1 {
            tag: 7,
            bmc_session_id,
            console_random: [0x33; 16],
            role: self.role,
            username: Username::new(self.username.as_bytes()).unwrap(),
        }
    }

    pub(crate) fn challenge(&mut self, suite: CipherSuite) -> Result<Session, Refused> {
        let id = self.open(suite)?;
        let rakp1 = self.rakp1(id);
        let reply = self.handshake(PayloadType::RAKP_1, &rakp1);
        let accepted = match Rakp2::from_bytes(&reply).unwrap() {
            Rakp2::Accepted(accepted) => accepted,
            Rakp2::Refused(refusal) => return Err(Refused::Rakp2(refusal.status)),
        };
        let context = RakpContext {
            suite,
            console_session_id: CONSOLE_ID,
            bmc_session_id: id,
            console_random: rakp1.console_random,
            bmc_random: accepted.bmc_random,
            bmc_guid: accepted.bmc_guid,
            role: rakp1.role,
            username: rakp1.username,
            quirks: bmc_ipmi::quirks::Quirks::NONE,
        };
        Ok(Session {
            id,
            context,
            rakp2_code: accepted.auth_code,
            keys: None,
            sequence: 0,
        })
    }

    pub(crate) fn prove(&mut self, session: &mut Session) -> Result<(), Refused> {
        let reply = self.handshake(PayloadType::RAKP_3, &session.rakp3(self.password));
        let accepted = match Rakp4::from_bytes(&reply).unwrap() {
            Rakp4::Accepted(accepted) => accepted,
            Rakp4::Refused(refusal) => return Err(Refused::Rakp4(refusal.status)),
        };
        let keys = session.context.session_keys(self.password.as_bytes(), None);
        assert_eq!(accepted.integrity_check, session.context.rakp4_code(&keys));
        session.keys = Some(keys);
        Ok(())
    }

    pub(crate) fn login(&mut self, suite: CipherSuite) -> Result<Session, Refused> {
        let mut session = self.challenge(suite)?;
        assert_eq!(
            session.rakp2_code,
            session.context.rakp2_code(self.password.as_bytes())
        );
        self.prove(&mut session)?;
        Ok(session)
    }

    pub(crate) fn send_sealed<C: Command>(
        &mut self,
        session: &mut Session,
        command: &C,
    ) -> Vec<Reply> {
        let datagram = session.seal(command);
        let peer = ([127, 0, 0, 1], 4000).into();
        self.sim.on_datagram(self.now, peer, &datagram)
    }

    pub(crate) fn run<C: Command>(
        &mut self,
        session: &mut Session,
        command: &C,
    ) -> Result<C::Response, CompletionCode> {
        let mut reply = self.send_sealed(session, command).remove(0).datagram;
        let keys = session.keys.as_ref().unwrap();
        let opened = crypto::open(keys, CONSOLE_ID, &mut reply).unwrap();
        response::<C>(opened.payload, 1)
    }

    pub(crate) fn cycles(&mut self) -> u32 {
        self.sim.machine(self.now).cycles()
    }
}

impl Session {
    pub(crate) fn rakp3(&self, password: &str) -> Rakp3 {
        Rakp3 {
            tag: 7,
            status: Status::OK,
            bmc_session_id: self.id,
            auth_code: self.context.rakp3_code(password.as_bytes()),
        }
    }

    pub(crate) fn seal<C: Command>(&mut self, command: &C) -> Vec<u8> {
        self.sequence += 1;
        let keys = self.keys.as_ref().unwrap();
        let mut out = Vec::new();
        let message = request(command, 1);
        crypto::seal(
            keys,
            PayloadType::IPMI,
            self.id,
            self.sequence,
            &[5; 16],
            &message,
            &mut out,
        );
        out
    }
}

pub(crate) fn request<C: Command>(command: &C, sequence: u8) -> Vec<u8> {
    let data = command.to_bytes();
    let mut out = Vec::new();
    LanRequest::to_bmc(C::NETFN, C::CMD, sequence, &data).encode(&mut out);
    out
}

pub(crate) fn response<C: Command>(
    message: &[u8],
    sequence: u8,
) -> Result<C::Response, CompletionCode> {
    let response = LanResponse::decode(message).unwrap();
    assert!(response.answers(C::NETFN, C::CMD, sequence));
    if !response.completion.is_ok() {
        return Err(response.completion);
    }
    Ok(C::decode_response(response.data).unwrap())
}

pub(crate) fn frame(framing: Framing, message: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match framing {
        Framing::V15 => SessionV15::sessionless(message).encode(&mut out),
        Framing::RmcpPlus => {
            SessionHeader::encode_sessionless(PayloadType::IPMI, message, &mut out);
        }
    }
    out
}

pub(crate) fn payload_of(datagram: &[u8]) -> Vec<u8> {
    SessionHeader::split(datagram).unwrap().1.to_vec()
}
