//! BMCs that a console must bear with.

use std::sync::{Arc, Mutex};

use bmc_core::{Credentials, ErrorKind};
use bmc_ipmi::command::{ChassisControl, GetChassisStatus};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::quirks::{Quirk, Quirks};
use bmc_ipmi::sim::{self, Sim, SimBuilder};
use bmc_ipmi::wire::{AuthType, Privilege};
use bmc_ipmi::{Error, Login};

use crate::world::{Network, World};
use crate::{SHORT, ms};

/// A password that `intel20` cuts.
const PASSWORD: &str = "0123456789abcdefghij";

fn builder(needs: Quirk) -> SimBuilder {
    let quirks = sim::SimQuirks {
        needs: needs.into(),
        ..sim::SimQuirks::default()
    };
    Sim::builder()
        .credentials(Credentials::new("admin", PASSWORD))
        .quirks(quirks)
        .seed(1)
}

fn login(suite: CipherSuite, quirks: Quirks) -> Login {
    let login = Login::new(&Credentials::new("admin", PASSWORD)).unwrap();
    login.cipher_suite(suite).quirks(quirks)
}

fn try_out(builder: &SimBuilder, login: Login) -> Result<(), Error> {
    let mut world = World::new(builder.build(), Network::default(), 1);
    let mut connection = world.log_in(login, Known::default(), ms(5_000))?;
    let power_up = ChassisControl::POWER_UP;
    world.execute(&mut connection, &power_up, ms(5_000))?;
    let status = world.execute(&mut connection, &GetChassisStatus, ms(5_000))?;
    assert!(status.is_on());
    Ok(())
}

/// With the quirk the console switches on; without it, it fails.
#[test]
fn the_right_quirk_makes_the_difference() {
    let zero = CipherSuite::danger_suite_0();
    for (quirk, suite) in [
        (Quirk::NoNameOnly, CipherSuite::SUITE_3),
        (Quirk::IntelPlus, CipherSuite::SUITE_3),
        (Quirk::IntelPlus, CipherSuite::SUITE_1),
        (Quirk::I82571Spt, CipherSuite::SUITE_3),
        (Quirk::Intel20, CipherSuite::SUITE_3),
        (Quirk::Intel20, CipherSuite::SUITE_8),
        (Quirk::Supermicro20, CipherSuite::SUITE_3),
        (Quirk::Sun20, CipherSuite::SUITE_2),
        (Quirk::IntegrityCheckValue, zero),
        (Quirk::NoChecksumCheck, CipherSuite::SUITE_17),
    ] {
        let bmc = builder(quirk).suites([suite]);
        let with = try_out(&bmc, login(suite, quirk.into()));
        assert!(with.is_ok(), "{quirk}: {}", with.unwrap_err());
        let without = try_out(&bmc, login(suite, Quirks::NONE));
        assert!(without.is_err(), "{quirk} is not needed");
    }
}

/// The exact privilege is asked for anyway, and "highest" after a refusal: these save a round trip, or a wrong turn.
#[test]
fn privileges_of_open_session() {
    let suite = CipherSuite::SUITE_3;
    let logged = |quirk: Quirk, quirks: Quirks| {
        let mut world = World::new(builder(quirk).build(), Network::default(), 1);
        world
            .log_in(login(suite, quirks), Known::default(), SHORT)
            .unwrap();
        world.sent
    };
    let highest = Quirk::HighestPrivilege;
    assert_eq!(logged(highest, highest.into()), 3);
    assert_eq!(logged(highest, Quirks::NONE), 4);
    let exact = Quirk::OpenSessionPrivilege;
    assert_eq!(logged(exact, exact.into()), 3);
    assert_eq!(logged(exact, Quirks::NONE), 3);
    let error = try_out(&builder(exact), login(suite, highest.into())).unwrap_err();
    assert!(matches!(error, Error::WrongPassword), "{error}");
}

/// Without the name-only look-up the BMC finds users of exactly the privilege that is asked for.
#[test]
fn a_look_up_by_privilege_needs_the_exact_one() {
    let operator = || Sim::builder().user(Credentials::new("admin", PASSWORD), Privilege::OPERATOR);
    let quirk = Quirks::from(Quirk::NoNameOnly);
    let as_operator = login(CipherSuite::SUITE_3, quirk).privilege(Privilege::OPERATOR);
    try_out(&operator(), as_operator.unwrap()).unwrap();
    let as_user = login(CipherSuite::SUITE_3, quirk).privilege(Privilege::USER);
    let error = try_out(&operator(), as_user.unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
}

#[test]
fn short_pads_are_sent_and_taken() {
    for suite in [CipherSuite::SUITE_2, CipherSuite::SUITE_17] {
        let quirk = Quirk::IntegrityPad;
        try_out(&builder(quirk).suites([suite]), login(suite, quirk.into())).unwrap();
    }
    // In clear, so that lengths tell: RMCP header, a multiple of four, perhaps two bytes, AuthCode.
    let suite = CipherSuite::SUITE_2;
    for (quirks, behind) in [(Quirks::NONE, 0), (Quirk::IntegrityPad.into(), 2)] {
        let needs = sim::SimQuirks {
            needs: quirks,
            ..sim::SimQuirks::default()
        };
        let sim = builder(Quirk::IntegrityPad).suites([suite]).quirks(needs);
        let answer = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&answer);
        let mut world = World::new(sim.build(), Network::default(), 1).tampered(move |datagram| {
            seen.lock().unwrap().clone_from(datagram);
            true
        });
        let known = Known::default();
        let mut connection = world.log_in(login(suite, quirks), known, SHORT).unwrap();
        world
            .execute(&mut connection, &GetChassisStatus, SHORT)
            .unwrap();
        for datagram in [&world.newest, &*answer.lock().unwrap()] {
            assert_eq!((datagram.len() - 4 - 12) % 4, behind, "{quirks}");
        }
    }
}

#[test]
fn the_right_quirk_makes_the_difference_in_v15() {
    for (quirk, auth_type) in [
        (Quirk::AuthCapabilities, AuthType::MD5),
        (Quirk::NoPerMessage, AuthType::MD5),
        (Quirk::ForcePerMessage, AuthType::MD5),
        (Quirk::SessionIdZero, AuthType::MD2),
        (Quirk::NoChecksumCheck, AuthType::STRAIGHT),
    ] {
        let bmc = builder(quirk)
            .credentials(Credentials::new("short", "password"))
            .auth_types([auth_type]);
        let login = |quirks| {
            let login = Login::new(&Credentials::new("short", "password")).unwrap();
            login.quirks(quirks).v15(auth_type).unwrap()
        };
        let with = try_out(&bmc, login(quirk.into()));
        assert!(with.is_ok(), "{quirk}: {}", with.unwrap_err());
        let without = try_out(&bmc, login(Quirks::NONE));
        assert!(without.is_err(), "{quirk} is not needed");
    }
}

/// Big-endian numbers jump by 2^24, which the window takes for a wide gap; with the quirk repeats are told apart.
#[test]
fn big_endian_numbers_are_read() {
    let quirk = Quirk::BigEndianSequence;
    let bmc = builder(quirk)
        .credentials(Credentials::new("short", "password"))
        .auth_types([AuthType::MD5]);
    let login = Login::new(&Credentials::new("short", "password")).unwrap();
    let login = login.quirks(quirk.into()).v15(AuthType::MD5).unwrap();
    let mut world = World::new(bmc.build(), Network::default(), 1);
    let mut connection = world.log_in(login, Known::default(), SHORT).unwrap();
    // More than one byte's worth of numbers.
    for _ in 0..300 {
        world
            .execute(&mut connection, &GetChassisStatus, ms(500))
            .unwrap();
    }
}

/// No quirk lets a wrong password in.
#[test]
fn no_quirk_makes_up_for_the_password() {
    for quirk in Quirk::ALL {
        for suite in CipherSuite::ALL {
            let mut world = World::new(
                Sim::builder().suites([suite]).build(),
                Network::default(),
                1,
            );
            let wrong = Login::new(&Credentials::new("admin", "wrong")).unwrap();
            let wrong = wrong.cipher_suite(suite).quirks((*quirk).into());
            let result = world.log_in(wrong, Known::default(), ms(2_000));
            assert!(result.is_err(), "{quirk}, {suite}");
        }
    }
}
