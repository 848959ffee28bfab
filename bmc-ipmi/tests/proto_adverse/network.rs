//! Networks that lose, repeat, delay and forge: the truth or a typed error, and a cycle at most once.

use std::time::Duration;

use bmc_ipmi::command::{ChassisControl, GetChassisStatus, GetDeviceId};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{RefusalForm, Sim, SimQuirks};
use bmc_ipmi::wire::PayloadType;
use proptest::prelude::*;

use crate::world::{Network, World, admin};
use crate::{SHORT, is_plain, ms, sim, suite};

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
        refusals in prop::sample::select(&RefusalForm::ALL[..]),
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
