//! The first command overlaps the end of the login.

use bmc_ipmi::Error;
use bmc_ipmi::Login;
use bmc_ipmi::command::{
    ActivatePayload, ChassisControl, Command, GetChassisStatus, GetDeviceId, SolActivation,
};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::{Addressee, Connection, Known, Request, Ticket, addressee};
use bmc_ipmi::quirks::{Quirk, Quirks};
use bmc_ipmi::sim::{Sim, SimQuirks};
use bmc_ipmi::wire::PayloadType;
use proptest::prelude::*;

use crate::world::{Network, World, admin};
use crate::{SHORT, is_plain, is_unconfirmed, ms, sim, suite};

const KNOWN: CipherSuite = CipherSuite::SUITE_17;

fn overlap<C: Command>(
    world: &mut World,
    login: Login,
    known: Known,
    first: &C,
) -> (Connection, Ticket) {
    let mut connection = world.connect(login, known);
    connection.overlap_login();
    let data = first.to_bytes();
    let ticket = connection.request(world.now, &Request::new(first, &data));
    (connection, ticket)
}

/// The right password, the suite of an earlier login, and a question.
fn overlap_status(world: &mut World) -> (Connection, Ticket) {
    overlap(world, admin("password"), suite(KNOWN), &GetChassisStatus)
}

fn slow(sim: Sim) -> World {
    let network = Network {
        latency: ms(10),
        ..Network::default()
    };
    World::new(sim, network, 1)
}

/// Round trips of 20 ms, by the clock.
fn round_trips(world: &World) -> u128 {
    world.elapsed().as_millis() / 20
}

#[test]
fn a_status_takes_three_round_trips_and_a_power_on_four() {
    let mut world = slow(sim(1));
    let (mut connection, ticket) = overlap_status(&mut world);
    world.finish_login(&mut connection, SHORT).unwrap();
    let status = world.finish::<GetChassisStatus>(&mut connection, ticket, SHORT);
    assert!(!status.unwrap().is_on());
    assert_eq!((round_trips(&world), world.sent), (3, 4));
    assert!(!connection.known().single_buffer);

    let mut world = slow(sim(1));
    let power_on = ChassisControl::POWER_UP;
    let (mut connection, ticket) = overlap(&mut world, admin("password"), suite(KNOWN), &power_on);
    world.finish_login(&mut connection, SHORT).unwrap();
    let done = world.finish::<ChassisControl>(&mut connection, ticket, SHORT);
    done.unwrap();
    assert_eq!((round_trips(&world), world.sent), (4, 5));
    assert!(world.is_on());
    // The session's numbers go on behind the one that was used early.
    world.execute(&mut connection, &GetDeviceId, SHORT).unwrap();
    assert_eq!((round_trips(&world), world.sent), (5, 6));
}

/// Only the request for privilege went out early: what changes something follows RAKP Message 4.
#[test]
fn nothing_that_changes_something_goes_out_before_the_login_is_confirmed() {
    let mut world = slow(sim(1)).tampered(|datagram| !is_plain(datagram, PayloadType::RAKP_4));
    let power_on = ChassisControl::POWER_UP;
    let (mut connection, ticket) = overlap(&mut world, admin("password"), suite(KNOWN), &power_on);
    world.run(&mut connection, ms(2000), |c| c.outcome(ticket).is_some());
    let executed: Vec<_> = world.sim.log().map(|entry| entry.command).collect();
    assert_eq!(executed, [0x3b]);
    let error = connection.give_up(world.now);
    assert!(is_unconfirmed(&error), "{error}");
    assert!(!world.is_on());
}

/// The answer is authentic, but who sent it has not shown that it holds the same session.
#[test]
fn an_answer_counts_only_after_the_confirmation() {
    for confirms in [false, true] {
        let mut held = Vec::new();
        let mut world = slow(sim(1)).tampered(move |datagram| {
            if is_plain(datagram, PayloadType::RAKP_4) {
                held.push(());
                // The repeat brings the confirmation, long after the answer.
                return confirms && held.len() > 1;
            }
            true
        });
        let (mut connection, ticket) = overlap_status(&mut world);
        world.run(&mut connection, ms(200), |c| c.outcome(ticket).is_some());
        assert_eq!(world.sim.log().count(), 1, "the BMC has executed it");
        assert!(connection.outcome(ticket).is_none(), "and is not believed");
        if confirms {
            world.finish_login(&mut connection, SHORT).unwrap();
            // The answer had been kept: no further datagram is needed.
            let sent = world.sent;
            let status = world.finish::<GetChassisStatus>(&mut connection, ticket, ms(1));
            assert!(!status.unwrap().is_on());
            assert_eq!(world.sent, sent);
        }
    }
}

/// RAKP Message 2 proves the password, not Kg.
#[test]
fn a_two_key_bmc_gets_nothing_early() {
    let sim = Sim::builder().kg("two-key login").build();
    let mut world = slow(sim);
    let login = admin("password").kg("two-key login".into()).unwrap();
    let (mut connection, ticket) = overlap(&mut world, login, suite(KNOWN), &GetChassisStatus);
    world.finish_login(&mut connection, SHORT).unwrap();
    world
        .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
        .unwrap();
    assert_eq!((round_trips(&world), world.sent), (4, 4));
}

/// Nor does a BMC whose sessions have no AuthCodes, or one whose sessions begin with their full privilege.
#[test]
fn without_integrity_nothing_goes_early() {
    for (known, quirks) in [
        (CipherSuite::SUITE_1, Quirks::NONE),
        (CipherSuite::SUITE_17, Quirk::I82571Spt.into()),
    ] {
        let needs = SimQuirks {
            needs: quirks,
            ..SimQuirks::default()
        };
        let sim = Sim::builder().suites([known]).quirks(needs).build();
        let mut world = slow(sim);
        let login = admin("password").cipher_suite(known).quirks(quirks);
        let (mut connection, ticket) = overlap(&mut world, login, suite(known), &GetChassisStatus);
        world.finish_login(&mut connection, SHORT).unwrap();
        world
            .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
            .unwrap();
        assert_eq!((round_trips(&world), world.sent), (4, 4), "{known}");
    }
}

/// Although the privilege of every session would do.
#[test]
fn what_must_not_happen_twice_does_not_go_early() {
    let mut world = slow(sim(1)).tampered(|datagram| !is_plain(datagram, PayloadType::RAKP_4));
    let activate = ActivatePayload::sol(SolActivation::default());
    let (mut connection, ticket) = overlap(&mut world, admin("password"), suite(KNOWN), &activate);
    world.run(&mut connection, ms(500), |c| c.outcome(ticket).is_some());
    assert_eq!(world.sim.log().count(), 0);
}

/// Early data, and no confirmation until the login was begun anew: that BMC gets one message at a time.
#[test]
fn a_login_that_had_to_begin_anew_is_remembered() {
    let mut opened = 0;
    let mut world = slow(sim(1)).tampered(move |datagram| {
        opened += i32::from(is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE));
        !is_plain(datagram, PayloadType::RAKP_4) || opened > 1
    });
    let (mut connection, ticket) = overlap_status(&mut world);
    world.finish_login(&mut connection, SHORT).unwrap();
    assert!(connection.known().single_buffer);
    world
        .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
        .unwrap();
}

/// The BMC loses what comes while it works on RAKP Message 3: the command is repeated, and next time follows the login.
#[test]
fn a_single_buffer_is_found_out_and_remembered() {
    let quirks = SimQuirks {
        has_single_buffer: true,
        ..SimQuirks::default()
    };
    let mut sim = Sim::builder().quirks(quirks).build();
    sim.faults().delay = ms(2);
    let mut world = slow(sim);
    let (mut connection, ticket) = overlap_status(&mut world);
    world.finish_login(&mut connection, SHORT).unwrap();
    world
        .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
        .unwrap();
    assert_eq!(world.sent, 5, "the command twice");
    assert!(world.elapsed() < ms(250), "{:?}", world.elapsed());
    let known = connection.known();
    assert!(known.single_buffer);

    let (before, begun) = (world.sent, world.elapsed());
    let (mut connection, ticket) = overlap(&mut world, admin("password"), known, &GetChassisStatus);
    world.finish_login(&mut connection, SHORT).unwrap();
    world
        .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
        .unwrap();
    assert_eq!(world.sent - before, 4);
    assert!(world.elapsed() - begun < ms(100));
    assert!(connection.known().single_buffer);
}

/// The caller has lost interest while the login went on.
#[test]
fn an_abandoned_command_leaves_the_session_usable() {
    let mut world = slow(sim(1));
    let (mut connection, ticket) = overlap_status(&mut world);
    world.run(&mut connection, ms(50), |_| false);
    assert_eq!(world.sent, 4, "it is on its way");
    connection.forget(ticket, world.now);
    world.finish_login(&mut connection, SHORT).unwrap();
    world.execute(&mut connection, &GetDeviceId, SHORT).unwrap();
    assert_eq!(round_trips(&world), 4);
}

/// A wrong password is found out before anything goes out early.
#[test]
fn who_does_not_prove_itself_gets_no_command() {
    let mut world = slow(sim(1)).tampered(|datagram| {
        assert!(!matches!(addressee(datagram), Some(Addressee::Session(_))));
        true
    });
    let (mut connection, _) = overlap(&mut world, admin("wrong"), suite(KNOWN), &GetChassisStatus);
    let error = world.finish_login(&mut connection, SHORT).unwrap_err();
    assert!(matches!(error, Error::WrongPassword), "{error}");
    assert_eq!(world.sent, 2);
}

proptest! {
    /// Whatever the network does, the first answer is the truth.
    #[test]
    fn never_a_wrong_first_answer(
        seed in any::<u64>(),
        on in any::<bool>(),
        loss in 0..30_u32,
        duplicates in 0..=100_u32,
        forgeries in 0..=100_u32,
        jitter in 0..300_u64,
        has_single_buffer in any::<bool>(),
        seals_repeated_rakp4 in any::<bool>(),
    ) {
        let quirks = SimQuirks { has_single_buffer, seals_repeated_rakp4, ..SimQuirks::default() };
        let mut sim = Sim::builder().seed(seed).quirks(quirks).power(on).build();
        sim.faults().delay = ms(3);
        let network = Network { loss, duplicates, forgeries, latency: ms(5), jitter: ms(jitter) };
        let mut world = World::new(sim, network, seed);
        let (mut connection, ticket) =
            overlap_status(&mut world);
        if world.finish_login(&mut connection, SHORT).is_err() {
            return Ok(());
        }
        if let Ok(status) = world.finish::<GetChassisStatus>(&mut connection, ticket, SHORT) {
            prop_assert_eq!(status.is_on(), on);
        }
        world.set_power(!on);
        if let Ok(status) = world.execute(&mut connection, &GetChassisStatus, SHORT) {
            prop_assert_eq!(status.is_on(), !on);
        }
    }
}
