//! What is sent again and how, and what a late or foreign answer must not do.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{ChassisControl, Command, GetChassisStatus, GetDeviceId};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Connection;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{CompletionCode, PayloadType, Privilege, SessionHeader};
use bmc_ipmi::{Error, Step};

use crate::world::{Network, World, admin};
use crate::{SHORT, is_plain, ms, sim, suite};

const NEAR: Network = Network {
    loss: 0,
    duplicates: 0,
    forgeries: 0,
    latency: Duration::from_millis(1),
    jitter: Duration::ZERO,
};

fn open(world: &mut World, known: CipherSuite) -> Connection {
    world
        .log_in(admin("password"), suite(known), SHORT)
        .unwrap()
}

/// An answer to one of two requests tells nothing about the round trip (Karn).
#[test]
fn an_answer_to_a_repeated_command_is_no_measure() {
    let mut world = World::new(sim(1), NEAR, 1);
    let mut connection = open(&mut world, CipherSuite::SUITE_17);
    let before = connection.known().round_trip;
    world.sim.faults().drop_next_requests = 2;
    world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap();
    assert!(world.elapsed() > ms(500), "sent three times");
    assert_eq!(connection.known().round_trip, before);
    world.sim.faults().delay = ms(10);
    world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap();
    assert_ne!(connection.known().round_trip, before);
}

/// The session sequence number is new, or the BMC would drop the repeat; the requester's is the same.
#[test]
fn a_repeat_has_the_same_number_of_the_requester() {
    const STATUS: usize = 21;
    let numbers = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&numbers);
    // Suite 1 leaves messages in clear.
    let clear = CipherSuite::SUITE_1;
    let sim = Sim::builder().suites([clear]).build();
    let mut world = World::new(sim, NEAR, 1).tampered(move |datagram| {
        let header = SessionHeader::split(datagram).unwrap().0;
        if header.session_id == 0 || datagram[STATUS] != GetChassisStatus::CMD {
            return true;
        }
        let mut seen = seen.lock().unwrap();
        seen.push(datagram[STATUS - 1] >> 2);
        seen.len() == 3
    });
    let login = admin("password").cipher_suite(clear);
    let mut connection = world.log_in(login, suite(clear), SHORT).unwrap();
    world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap();
    let numbers = numbers.lock().unwrap();
    assert_eq!(numbers.len(), 3);
    assert!(numbers.iter().all(|number| *number == numbers[0]));
}

/// A BMC may take seconds over a power cycle: it is not given up as soon as another command would be sent again.
#[test]
fn what_is_sent_once_is_waited_for() {
    let sim = Sim::builder().power(true).build();
    let mut world = World::new(sim, NEAR, 1);
    let mut connection = open(&mut world, CipherSuite::SUITE_17);
    world.sim.faults().delay = Duration::from_secs(4);
    let sent = world.sent;
    world
        .execute(&mut connection, &ChassisControl::POWER_CYCLE, SHORT)
        .unwrap();
    // The privilege was raised before, with repeats.
    assert_eq!(world.sim.machine(world.now.into()).cycles(), 1);
    assert!(world.sent - sent >= 2);
}

/// What a session cannot have is not asked for: the error is that of the command.
#[test]
fn no_more_privilege_is_asked_for_than_the_login_has() {
    let mut world = World::new(sim(1), NEAR, 1);
    let login = admin("password").privilege(Privilege::USER).unwrap();
    let known = suite(CipherSuite::SUITE_17);
    let mut connection = world.log_in(login, known, SHORT).unwrap();
    let error = world
        .execute(&mut connection, &ChassisControl::POWER_UP, SHORT)
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::Completion {
                command: ChassisControl::NAME,
                code: CompletionCode::INSUFFICIENT_PRIVILEGE
            }
        ),
        "{error}"
    );
    let commands: Vec<_> = world.sim.log().map(|entry| entry.command).collect();
    assert_eq!(commands, [ChassisControl::CMD]);
}

/// The answer to an older question comes late: the proof that is under way is not replaced by one for a random number
/// that the BMC has forgotten.
#[test]
fn an_older_random_number_does_not_replace_a_newer_one() {
    let mut older = None;
    let mut is_late = false;
    let mut world = World::new(sim(1), NEAR, 1).tampered(move |datagram| {
        if is_plain(datagram, PayloadType::RAKP_2) && older.is_none() {
            older = Some(datagram.clone());
            return false;
        }
        if is_plain(datagram, PayloadType::RAKP_4) && !is_late {
            is_late = true;
            datagram.clone_from(older.as_ref().unwrap());
        }
        true
    });
    let mut connection = open(&mut world, CipherSuite::SUITE_17);
    // Open Session; RAKP Message 1 twice; RAKP Message 3 twice, as its first answer was taken away.
    assert_eq!(world.sent, 5);
    world.execute(&mut connection, &GetDeviceId, SHORT).unwrap();
}

/// 0 is not the ID of a session.
#[test]
fn a_session_without_an_id_is_not_entered() {
    let mut world = World::new(sim(1), NEAR, 1).tampered(|datagram| {
        if is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE) {
            datagram[24..28].fill(0);
        }
        assert!(!is_plain(datagram, PayloadType::RAKP_2));
        true
    });
    let known = suite(CipherSuite::SUITE_17);
    let error = world
        .log_in(admin("password"), known, ms(3_000))
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::LoginTimeout {
                step: Step::OpenSession,
                ..
            }
        ),
        "{error}"
    );
}

/// A BMC that has restarted in the middle of a login says nothing about a session that it does not know.
#[test]
fn a_forgotten_login_is_begun_again() {
    for message in [PayloadType::RAKP_2, PayloadType::RAKP_4] {
        let mut opened = 0;
        let mut world = World::new(sim(1), NEAR, 1).tampered(move |datagram| {
            opened += i32::from(is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE));
            !is_plain(datagram, message) || opened > 1
        });
        let mut connection = open(&mut world, CipherSuite::SUITE_17);
        world.execute(&mut connection, &GetDeviceId, SHORT).unwrap();
    }
}

/// The BMC draws a number for each question, gets each twice, and ends the session when the proof is for the first: the
/// next attempts wait for both.
#[test]
fn a_refused_proof_makes_patient() {
    let network = Network {
        duplicates: 100,
        latency: ms(2),
        jitter: ms(20),
        ..Network::default()
    };
    for seed in 0..200 {
        let mut world = World::new(sim(seed), network, seed);
        let known = suite(CipherSuite::SUITE_17);
        let login = world.log_in(admin("password"), known, SHORT);
        login.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

/// pyghmi takes what comes from a known port for its old session until something outside any session comes.
#[test]
fn a_greeting_wakes_a_bmc_that_ignores_the_login() {
    let mut is_greeted = false;
    let mut world = World::new(sim(1), NEAR, 1).tampered(move |datagram| {
        let is_greeting = datagram.get(4) != Some(&0x06);
        is_greeted |= is_greeting;
        is_greeted
    });
    let mut connection = open(&mut world, CipherSuite::SUITE_17);
    // The answer to the greeting is followed by Open Session at once.
    assert!(world.elapsed() < ms(600), "{:?}", world.elapsed());
    world.execute(&mut connection, &GetDeviceId, SHORT).unwrap();
}
