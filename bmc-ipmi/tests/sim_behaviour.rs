//! The simulated BMC in virtual time, driven by a console written out by hand: every refusal, limit and fault.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;

use bmc_core::Credentials;
use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::session::cipher_suite_records::{decode_records, known_suites};
use bmc_ipmi::command::{
    BootAgents, BootOption, BootParameter, ChassisControl, CloseSession, Command,
    GetChannelAuthCapabilities, GetChannelCipherSuites, GetChassisStatus, GetDeviceId,
    GetSystemBootOptions, SetSessionPrivilegeLevel, SetSystemBootOptions,
};
use bmc_ipmi::crypto::{self, CipherSuite, RakpContext, SessionKeys};
use bmc_ipmi::sim::{Quirks, RefusalForm, Reply, Sim, SimHandle};
use bmc_ipmi::wire::{
    AuthCode, AuthenticationAlgorithm, CompletionCode, LanRequest, LanResponse, OpenSessionRequest,
    OpenSessionResponse, PayloadType, Privilege, Rakp1, Rakp2, Rakp3, Rakp4, Refusal, Role,
    SessionHeader, SessionV15, Status, Username,
};

#[test]
fn capabilities_and_suites_without_a_session_in_both_framings() {
    for framing in [Framing::V15, Framing::RmcpPlus] {
        let mut bmc = Console::new(Sim::builder().seed(1).build());
        let command = GetChannelAuthCapabilities::this_channel(Privilege::ADMINISTRATOR);
        assert!(bmc.sessionless(framing, &command).unwrap().supports_v20());
        let parts = [0, 1, 2].map(|index| {
            let command = GetChannelCipherSuites::this_channel(index);
            bmc.sessionless(framing, &command).unwrap()
        });
        assert!(parts[2].is_last());
        let list: Vec<u8> = parts.iter().flat_map(|part| part.records.clone()).collect();
        assert_eq!(
            known_suites(&decode_records(&list)),
            [CipherSuite::SUITE_3, CipherSuite::SUITE_17]
        );
        for refused in [
            bmc.sessionless(framing, &GetChassisStatus).map(|_| ()),
            bmc.sessionless(framing, &GetDeviceId).map(|_| ()),
            bmc.sessionless(framing, &ChassisControl::POWER_UP),
        ] {
            assert_eq!(refused, Err(CompletionCode::INSUFFICIENT_PRIVILEGE));
        }
    }
}

#[test]
fn a_v15_request_gets_no_v20_data() {
    let mut bmc = Console::new(Sim::builder().build());
    let command = GetChannelAuthCapabilities {
        extended: false,
        ..GetChannelAuthCapabilities::this_channel(Privilege::USER)
    };
    assert!(
        !bmc.sessionless(Framing::V15, &command)
            .unwrap()
            .supports_v20()
    );
}

#[test]
fn a_session_starts_at_user_level() {
    for suite in CipherSuite::ALL {
        let mut bmc = Console::new(Sim::builder().suites([suite]).build());
        let mut session = bmc.login(suite).unwrap();
        assert!(!bmc.run(&mut session, &GetChassisStatus).unwrap().is_on());
        let refused = bmc.run(&mut session, &ChassisControl::POWER_UP);
        assert_eq!(refused, Err(CompletionCode::INSUFFICIENT_PRIVILEGE));
        let admin = SetSessionPrivilegeLevel(Privilege::ADMINISTRATOR);
        assert_eq!(bmc.run(&mut session, &admin), Ok(admin));
        let read = SetSessionPrivilegeLevel(Privilege::HIGHEST);
        assert_eq!(bmc.run(&mut session, &read), Ok(admin));
        bmc.run(&mut session, &ChassisControl::POWER_UP).unwrap();
        assert!(bmc.run(&mut session, &GetChassisStatus).unwrap().is_on());
        let close = CloseSession {
            session_id: session.id,
        };
        bmc.run(&mut session, &close).unwrap();
        assert_eq!(bmc.sim.sessions(), 0);
        assert_eq!(bmc.send_sealed(&mut session, &GetChassisStatus), []);
    }
}

#[test]
fn privilege_is_limited_by_user_and_by_login() {
    let builder = Sim::builder().user(Credentials::new("admin", "password"), Privilege::OPERATOR);
    let mut bmc = Console::new(builder.build());
    let error = bmc.login(CipherSuite::SUITE_17).unwrap_err();
    assert_eq!(error, Refused::Rakp2(Status::UNAUTHORIZED_ROLE));
    bmc.role = Role::by_name(Privilege::OPERATOR);
    let mut session = bmc.login(CipherSuite::SUITE_17).unwrap();
    let too_much = SetSessionPrivilegeLevel(Privilege::ADMINISTRATOR);
    let refused = bmc.run(&mut session, &too_much);
    assert_eq!(refused, Err(SetSessionPrivilegeLevel::ABOVE_LIMIT));
    // Without the name-only bit, the privilege must be the user's own.
    bmc.role = Role(Privilege::USER.value());
    let error = bmc.login(CipherSuite::SUITE_17).unwrap_err();
    assert_eq!(error, Refused::Rakp2(Status::UNAUTHORIZED_NAME));
}

#[test]
fn a_suite_that_is_not_offered_is_refused_with_the_reason() {
    let mut bmc = Console::new(Sim::builder().suites([CipherSuite::SUITE_17]).build());
    let error = bmc.login(CipherSuite::SUITE_3).unwrap_err();
    assert_eq!(
        error,
        Refused::OpenSession(Status::INVALID_AUTHENTICATION_ALGORITHM)
    );
    let mixed = OpenSessionRequest {
        authentication: AuthenticationAlgorithm::HMAC_SHA1,
        ..bmc.open_session_request(CipherSuite::SUITE_17)
    };
    let mut both = Console::new(Sim::builder().build());
    let reply = both.handshake(PayloadType::OPEN_SESSION_REQUEST, &mixed);
    let expected = Refusal::new(7, Status::NO_CIPHER_SUITE_MATCH, CONSOLE_ID);
    assert_eq!(
        OpenSessionResponse::from_bytes(&reply),
        Ok(OpenSessionResponse::Refused(expected))
    );
}

#[test]
fn wrong_names_and_passwords_are_told_apart() {
    let mut bmc = Console::new(Sim::builder().build());
    bmc.password = "wrong";
    let mut session = bmc.challenge(CipherSuite::SUITE_17).unwrap();
    assert_ne!(
        session.rakp2_code,
        session.context.rakp2_code(b"wrong"),
        "the BMC uses its own password"
    );
    assert_eq!(session.rakp2_code, session.context.rakp2_code(b"password"));
    let error = bmc.prove(&mut session).unwrap_err();
    assert_eq!(error, Refused::Rakp4(Status::INVALID_INTEGRITY_CHECK_VALUE));
    assert_eq!(bmc.sim.sessions(), 0, "a failed login leaves nothing");
    let error = bmc.prove(&mut session).unwrap_err();
    assert_eq!(error, Refused::Rakp4(Status::INVALID_SESSION_ID));

    bmc.username = "nobody";
    let error = bmc.login(CipherSuite::SUITE_17).unwrap_err();
    assert_eq!(error, Refused::Rakp2(Status::UNAUTHORIZED_NAME));

    (bmc.username, bmc.password) = ("admin", "new");
    assert!(bmc.sim.set_password("admin", "new"));
    assert!(!bmc.sim.set_password("nobody", "new"));
    bmc.login(CipherSuite::SUITE_17).unwrap();
}

#[test]
fn refusals_have_the_form_of_the_bmc_that_is_imitated() {
    for (refusals, expected) in [
        (
            RefusalForm::Standard,
            [&[7, 0x0d, 0, 0][..], &CONSOLE_ID.to_le_bytes()].concat(),
        ),
        (RefusalForm::Short, vec![7, 0x0d]),
        (RefusalForm::ZeroFilled, [&[0, 0x0d][..], &[0; 38]].concat()),
    ] {
        let quirks = Quirks {
            refusals,
            ..Quirks::default()
        };
        let mut bmc = Console::new(Sim::builder().quirks(quirks).build());
        bmc.sim.faults().refuse_auth = Some(Status::UNAUTHORIZED_NAME);
        let id = bmc.open(CipherSuite::SUITE_17).unwrap();
        let rakp1 = bmc.rakp1(id);
        assert_eq!(bmc.handshake(PayloadType::RAKP_1, &rakp1), expected);
    }
}

#[test]
fn malformed_handshakes_are_refused_and_forged_packets_ignored() {
    let mut bmc = Console::new(Sim::builder().build());
    let mut datagram = Vec::new();
    SessionHeader::encode_sessionless(PayloadType::RAKP_1, &[9, 0, 0], &mut datagram);
    let reply = payload_of(&bmc.send(&datagram)[0]);
    let expected = Refusal::new(9, Status::ILLEGAL_PARAMETER, 0);
    assert_eq!(Rakp2::from_bytes(&reply), Ok(Rakp2::Refused(expected)));

    let mut session = bmc.login(CipherSuite::SUITE_3).unwrap();
    let sealed = session.seal(&GetChassisStatus);
    for at in 4..sealed.len() {
        let mut forged = sealed.clone();
        forged[at] ^= 0x01;
        let answered = bmc.send(&forged);
        assert!(answered.is_empty(), "byte {at} of a sealed packet");
    }
    assert_eq!(bmc.send(&sealed).len(), 1);
    for junk in [
        &[][..],
        &[6],
        &[6, 0, 0xff, 7],
        &[6, 0, 0xff, 6, 0, 0, 0x11, 0xbe, 0x40, 0, 0, 0],
    ] {
        assert!(bmc.send(junk).is_empty());
    }
}

#[test]
fn a_replayed_packet_is_executed_only_by_bmcs_that_do_not_look() {
    for executes_replays in [false, true] {
        let quirks = Quirks {
            executes_replays,
            ..Quirks::default()
        };
        let mut bmc = Console::new(Sim::builder().power(true).quirks(quirks).build());
        let mut session = bmc.login(CipherSuite::SUITE_17).unwrap();
        let operator = SetSessionPrivilegeLevel(Privilege::OPERATOR);
        bmc.run(&mut session, &operator).unwrap();
        let cycle = session.seal(&ChassisControl::POWER_CYCLE);
        bmc.send(&cycle);
        bmc.send(&cycle);
        let now = bmc.now;
        assert_eq!(
            bmc.sim.machine(now).cycles(),
            if executes_replays { 2 } else { 1 }
        );
    }
}

#[test]
fn a_repeated_rakp3_gets_rakp4_again() {
    for seals_repeated_rakp4 in [false, true] {
        let quirks = Quirks {
            seals_repeated_rakp4,
            ..Quirks::default()
        };
        let mut bmc = Console::new(Sim::builder().quirks(quirks).build());
        let mut session = bmc.challenge(CipherSuite::SUITE_17).unwrap();
        bmc.prove(&mut session).unwrap();
        let rakp3 = session.rakp3("password");
        let mut reply = bmc.handshake_datagram(PayloadType::RAKP_3, &rakp3);
        let payload = if seals_repeated_rakp4 {
            let keys = session.keys.as_ref().unwrap();
            let opened = crypto::open(keys, CONSOLE_ID, &mut reply).unwrap();
            assert_eq!(opened.payload_type, PayloadType::RAKP_4);
            opened.payload.to_vec()
        } else {
            payload_of(&reply)
        };
        assert!(matches!(
            Rakp4::from_bytes(&payload),
            Ok(Rakp4::Accepted(_))
        ));
        assert_eq!(bmc.sim.sessions(), 1);
    }
}

#[test]
fn the_random_number_is_new_for_each_rakp1() {
    let mut bmc = Console::new(Sim::builder().build());
    let id = bmc.open(CipherSuite::SUITE_17).unwrap();
    let rakp1 = bmc.rakp1(id);
    let first = bmc.handshake(PayloadType::RAKP_1, &rakp1);
    assert_ne!(first, bmc.handshake(PayloadType::RAKP_1, &rakp1));
}

#[test]
fn sessions_are_limited_and_expire() {
    let mut bmc = Console::new(Sim::builder().max_sessions(2).build());
    let mut session = bmc.login(CipherSuite::SUITE_17).unwrap();
    bmc.open(CipherSuite::SUITE_17).unwrap();
    let full = Err(Refused::OpenSession(Status::INSUFFICIENT_RESOURCES));
    assert_eq!(bmc.open(CipherSuite::SUITE_17), full);
    bmc.now += Duration::from_secs(59);
    bmc.run(&mut session, &GetChassisStatus).unwrap();
    bmc.now += Duration::from_secs(1);
    bmc.open(CipherSuite::SUITE_17)
        .expect("the half-open session has expired");
    assert_eq!(bmc.sim.sessions(), 2);
    bmc.now += Duration::from_secs(60);
    assert_eq!(bmc.send_sealed(&mut session, &GetChassisStatus), []);
    assert_eq!(bmc.sim.sessions(), 0);
}

#[test]
fn boot_options_are_kept_and_unknown_ones_refused() {
    let mut bmc = Console::new(Sim::builder().build());
    let mut session = bmc.login(CipherSuite::SUITE_17).unwrap();
    let operator = SetSessionPrivilegeLevel(Privilege::OPERATOR);
    bmc.run(&mut session, &operator).unwrap();
    for option in [
        BootOption::SET_BEGUN,
        BootOption::KEEP_AFTER_TIMEOUT,
        BootOption::InfoAcknowledge {
            mask: BootAgents::NONE,
            data: BootAgents::BIOS | BootAgents::OS,
        },
    ] {
        let mut set = SetSystemBootOptions::new(option.clone());
        if let BootOption::InfoAcknowledge { mask, .. } = &mut set.option {
            *mask = BootAgents::ALL;
        }
        bmc.run(&mut session, &set).unwrap();
        let read = bmc
            .run(&mut session, &GetSystemBootOptions::new(option.parameter()))
            .unwrap();
        assert_eq!((read.version, read.locked, read.option), (1, false, option));
    }
    let unknown = BootParameter::new(96);
    let refused = bmc
        .run(&mut session, &GetSystemBootOptions::new(unknown))
        .unwrap_err();
    assert_eq!(refused, GetSystemBootOptions::UNSUPPORTED);
    let set = SetSystemBootOptions::new(BootOption::Other {
        parameter: unknown,
        data: vec![1],
    });
    assert_eq!(
        bmc.run(&mut session, &set),
        Err(SetSystemBootOptions::UNSUPPORTED)
    );
}

#[test]
fn each_fault_does_what_it_says() {
    let mut bmc = Console::new(Sim::builder().seed(3).power(true).build());
    let mut session = bmc.login(CipherSuite::SUITE_17).unwrap();
    let operator = SetSessionPrivilegeLevel(Privilege::OPERATOR);
    bmc.run(&mut session, &operator).unwrap();

    bmc.sim.faults().drop_next_requests = 1;
    assert_eq!(
        bmc.send_sealed(&mut session, &ChassisControl::POWER_CYCLE),
        []
    );
    assert_eq!(bmc.cycles(), 0);
    bmc.sim.faults().drop_next_replies = 1;
    assert_eq!(
        bmc.send_sealed(&mut session, &ChassisControl::POWER_CYCLE),
        []
    );
    assert_eq!(bmc.cycles(), 1);

    bmc.sim.faults().ignore = true;
    bmc.run(&mut session, &ChassisControl::POWER_CYCLE).unwrap();
    assert_eq!(bmc.cycles(), 1);
    bmc.sim.faults().ignore = false;

    let busy = CompletionCode::NODE_BUSY;
    bmc.sim
        .faults()
        .completion_code(ChassisControl::NETFN, ChassisControl::CMD, busy);
    assert_eq!(
        bmc.run(&mut session, &ChassisControl::POWER_CYCLE),
        Err(busy)
    );
    assert_eq!(bmc.sim.log().last().unwrap().completion, busy);
    bmc.sim.faults().completion_code(
        ChassisControl::NETFN,
        ChassisControl::CMD,
        CompletionCode::OK,
    );
    bmc.run(&mut session, &ChassisControl::POWER_CYCLE).unwrap();
    assert_eq!(bmc.cycles(), 2);

    bmc.sim.faults().silent = true;
    assert_eq!(bmc.send_sealed(&mut session, &GetChassisStatus), []);
    bmc.sim.faults().silent = false;

    bmc.sim.faults().duplicate = true;
    bmc.sim.faults().delay = Duration::from_millis(50);
    let replies = bmc.send_sealed(&mut session, &GetChassisStatus);
    assert_eq!(replies.len(), 2);
    assert_eq!(replies[0], replies[1]);
    assert_eq!(replies[0].due, bmc.now + Duration::from_millis(50));
    bmc.sim.faults().duplicate = false;

    bmc.sim.faults().corrupt = 1.0;
    for _ in 0..20 {
        let mut reply = bmc
            .send_sealed(&mut session, &GetChassisStatus)
            .remove(0)
            .datagram;
        // A changed bit in the first four bytes is no damage to what the AuthCode covers.
        let damaged = reply[..4] != [6, 0, 0xff, 7];
        let opened = crypto::open(session.keys.as_ref().unwrap(), CONSOLE_ID, &mut reply);
        assert!(damaged || opened.is_err());
    }
    bmc.sim.faults().corrupt = 0.0;

    bmc.sim.faults().reorder = Duration::from_secs(1);
    let due: Vec<_> = (0..20)
        .map(|_| bmc.send_sealed(&mut session, &GetChassisStatus)[0].due)
        .collect();
    assert!(!due.is_sorted(), "replies overtake each other");
    bmc.sim.faults().reorder = Duration::ZERO;

    bmc.sim.faults().drop = 0.5;
    let answered = (0..400)
        .filter(|_| !bmc.send_sealed(&mut session, &GetChassisStatus).is_empty())
        .count();
    assert!(
        (60..140).contains(&answered),
        "a quarter survives both ways: {answered}"
    );
}

#[test]
fn a_seed_repeats_everything() {
    let run = |seed| {
        let mut bmc = Console::new(Sim::builder().seed(seed).build());
        bmc.challenge(CipherSuite::SUITE_17)
            .unwrap()
            .context
            .bmc_random
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

#[tokio::test(start_paused = true)]
async fn the_server_sends_delayed_replies_when_they_are_due() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.faults(|faults| faults.delay = Duration::from_secs(3));
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    socket.connect(bmc.addr()).await.unwrap();
    let command = GetChannelAuthCapabilities::this_channel(Privilege::USER);
    let sent = Instant::now();
    socket
        .send(&frame(Framing::V15, &request(&command, 1)))
        .await
        .unwrap();
    let length = socket.recv(&mut [0; 256]).await.unwrap();
    assert!(length > 20);
    assert!(sent.elapsed() >= Duration::from_secs(3));
    assert_eq!(bmc.log().len(), 1);
}

#[tokio::test]
async fn many_bmcs_are_independent_and_successive_ports_are_possible() {
    let bmcs = Sim::builder().spawn_many(3).await.unwrap();
    bmcs[1].set_power(true);
    assert_eq!(
        bmcs.iter().map(SimHandle::power).collect::<Vec<_>>(),
        [false, true, false]
    );
    let last: SocketAddr = "127.0.0.1:65535".parse().unwrap();
    let error = Sim::builder()
        .address(last)
        .spawn_many(2)
        .await
        .unwrap_err();
    assert!(matches!(
        error.kind(),
        std::io::ErrorKind::InvalidInput | std::io::ErrorKind::AddrInUse
    ));
}

const CONSOLE_ID: u32 = 0xa0b1_c2d3;

#[derive(Clone, Copy, Debug)]
enum Framing {
    V15,
    RmcpPlus,
}

#[derive(Debug, Eq, PartialEq)]
enum Refused {
    OpenSession(Status),
    Rakp2(Status),
    Rakp4(Status),
}

/// The console's side, without any retry.
struct Console {
    sim: Sim,
    now: Instant,
    username: &'static str,
    password: &'static str,
    role: Role,
}

#[derive(Debug)]
struct Session {
    id: u32,
    context: RakpContext,
    rakp2_code: AuthCode,
    keys: Option<SessionKeys>,
    sequence: u32,
}

impl Console {
    fn new(sim: Sim) -> Self {
        Self {
            sim,
            now: Instant::now(),
            username: "admin",
            password: "password",
            role: Role::by_name(Privilege::ADMINISTRATOR),
        }
    }

    fn send(&mut self, datagram: &[u8]) -> Vec<Vec<u8>> {
        let peer = ([127, 0, 0, 1], 4000).into();
        let replies = self.sim.on_datagram(self.now, peer, datagram);
        replies.into_iter().map(|reply| reply.datagram).collect()
    }

    fn sessionless<C: Command>(
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

    fn handshake_datagram(&mut self, payload_type: PayloadType, message: &impl Wire) -> Vec<u8> {
        let mut datagram = Vec::new();
        SessionHeader::encode_sessionless(payload_type, &message.to_bytes(), &mut datagram);
        self.send(&datagram).remove(0)
    }

    fn handshake(&mut self, payload_type: PayloadType, message: &impl Wire) -> Vec<u8> {
        payload_of(&self.handshake_datagram(payload_type, message))
    }

    fn open_session_request(&self, suite: CipherSuite) -> OpenSessionRequest {
        OpenSessionRequest {
            tag: 7,
            privilege: self.role.privilege(),
            console_session_id: CONSOLE_ID,
            authentication: suite.authentication(),
            integrity: suite.integrity(),
            confidentiality: suite.confidentiality(),
        }
    }

    fn open(&mut self, suite: CipherSuite) -> Result<u32, Refused> {
        let request = self.open_session_request(suite);
        let reply = self.handshake(PayloadType::OPEN_SESSION_REQUEST, &request);
        match OpenSessionResponse::from_bytes(&reply).unwrap() {
            OpenSessionResponse::Accepted(accepted) => Ok(accepted.bmc_session_id),
            OpenSessionResponse::Refused(refusal) => Err(Refused::OpenSession(refusal.status)),
        }
    }

    fn rakp1(&self, bmc_session_id: u32) -> Rakp1 {
        Rakp1 {
            tag: 7,
            bmc_session_id,
            console_random: [0x33; 16],
            role: self.role,
            username: Username::new(self.username.as_bytes()).unwrap(),
        }
    }

    fn challenge(&mut self, suite: CipherSuite) -> Result<Session, Refused> {
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

    fn prove(&mut self, session: &mut Session) -> Result<(), Refused> {
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

    fn login(&mut self, suite: CipherSuite) -> Result<Session, Refused> {
        let mut session = self.challenge(suite)?;
        assert_eq!(
            session.rakp2_code,
            session.context.rakp2_code(self.password.as_bytes())
        );
        self.prove(&mut session)?;
        Ok(session)
    }

    fn send_sealed<C: Command>(&mut self, session: &mut Session, command: &C) -> Vec<Reply> {
        let datagram = session.seal(command);
        let peer = ([127, 0, 0, 1], 4000).into();
        self.sim.on_datagram(self.now, peer, &datagram)
    }

    fn run<C: Command>(
        &mut self,
        session: &mut Session,
        command: &C,
    ) -> Result<C::Response, CompletionCode> {
        let mut reply = self.send_sealed(session, command).remove(0).datagram;
        let keys = session.keys.as_ref().unwrap();
        let opened = crypto::open(keys, CONSOLE_ID, &mut reply).unwrap();
        response::<C>(opened.payload, 1)
    }

    fn cycles(&mut self) -> u32 {
        self.sim.machine(self.now).cycles()
    }
}

impl Session {
    fn rakp3(&self, password: &str) -> Rakp3 {
        Rakp3 {
            tag: 7,
            status: Status::OK,
            bmc_session_id: self.id,
            auth_code: self.context.rakp3_code(password.as_bytes()),
        }
    }

    fn seal<C: Command>(&mut self, command: &C) -> Vec<u8> {
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

fn request<C: Command>(command: &C, sequence: u8) -> Vec<u8> {
    let data = command.to_bytes();
    let mut out = Vec::new();
    LanRequest::to_bmc(C::NETFN, C::CMD, sequence, &data).encode(&mut out);
    out
}

fn response<C: Command>(message: &[u8], sequence: u8) -> Result<C::Response, CompletionCode> {
    let response = LanResponse::decode(message).unwrap();
    assert!(response.answers(C::NETFN, C::CMD, sequence));
    if !response.completion.is_ok() {
        return Err(response.completion);
    }
    Ok(C::decode_response(response.data).unwrap())
}

fn frame(framing: Framing, message: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match framing {
        Framing::V15 => SessionV15::sessionless(message).encode(&mut out),
        Framing::RmcpPlus => {
            SessionHeader::encode_sessionless(PayloadType::IPMI, message, &mut out);
        }
    }
    out
}

fn payload_of(datagram: &[u8]) -> Vec<u8> {
    SessionHeader::split(datagram).unwrap().1.to_vec()
}
