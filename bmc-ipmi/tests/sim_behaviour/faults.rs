//! Faults on purpose, and what repeats with a seed.

use std::time::Duration;

use bmc_ipmi::command::{ChassisControl, Command, GetChassisStatus, SetSessionPrivilegeLevel};
use bmc_ipmi::crypto::{self, CipherSuite};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{CompletionCode, Privilege};

use crate::console::{CONSOLE_ID, Console};

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
