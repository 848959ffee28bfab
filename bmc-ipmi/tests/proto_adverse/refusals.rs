//! What a BMC refuses, told apart.

use std::time::Duration;

use bmc_core::{Credentials, Effect, ErrorKind};
use bmc_ipmi::command::{ChassisControl, GetChassisStatus};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{RefusalForm, Sim, SimQuirks};
use bmc_ipmi::wire::{PayloadType, Privilege};
use bmc_ipmi::{Error, Login, Step};

use crate::world::{Network, World, admin};
use crate::{SHORT, is_plain, sim, suite};

#[test]
fn wrong_credentials_are_told_apart_in_every_form_of_refusal() {
    for refusals in RefusalForm::ALL {
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
