//! The console's state machine against the simulated BMC over bad networks and with bad BMCs, in virtual time: always
//! the right answer or a typed error, never a wrong answer.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

mod eager;
mod quirks;
mod repeats;
mod session;
mod suites;
mod v15;
mod window;
mod world;

use std::time::Duration;

use bmc_core::{Credentials, Effect, ErrorKind};
use bmc_ipmi::command::{ChassisControl, GetChassisStatus, GetDeviceId};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::{Addressee, Known, addressee};
use bmc_ipmi::sim::{RefusalForm, Sim, SimQuirks};
use bmc_ipmi::wire::{PayloadType, Privilege, SessionHeader};
use bmc_ipmi::{Error, Login, Step};
use proptest::prelude::*;

use world::{Network, World, admin};

const SHORT: Duration = Duration::from_secs(30);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn suite(suite: CipherSuite) -> Known {
    Known {
        suite: Some(suite),
        ..Known::default()
    }
}

fn sim(seed: u64) -> Sim {
    Sim::builder().seed(seed).build()
}

/// Whether a datagram of the BMC is this message of the handshake, outside a session.
fn is_plain(datagram: &[u8], payload_type: PayloadType) -> bool {
    SessionHeader::split(datagram)
        .is_ok_and(|(header, _, _)| header.payload_type == payload_type && header.session_id == 0)
}

#[test]
fn a_status_takes_four_round_trips_and_a_power_on_five() {
    let mut world = World::new(sim(1), Network::default(), 1);
    let mut connection = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_17), SHORT)
        .unwrap();
    world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap();
    assert_eq!(world.sent, 4);
    connection.close(world.now);

    let mut world = World::new(sim(1), Network::default(), 1);
    let mut connection = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_3), SHORT)
        .unwrap();
    world
        .execute(&mut connection, &ChassisControl::POWER_UP, SHORT)
        .unwrap();
    assert_eq!(world.sent, 5);
    assert!(world.is_on());
    world
        .execute(&mut connection, &ChassisControl::POWER_CYCLE, SHORT)
        .unwrap();
    assert_eq!(world.sent, 6, "the privilege is kept");
}

#[test]
fn an_unknown_suite_costs_no_time() {
    for suites in [
        vec![CipherSuite::SUITE_3],
        vec![CipherSuite::SUITE_17],
        CipherSuite::ALL.to_vec(),
    ] {
        let strongest = *suites.iter().max_by_key(|suite| suite.id()).unwrap();
        for quirks in [
            SimQuirks::default(),
            SimQuirks {
                refusals: RefusalForm::Short,
                ignores_sessionless_rmcp_plus: true,
                hides_privilege: true,
                ..SimQuirks::default()
            },
        ] {
            let sim = Sim::builder().suites(suites.clone()).quirks(quirks).build();
            let network = Network {
                latency: ms(5),
                ..Network::default()
            };
            let mut world = World::new(sim, network, 1);
            let connection = world
                .log_in(admin("password"), Known::default(), SHORT)
                .unwrap();
            assert_eq!(connection.known().suite, Some(strongest));
            assert!(world.elapsed() <= ms(50), "{:?}", world.elapsed());
        }
    }
}

/// The BMC answers no question outside a session: suites are tried by opening sessions.
#[test]
fn suites_are_found_without_an_answer_to_the_question() {
    let sim = Sim::builder().suites([CipherSuite::SUITE_3]).build();
    let mut world = World::new(sim, Network::default(), 1)
        .tampered(|datagram| SessionHeader::announced_by(datagram));
    let connection = world
        .log_in(admin("password"), Known::default(), SHORT)
        .unwrap();
    assert_eq!(connection.known().suite, Some(CipherSuite::SUITE_3));
    assert!(world.elapsed() < ms(700), "{:?}", world.elapsed());
}

#[test]
fn a_slow_bmc_is_waited_for() {
    for duplicates in [0, 100] {
        let network = Network {
            latency: ms(650),
            duplicates,
            ..Network::default()
        };
        let mut world = World::new(sim(1), network, 7);
        let known = suite(CipherSuite::SUITE_17);
        let mut connection = world.log_in(admin("password"), known, SHORT).unwrap();
        world
            .execute(&mut connection, &GetChassisStatus, SHORT)
            .unwrap();
        assert!(
            world.elapsed() < Duration::from_secs(7),
            "{:?} with {duplicates} % duplicates",
            world.elapsed()
        );
    }
}

#[test]
fn two_hundred_runs_succeed_at_a_quarter_lost() {
    for loss in [10, 25] {
        let mut times: Vec<_> = (0..200)
            .map(|seed| {
                let network = Network {
                    loss,
                    latency: ms(1),
                    ..Network::default()
                };
                let mut world = World::new(sim(seed), network, seed);
                let known = suite(CipherSuite::SUITE_3);
                let login = world.log_in(admin("password"), known, SHORT);
                let mut connection = login.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                let left = SHORT - world.elapsed();
                let status = world.execute(&mut connection, &GetChassisStatus, left);
                status.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                world.elapsed()
            })
            .collect();
        times.sort();
        eprintln!(
            "{loss} % loss: median {:?}, worst {:?}",
            times[100], times[199]
        );
        let limit = if loss == 25 { ms(1600) } else { ms(350) };
        assert!(times[100] <= limit, "median {:?} at {loss} %", times[100]);
    }
}

#[test]
fn wrong_credentials_are_told_apart_in_every_form_of_refusal() {
    for refusals in [
        RefusalForm::Standard,
        RefusalForm::Short,
        RefusalForm::ZeroFilled,
    ] {
        let quirks = SimQuirks {
            refusals,
            ..SimQuirks::default()
        };
        let world = || {
            let sim = Sim::builder()
                .user(
                    Credentials::new("admin", "password"),
                    Privilege::ADMINISTRATOR,
                )
                .user(Credentials::new("reader", "password"), Privilege::USER)
                .quirks(quirks)
                .build();
            World::new(sim, Network::default(), 1)
        };
        let fail = |login: Login| {
            let mut world = world();
            let error = world.log_in(login, Known::default(), SHORT).unwrap_err();
            assert!(
                world.elapsed() < Duration::from_secs(3),
                "{:?}",
                world.elapsed()
            );
            error
        };
        assert!(matches!(fail(admin("wrong")), Error::WrongPassword));

        let unknown = Login::new(&Credentials::new("nobody", "password")).unwrap();
        let error = fail(unknown);
        assert_eq!(
            error.kind(),
            ErrorKind::Authentication,
            "{refusals:?}: {error}"
        );

        let reader = Login::new(&Credentials::new("reader", "password")).unwrap();
        let error = fail(reader.privilege(Privilege::OPERATOR).unwrap());
        assert_eq!(
            error.kind(),
            ErrorKind::PermissionDenied,
            "{refusals:?}: {error}"
        );
    }
}

#[test]
fn a_wrong_password_is_never_answered_with_proof() {
    let mut world = World::new(sim(1), Network::default(), 1).tampered(|datagram| {
        assert!(
            !is_plain(datagram, PayloadType::RAKP_4),
            "RAKP Message 3 was sent"
        );
        true
    });
    let error = world
        .log_in(admin("wrong"), Known::default(), SHORT)
        .unwrap_err();
    assert!(matches!(error, Error::WrongPassword), "{error}");
    assert_eq!(
        world.sent, 3,
        "one login only, and the question for the suites"
    );
}

#[test]
fn wrong_keys_are_told_from_wrong_passwords() {
    let sim = Sim::builder().kg("two-key login").build();
    let mut world = World::new(sim, Network::default(), 1);
    let error = world
        .log_in(admin("password"), Known::default(), SHORT)
        .unwrap_err();
    assert!(matches!(error, Error::WrongKg), "{error}");
    let login = admin("password").kg("two-key login".into()).unwrap();
    world.log_in(login, Known::default(), SHORT).unwrap();
}

#[test]
fn a_refused_suite_names_those_on_offer() {
    let sim = Sim::builder().suites([CipherSuite::SUITE_3]).build();
    let mut world = World::new(sim, Network::default(), 1);
    let login = admin("password").cipher_suite(CipherSuite::SUITE_17);
    let error = world.log_in(login, Known::default(), SHORT).unwrap_err();
    let Error::NoCipherSuite { tried, offered } = &error else {
        panic!("{error}");
    };
    assert_eq!(
        (tried.as_slice(), offered.as_deref()),
        ([17].as_slice(), Some([3].as_slice()))
    );
}

#[test]
fn a_full_bmc_is_busy() {
    let sim = Sim::builder().max_sessions(0).build();
    let mut world = World::new(sim, Network::default(), 1);
    let error = world
        .log_in(admin("password"), Known::default(), SHORT)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
}

#[test]
fn an_operator_logs_in_without_being_told_so() {
    let sim = Sim::builder()
        .user(Credentials::new("admin", "password"), Privilege::OPERATOR)
        .build();
    let mut world = World::new(sim, Network::default(), 1);
    let mut connection = world
        .log_in(admin("password"), Known::default(), SHORT)
        .unwrap();
    world
        .execute(&mut connection, &ChassisControl::POWER_UP, SHORT)
        .unwrap();
    assert!(world.is_on());
}

/// Who may only read can read, and is told why not more.
#[test]
fn a_user_reads_the_power_state_without_being_told_so() {
    let sim = Sim::builder()
        .user(Credentials::new("admin", "password"), Privilege::USER)
        .build();
    let mut world = World::new(sim, Network::default(), 1);
    let known = suite(CipherSuite::SUITE_3);
    let mut connection = world.log_in(admin("password"), known, SHORT).unwrap();
    let status = world.execute(&mut connection, &GetChassisStatus, SHORT);
    assert!(!status.unwrap().is_on());
    let error = world
        .execute(&mut connection, &ChassisControl::POWER_UP, SHORT)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    assert_eq!(error.effect(), Effect::None);
    assert!(!world.is_on());
}

/// Algorithm numbers of an Open Session Response in a datagram.
const ALGORITHMS: [usize; 3] = [32, 40, 48];

#[test]
fn a_downgrade_is_never_followed() {
    for (at, weaker) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)] {
        for login in [
            admin("password"),
            admin("password").cipher_suite(CipherSuite::SUITE_17),
        ] {
            let mut world = World::new(sim(1), Network::default(), 1).tampered(move |datagram| {
                if is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE) && datagram.len() == 52 {
                    datagram[ALGORITHMS[at]] = weaker;
                }
                true
            });
            match world.log_in(login, Known::default(), SHORT) {
                Err(Error::Downgrade { .. }) => {}
                // Suite 3 has algorithm 1 everywhere: asked for by name, it is no downgrade.
                Ok(connection) => {
                    assert_eq!(
                        (weaker, connection.known().suite),
                        (1, Some(CipherSuite::SUITE_3))
                    );
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// As pyghmi's BMC does.
#[test]
fn a_bmc_that_always_answers_suite_3_is_asked_for_suite_3() {
    let answer_3 = |datagram: &mut Vec<u8>| {
        if is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE) && datagram.len() == 52 {
            for at in ALGORITHMS {
                datagram[at] = 1;
            }
        }
        SessionHeader::announced_by(datagram)
    };
    let sim = Sim::builder().build();
    let mut world = World::new(sim, Network::default(), 1).tampered(answer_3);
    let connection = world
        .log_in(admin("password"), Known::default(), SHORT)
        .unwrap();
    assert_eq!(connection.known().suite, Some(CipherSuite::SUITE_3));
}

#[test]
fn an_answer_in_clear_is_not_believed() {
    let mut world = World::new(sim(1), Network::default(), 1).tampered(|datagram| {
        if let Some(Addressee::Session(_)) = addressee(datagram) {
            // The same header without the two protection bits, and an answer that says "on".
            datagram[5] &= 0x3f;
            datagram.truncate(16);
            datagram[14..16].copy_from_slice(&12_u16.to_le_bytes());
            datagram.extend([
                0x81, 0x04, 0x7b, 0x20, 0x00, 0x01, 0x00, 0x61, 0x00, 0x00, 0x00, 0x7e,
            ]);
        }
        true
    });
    let mut connection = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_17), SHORT)
        .unwrap();
    let error = world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap_err();
    assert!(matches!(error, Error::NoReply { .. }), "{error}");
    assert!(!connection.is_open());
}

#[test]
fn lost_last_messages_are_made_up_for() {
    for seals_repeated_rakp4 in [false, true] {
        let quirks = SimQuirks {
            seals_repeated_rakp4,
            ..SimQuirks::default()
        };
        let sim = Sim::builder().quirks(quirks).build();
        let mut lost = 0;
        let mut world = World::new(sim, Network::default(), 1).tampered(move |datagram| {
            let swallow = is_plain(datagram, PayloadType::RAKP_4) && lost < 1;
            lost += i32::from(swallow);
            !swallow
        });
        let known = suite(CipherSuite::SUITE_17);
        let mut connection = world.log_in(admin("password"), known, SHORT).unwrap();
        world.execute(&mut connection, &GetDeviceId, SHORT).unwrap();
        assert!(
            world.elapsed() < Duration::from_secs(1),
            "{:?}",
            world.elapsed()
        );
    }
}

/// The BMC gets every datagram twice and draws a new random number for each RAKP Message 1.
#[test]
fn a_duplicated_question_does_not_spoil_the_proof() {
    for seed in 0..20 {
        let network = Network {
            duplicates: 100,
            latency: ms(2),
            jitter: ms(10),
            ..Network::default()
        };
        let mut world = World::new(sim(seed), network, seed);
        let known = suite(CipherSuite::SUITE_17);
        let login = world.log_in(admin("password"), known, SHORT);
        login.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

#[test]
fn a_refused_proof_is_tried_once_more_only() {
    let mut rounds = 0;
    let mut world = World::new(sim(1), Network::default(), 1).tampered(move |datagram| {
        if is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE) {
            rounds += 1;
            assert!(rounds <= 2, "a third login");
        }
        if is_plain(datagram, PayloadType::RAKP_4) {
            datagram[17] = 0x0f;
            datagram.truncate(24);
            datagram[14] = 8;
        }
        true
    });
    let error = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_3), SHORT)
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::Refused {
                step: Step::Rakp3,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(error.kind(), ErrorKind::Authentication);
}

proptest! {
    /// Whatever the network does, an answer is the truth and a cycle happens at most once.
    #[test]
    fn never_a_wrong_answer(
        seed in any::<u64>(),
        loss in 0..30_u32,
        duplicates in 0..=100_u32,
        forgeries in 0..=100_u32,
        latency in 0..1300_u64,
        jitter in 0..1300_u64,
        known in any::<bool>(),
        seals_repeated_rakp4 in any::<bool>(),
        refusals in prop_oneof![Just(RefusalForm::Standard), Just(RefusalForm::Short), Just(RefusalForm::ZeroFilled)],
    ) {
        let quirks = SimQuirks { refusals, seals_repeated_rakp4, ..SimQuirks::default() };
        let sim = Sim::builder().seed(seed).quirks(quirks).power(true).build();
        let network = Network { loss, duplicates, forgeries, latency: ms(latency), jitter: ms(jitter) };
        let mut world = World::new(sim, network, seed);
        let known = if known { suite(CipherSuite::SUITE_17) } else { Known::default() };
        let Ok(mut connection) = world.log_in(admin("password"), known, SHORT) else {
            return Ok(());
        };
        for round in 0..6 {
            let on = round % 2 == 0;
            world.set_power(on);
            if let Ok(status) = world.execute(&mut connection, &GetChassisStatus, SHORT) {
                prop_assert_eq!(status.is_on(), on, "round {}", round);
            }
        }
        world.set_power(true);
        let before = world.sim.machine(world.now.into()).cycles();
        let done = world.execute(&mut connection, &ChassisControl::POWER_CYCLE, SHORT);
        let cycles = world.sim.machine(world.now.into()).cycles() - before;
        prop_assert!(cycles <= 1);
        if done.is_ok() {
            prop_assert_eq!(cycles, 1);
        }
    }

    /// With a wrong password no network makes a login succeed.
    #[test]
    fn never_a_session_without_the_password(
        seed in any::<u64>(),
        loss in 0..30_u32,
        forgeries in 0..=100_u32,
        duplicates in 0..=100_u32,
    ) {
        let network = Network { loss, duplicates, forgeries, latency: ms(3), jitter: ms(50) };
        let mut world = World::new(sim(seed), network, seed);
        let error = world.log_in(admin("Password"), Known::default(), SHORT);
        prop_assert!(error.is_err());
    }

    /// With nothing but loss or duplicates, and delay, the login always succeeds.
    #[test]
    fn always_a_session_in_the_end(
        seed in any::<u64>(),
        (loss, duplicates) in prop_oneof![(0..=25_u32, Just(0)), (Just(0), 0..=100_u32)],
        jitter in 0..300_u64,
    ) {
        let network = Network { loss, duplicates, forgeries: 0, latency: ms(3), jitter: ms(jitter) };
        let mut world = World::new(sim(seed), network, seed);
        let login = world.log_in(admin("password"), Known::default(), 2 * SHORT);
        prop_assert!(login.is_ok(), "{}", login.unwrap_err());
    }
}
