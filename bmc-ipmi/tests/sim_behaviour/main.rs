//! The simulated BMC in virtual time, driven by a console written out by hand: every refusal, limit and fault.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod abilities;
mod console;

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
use bmc_ipmi::crypto::{self, CipherSuite};
use bmc_ipmi::sim::{RefusalForm, Sim, SimHandle, SimQuirks};
use bmc_ipmi::wire::{
    AuthenticationAlgorithm, CompletionCode, OpenSessionRequest, OpenSessionResponse, PayloadType,
    Privilege, Rakp2, Rakp4, Refusal, Role, SessionHeader, Status,
};

use console::{CONSOLE_ID, Console, Framing, Refused, frame, payload_of, request};

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
        let quirks = SimQuirks {
            refusals,
            ..SimQuirks::default()
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
        let quirks = SimQuirks {
            executes_replays,
            ..SimQuirks::default()
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
        let quirks = SimQuirks {
            seals_repeated_rakp4,
            ..SimQuirks::default()
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
