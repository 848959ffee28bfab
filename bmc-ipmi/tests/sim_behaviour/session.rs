//! What is answered outside a session, and in one.

use std::time::Duration;

use bmc_core::Credentials;
use bmc_ipmi::command::session::cipher_suite_records::{decode_records, known_suites};
use bmc_ipmi::command::{
    BootAgents, BootOption, BootParameter, ChassisControl, CloseSession,
    GetChannelAuthCapabilities, GetChannelCipherSuites, GetChassisStatus, GetDeviceId,
    GetSystemBootOptions, SetSessionPrivilegeLevel, SetSystemBootOptions,
};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::{Sim, SimQuirks};
use bmc_ipmi::wire::{CompletionCode, Privilege, Role, Status};

use crate::console::{Console, Framing, Refused};

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
