//! What the simulated BMC can be made to do, beside its faults.

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{
    BootMailbox, BootOption, CloseSession, GetChannelAuthCapabilities, GetSelEntry, GetUserName,
    SetSessionPrivilegeLevel, SetSystemBootOptions, SetUserAccess, UserFlags, UserId,
};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::record::sel::SelBody;
use bmc_ipmi::sim::{NextEntryLie, Sim, SimQuirks};
use bmc_ipmi::wire::{
    CompletionCode, OpenSessionAccepted, OpenSessionResponse, PayloadType, Privilege, Status,
};

use crate::console::{Console, Framing, Refused, Session, frame, request};

const SUITE: CipherSuite = CipherSuite::SUITE_17;

/// A session with all privileges.
fn administrator(bmc: &mut Console) -> Session {
    let mut session = bmc.login(SUITE).unwrap();
    let level = SetSessionPrivilegeLevel(Privilege::ADMINISTRATOR);
    bmc.run(&mut session, &level).unwrap();
    session
}

fn quirky(quirks: SimQuirks) -> Console {
    Console::new(Sim::builder().quirks(quirks).build())
}

#[test]
fn privilege_0_in_open_session_response() {
    for hides_privilege in [false, true] {
        let mut bmc = quirky(SimQuirks {
            hides_privilege,
            ..SimQuirks::default()
        });
        let request = bmc.open_session_request(SUITE);
        let reply = bmc.handshake(PayloadType::OPEN_SESSION_REQUEST, &request);
        let Ok(OpenSessionResponse::Accepted(OpenSessionAccepted { privilege, .. })) =
            OpenSessionResponse::from_bytes(&reply)
        else {
            panic!("{reply:?}");
        };
        assert_eq!(privilege.value() == 0, hides_privilege);
    }
}

#[test]
fn silence_in_rmcp_plus_framing_outside_a_session() {
    for ignores_sessionless_rmcp_plus in [false, true] {
        let mut bmc = quirky(SimQuirks {
            ignores_sessionless_rmcp_plus,
            ..SimQuirks::default()
        });
        let asked = GetChannelAuthCapabilities::this_channel(Privilege::USER);
        let datagram = frame(Framing::RmcpPlus, &request(&asked, 1));
        assert_eq!(
            bmc.send(&datagram).is_empty(),
            ignores_sessionless_rmcp_plus
        );
        assert!(bmc.sessionless(Framing::V15, &asked).is_ok());
    }
}

#[test]
fn users_without_a_name_can_be_hidden() {
    for hides_unused_users in [false, true] {
        let mut bmc = quirky(SimQuirks {
            hides_unused_users,
            ..SimQuirks::default()
        });
        let mut session = administrator(&mut bmc);
        let name = bmc.run(&mut session, &GetUserName(UserId::new(3).unwrap()));
        let expected = match hides_unused_users {
            true => Err(CompletionCode::INVALID_DATA_FIELD),
            false => Ok(Default::default()),
        };
        assert_eq!(name, expected);
    }
}

#[test]
fn a_user_without_messaging_does_not_log_in() {
    let mut bmc = Console::new(Sim::builder().build());
    let mut session = administrator(&mut bmc);
    let set = SetUserAccess {
        channel: 1,
        user: UserId::new(2).unwrap(),
        flags: Some(UserFlags::default()),
        limit: Privilege::ADMINISTRATOR,
        session_limit: None,
    };
    bmc.run(&mut session, &set).unwrap();
    let refused = bmc.login(SUITE).map(|_| ());
    assert_eq!(refused, Err(Refused::Rakp2(Status::UNAUTHORIZED_NAME)));
}

#[test]
fn only_administrators_close_sessions_of_others() {
    let mut bmc = Console::new(Sim::builder().build());
    let mut other = bmc.login(SUITE).unwrap();
    let mut session = bmc.login(SUITE).unwrap();
    let close = CloseSession {
        session_id: other.id,
    };
    let refused = bmc.run(&mut session, &close);
    assert_eq!(refused, Err(CompletionCode::INSUFFICIENT_PRIVILEGE));
    let user = SetSessionPrivilegeLevel(Privilege::USER);
    bmc.run(&mut other, &user).unwrap();
    let mut administrator = administrator(&mut bmc);
    bmc.run(&mut administrator, &close).unwrap();
    assert!(bmc.send_sealed(&mut other, &user).is_empty());
}

#[test]
fn lies_about_the_next_event() {
    let oem = SelBody::Oem {
        record_type: 0xe0,
        data: [0; 13],
    };
    let sim = Sim::builder().event(oem).event(oem);
    let mut bmc = Console::new(sim.build());
    let mut session = administrator(&mut bmc);
    for (lie, read, next) in [
        (None, 2, 0xffff),
        (Some(NextEntryLie::First), 2, 1),
        (Some(NextEntryLie::Itself), 1, 1),
        (Some(NextEntryLie::Endless), 2, 3),
        (Some(NextEntryLie::Endless), 3, 3),
    ] {
        bmc.sim.event_log().lie = lie;
        let part = bmc.run(&mut session, &GetSelEntry::whole(read)).unwrap();
        assert_eq!(part.next, next, "{lie:?}");
    }
}

#[test]
fn the_mailbox_has_five_blocks() {
    let mut bmc = Console::new(Sim::builder().build());
    let mut session = administrator(&mut bmc);
    for (block, expected) in [(4, Ok(())), (5, Err(CompletionCode::OUT_OF_RANGE))] {
        let data = vec![1; BootMailbox::BLOCK];
        let option = BootOption::InitiatorMailbox(BootMailbox { block, data });
        let set = SetSystemBootOptions::new(option);
        assert_eq!(bmc.run(&mut session, &set), expected);
    }
}
