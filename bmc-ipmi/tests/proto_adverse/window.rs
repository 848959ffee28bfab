//! Several commands of one session in flight.

use bmc_ipmi::Error;
use bmc_ipmi::command::{
    BootParameter, ChassisControl, Command, GetChassisStatus, GetDeviceId, GetSystemBootOptions,
};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::{Connection, Request, Ticket};
use bmc_ipmi::sim::{Sim, SimQuirks};
use bmc_ipmi::wire::{CompletionCode, NetFn};
use proptest::prelude::*;

use crate::world::{Network, World, admin};
use crate::{SHORT, ms, sim, suite};

fn open(sim: Sim, window: usize) -> (World, Connection) {
    let network = Network {
        latency: ms(10),
        ..Network::default()
    };
    open_over(sim, network, 1, window).unwrap()
}

fn open_over(
    sim: Sim,
    network: Network,
    seed: u64,
    window: usize,
) -> Result<(World, Connection), Error> {
    let mut world = World::new(sim, network, seed);
    let known = suite(CipherSuite::SUITE_17);
    let mut connection = world.log_in(admin("password"), known, SHORT)?;
    connection.set_window(window);
    Ok((world, connection))
}

fn ask<C: Command>(world: &World, connection: &mut Connection, command: &C) -> Ticket {
    let data = command.to_bytes();
    connection.request(world.now, &Request::new(command, &data))
}

/// Sixteen commands over round trips of 20 ms.
#[test]
fn the_window_divides_the_time() {
    for (window, expected) in [(1, 320), (4, 80), (8, 40), (100, 40)] {
        let (mut world, mut connection) = open(sim(1), window);
        let begun = world.elapsed();
        let tickets: Vec<_> = (0..16)
            .map(|_| ask(&world, &mut connection, &GetChassisStatus))
            .collect();
        for ticket in tickets {
            let status = world.finish::<GetChassisStatus>(&mut connection, ticket, SHORT);
            assert!(!status.unwrap().is_on());
        }
        assert_eq!(
            (world.elapsed() - begun).as_millis(),
            expected,
            "window {window}"
        );
    }
}

/// A slow answer must not be taken for that to a later command with the same sequence number.
#[test]
fn sequence_numbers_of_commands_in_flight_are_not_used_again() {
    let (mut world, mut connection) = open(sim(1), 2);
    // The first command stays unanswered while more than 64 others come and go.
    world.sim.faults().drop_next_replies = 1;
    let slow = ask(&world, &mut connection, &ChassisControl::POWER_UP);
    world.run(&mut connection, ms(30), |_| false);
    for _ in 0..150 {
        let ticket = ask(&world, &mut connection, &GetChassisStatus);
        world
            .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
            .unwrap();
        connection.set_window(2);
    }
    world
        .finish::<ChassisControl>(&mut connection, slow, SHORT)
        .unwrap();
}

#[test]
fn the_privilege_is_raised_once_for_all() {
    let (mut world, mut connection) = open(sim(1), 8);
    let tickets = [(); 4].map(|()| ask(&world, &mut connection, &ChassisControl::POWER_UP));
    for ticket in tickets {
        world
            .finish::<ChassisControl>(&mut connection, ticket, SHORT)
            .unwrap();
    }
    let raised = world.sim.log().filter(|entry| entry.command == 0x3b);
    assert_eq!(raised.count(), 1);
}

/// Reading needs no privilege: it goes on while that is raised.
#[test]
fn a_command_in_line_waits_for_its_turn_only() {
    let (mut world, mut connection) = open(sim(1), 1);
    let first = ask(&world, &mut connection, &GetChassisStatus);
    let dropped = ask(&world, &mut connection, &ChassisControl::POWER_UP);
    let last = ask(&world, &mut connection, &GetDeviceId);
    connection.forget(dropped, world.now);
    world
        .finish::<GetDeviceId>(&mut connection, last, SHORT)
        .unwrap();
    assert!(
        connection.outcome(first).is_some(),
        "in the order of requests"
    );
    assert!(!world.is_on(), "what was dropped in line was not sent");

    world.sim.faults().silent = true;
    ask(&world, &mut connection, &GetChassisStatus);
    let late = ask(&world, &mut connection, &ChassisControl::POWER_UP);
    world.run(&mut connection, ms(2000), |_| false);
    let error = connection.give_up_on(late, world.now);
    assert!(matches!(error, Error::NotSent { .. }), "{error}");
    assert!(connection.is_open(), "it was not the one without an answer");
}

#[test]
fn a_bmc_with_one_buffer_gets_one_command_at_a_time_again() {
    let quirks = SimQuirks {
        has_single_buffer: true,
        ..SimQuirks::default()
    };
    let mut sim = Sim::builder().quirks(quirks).build();
    sim.faults().delay = ms(5);
    let (mut world, mut connection) = open(sim, 8);
    let tickets: Vec<_> = (0..32)
        .map(|_| ask(&world, &mut connection, &GetChassisStatus))
        .collect();
    for ticket in tickets {
        world
            .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
            .unwrap();
    }
    assert!(connection.known().single_buffer);
    // From then on nothing is lost: one round trip a command, to the millisecond.
    let begun = world.elapsed();
    for _ in 0..8 {
        world
            .execute(&mut connection, &GetChassisStatus, SHORT)
            .unwrap();
    }
    assert_eq!((world.elapsed() - begun).as_millis(), 8 * 25);
}

#[test]
fn a_bmc_that_is_busy_with_several_gets_one_at_a_time() {
    let (mut world, mut connection) = open(sim(1), 4);
    let code = CompletionCode::NODE_BUSY;
    world
        .sim
        .faults()
        .completion_code(NetFn::CHASSIS, 0x01, code);
    let tickets = [(); 4].map(|()| ask(&world, &mut connection, &GetChassisStatus));
    world.run(&mut connection, ms(25), |_| false);
    world.sim.faults().completion_codes.clear();
    for ticket in tickets {
        world
            .finish::<GetChassisStatus>(&mut connection, ticket, SHORT)
            .unwrap();
    }
    assert!(connection.known().single_buffer);
}

#[test]
fn closing_ends_all_that_is_in_line() {
    let (mut world, mut connection) = open(sim(1), 2);
    let tickets = [(); 5].map(|()| ask(&world, &mut connection, &GetChassisStatus));
    connection.close(world.now);
    for ticket in tickets {
        assert!(matches!(
            connection.outcome(ticket),
            Some(Err(Error::Closed))
        ));
    }
    world.run(&mut connection, ms(50), |_| false);
    assert_eq!(world.sim.sessions(), 0);
    let late = ask(&world, &mut connection, &GetChassisStatus);
    assert!(matches!(connection.outcome(late), Some(Err(Error::Closed))));
}

proptest! {
    /// Whatever the network does and however many are in flight, each command gets its own answer: the parameter that
    /// it asked for. A power-up is executed or said to have failed.
    #[test]
    fn never_the_answer_to_another_command(
        seed in any::<u64>(),
        window in 1..=8_usize,
        loss in 0..25_u32,
        duplicates in 0..=100_u32,
        forgeries in 0..=100_u32,
        jitter in 0..1000_u64,
        executes_replays in any::<bool>(),
        dropped in proptest::collection::vec(any::<bool>(), 40),
    ) {
        let quirks = SimQuirks { executes_replays, ..SimQuirks::default() };
        let sim = Sim::builder().seed(seed).quirks(quirks).build();
        let network = Network { loss, duplicates, forgeries, latency: ms(2), jitter: ms(jitter) };
        let Ok((mut world, mut connection)) = open_over(sim, network, seed, window) else {
            return Ok(());
        };
        let mut asked = Vec::new();
        for (number, is_dropped) in (0..).zip(dropped) {
            let parameter = BootParameter::new(number % 8);
            let command = GetSystemBootOptions::new(parameter);
            let ticket = ask(&world, &mut connection, &command);
            world.run(&mut connection, ms(5), |_| false);
            if is_dropped {
                connection.forget(ticket, world.now);
            } else {
                asked.push((parameter, ticket));
            }
        }
        for (parameter, ticket) in asked {
            if let Ok(answer) =
                world.finish::<GetSystemBootOptions>(&mut connection, ticket, SHORT)
            {
                prop_assert_eq!(answer.option.parameter(), parameter);
            }
        }
    }

    /// Operations as the fuzzer makes them, behind a login: datagrams lost, doubled, overtaken, mutilated, commands
    /// dropped, time passing.
    #[test]
    fn no_order_of_events_is_the_wrong_one(
        flags in any::<u8>(),
        operations in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let login = [flags | 1, 0, 4, 7, 4, 7, 4, 7];
        bmc_ipmi::fuzzing::ipmi_session_ops(&[&login, operations.as_slice()].concat());
    }
}
