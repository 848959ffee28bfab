//! What a login and a command cost in round trips and in time, on good networks and on bad ones.

use std::time::Duration;

use bmc_ipmi::command::{ChassisControl, GetChassisStatus};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{RefusalForm, Sim, SimQuirks};
use bmc_ipmi::wire::SessionHeader;

use crate::world::{Network, World, admin};
use crate::{SHORT, ms, sim, suite};

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
