//! One command after the other in a session, with answers that are not the end of it.

use std::time::Duration;

use bmc_core::{Credentials, Effect, ErrorKind};
use bmc_ipmi::Login;
use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{
    ChassisControl, GetChassisStatus, Password, PasswordOperation, SetUserPassword, UserId,
};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::{Connection, Request};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{CompletionCode, NetFn, PayloadType, Privilege};

use crate::world::{Network, World, admin};
use crate::{SHORT, is_plain, is_unconfirmed, ms, sim, suite};

const STATUS: (NetFn, u8) = (NetFn::CHASSIS, 0x01);
const CONTROL: (NetFn, u8) = (NetFn::CHASSIS, 0x02);

fn open(sim: Sim) -> (World, Connection) {
    let mut world = World::new(
        sim,
        Network {
            latency: ms(1),
            ..Network::default()
        },
        1,
    );
    let known = suite(CipherSuite::SUITE_3);
    let connection = world.log_in(admin("password"), known, SHORT).unwrap();
    (world, connection)
}

/// Node busy, a time-out in the BMC and initialisation pass: the command is sent again after a pause.
#[test]
fn passing_troubles_are_waited_out() {
    for code in [
        CompletionCode::NODE_BUSY,
        CompletionCode::TIMEOUT,
        CompletionCode::INITIALIZING,
    ] {
        let (mut world, mut connection) = open(sim(1));
        world.sim.faults().completion_code(STATUS.0, STATUS.1, code);
        let begun = world.elapsed();
        let ticket = connection.request(world.now, &Request::new(&GetChassisStatus, &[]));
        world.run(&mut connection, ms(120), |_| false);
        assert!(
            connection.outcome(ticket).is_none(),
            "{code} is not the end"
        );
        assert_eq!(
            world.sim.log().filter(|e| e.completion == code).count(),
            2,
            "50 ms between"
        );
        world.sim.faults().completion_codes.clear();
        let status = world.finish::<GetChassisStatus>(&mut connection, ticket, SHORT);
        assert!(status.is_ok(), "{code}");
        assert!(world.elapsed() - begun < ms(300));
    }
}

/// Of these codes, only a time-out leaves open whether the BMC has acted.
#[test]
fn a_command_that_must_not_happen_twice_is_repeated_only_where_it_did_not_happen() {
    for (code, times) in [
        (CompletionCode::NODE_BUSY, 9),
        (CompletionCode::INITIALIZING, 9),
        (CompletionCode::TIMEOUT, 1),
    ] {
        let (mut world, mut connection) = open(Sim::builder().power(true).build());
        world
            .sim
            .faults()
            .completion_code(CONTROL.0, CONTROL.1, code);
        let cycle = ChassisControl::POWER_CYCLE;
        let error = world.execute(&mut connection, &cycle, SHORT).unwrap_err();
        assert_eq!(error.completion(), Some(code));
        assert_eq!(
            world.sim.log().filter(|e| e.completion == code).count(),
            times
        );
        let effect = if times == 1 {
            Effect::Unknown
        } else {
            Effect::None
        };
        assert_eq!(error.effect(), effect, "{error}");
    }
}

/// "Duplicated request" says that the answer is on its way, or lost.
#[test]
fn a_duplicated_request_is_no_answer() {
    let (mut world, mut connection) = open(sim(1));
    let code = CompletionCode::DUPLICATE;
    world.sim.faults().completion_code(STATUS.0, STATUS.1, code);
    let ticket = connection.request(world.now, &Request::new(&GetChassisStatus, &[]));
    world.run(&mut connection, ms(100), |_| false);
    assert_eq!(world.sim.log().filter(|e| e.completion == code).count(), 1);
    world.sim.faults().completion_codes.clear();
    let status = world.finish::<GetChassisStatus>(&mut connection, ticket, Duration::from_secs(1));
    assert!(!status.unwrap().is_on());
}

#[test]
fn busy_answers_are_waited_out() {
    let mut world = World::new(sim(1), Network::default(), 1);
    let mut connection = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_3), SHORT)
        .unwrap();
    let status = (NetFn::CHASSIS, 0x01);
    world
        .sim
        .faults()
        .completion_codes
        .insert(status, CompletionCode::NODE_BUSY);
    let error = world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
    assert!(connection.is_open(), "a busy BMC is not a lost one");
    world.sim.faults().completion_codes.clear();
    world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap();
}

/// The BMC wants more privilege than the command is known to need.
#[test]
fn a_lack_of_privilege_is_made_up_for_once() {
    let mut world = World::new(sim(1), Network::default(), 1);
    let known = suite(CipherSuite::SUITE_3);
    let mut connection = world.log_in(admin("password"), known, SHORT).unwrap();
    let before = world.sent;
    let power_up = Request {
        privilege: Privilege::USER,
        ..Request::new(&ChassisControl::POWER_UP, &[1])
    };
    let ticket = connection.request(world.now, &power_up);
    let done = world.finish::<ChassisControl>(&mut connection, ticket, SHORT);
    done.unwrap();
    assert_eq!(world.sent - before, 3);

    let control = (NetFn::CHASSIS, 0x02);
    let refusal = CompletionCode::INSUFFICIENT_PRIVILEGE;
    world
        .sim
        .faults()
        .completion_code(control.0, control.1, refusal);
    let error = world
        .execute(&mut connection, &ChassisControl::POWER_UP, SHORT)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
}

#[test]
fn a_lost_session_is_noticed() {
    let mut world = World::new(sim(1), Network::default(), 1);
    let mut connection = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_3), SHORT)
        .unwrap();
    world.sim.forget_sessions();
    let error = world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Timeout, Effect::Unknown)
    );
    assert!(!connection.is_open());
}

/// The deadline comes when the BMC has opened the session and its last message is lost.
#[test]
fn a_session_that_was_about_to_open_is_closed() {
    let mut world = World::new(sim(1), Network::default(), 1)
        .tampered(|datagram| !is_plain(datagram, PayloadType::RAKP_4));
    let mut connection = world.connect(admin("password"), suite(CipherSuite::SUITE_17));
    world.run(&mut connection, ms(100), Connection::has_event);
    assert_eq!(world.sim.sessions(), 1);
    let error = connection.give_up(world.now);
    assert!(is_unconfirmed(&error), "{error}");
    world.run(&mut connection, ms(100), |_| false);
    assert_eq!(world.sim.sessions(), 0);
}

#[test]
fn what_must_not_happen_twice_is_sent_once() {
    let sim = Sim::builder().power(true).build();
    let mut world = World::new(sim, Network::default(), 1);
    let mut connection = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_17), SHORT)
        .unwrap();
    world
        .execute(&mut connection, &ChassisControl::POWER_UP, SHORT)
        .unwrap();
    let before = world.sent;
    world.sim.faults().drop_next_replies = 1;
    let error = world
        .execute(&mut connection, &ChassisControl::POWER_CYCLE, SHORT)
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Timeout, Effect::Unknown)
    );
    assert_eq!(world.sent - before, 1);
    let now = world.now.into();
    assert_eq!(world.sim.machine(now).cycles(), 1);
}

/// Whoever logs a connection logs no password, whether it waits or is on its way.
#[test]
fn a_connection_in_words_has_no_password() {
    let password = Password::new("do not tell").unwrap();
    let bytes = format!("{:?}", password.secret().expose());
    let bytes = bytes.trim_matches(['[', ']']);
    let set = SetUserPassword {
        user: UserId::new(3).unwrap(),
        operation: PasswordOperation::Set(password.clone()),
    };
    let data = set.to_bytes();
    // This suite does not encrypt.
    for id in [CipherSuite::SUITE_3, CipherSuite::SUITE_2] {
        let sim = Sim::builder().suites([id]).build();
        let mut world = World::new(sim, Network::default(), 1);
        let login = Login::new(&Credentials::new("admin", "password")).unwrap();
        let login = login.cipher_suite(id);
        let mut connection = world.log_in(login, suite(id), SHORT).unwrap();
        let first = connection.request(world.now, &Request::new(&set, &data));
        world
            .finish::<SetUserPassword>(&mut connection, first, SHORT)
            .ok();
        connection.request(world.now, &Request::new(&set, &data));
        connection.request(world.now, &Request::new(&set, &data));
        let words = format!("{connection:?}");
        assert!(words.contains("Set User Password"), "{words}");
        assert!(!words.contains(bytes), "{words}");
    }
}
