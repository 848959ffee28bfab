//! Every cipher suite, and BMCs that want less than what was asked for.

use bmc_core::{Effect, ErrorKind};
use bmc_ipmi::command::{ChassisControl, GetChassisStatus};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::{Addressee, Known, addressee};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{IntegrityAlgorithm, PayloadType, SessionHeader, Status};
use bmc_ipmi::{Error, Login};
use proptest::prelude::*;

use crate::world::{Network, World, admin};
use crate::{ALGORITHMS, SHORT, is_plain, ms};

fn all() -> Vec<CipherSuite> {
    let zero = CipherSuite::danger_suite_0();
    CipherSuite::ALL.into_iter().chain([zero]).collect()
}

fn world(suite: CipherSuite) -> World {
    let sim = Sim::builder().suites([suite]).seed(1).build();
    World::new(sim, Network::default(), 1)
}

fn is_authenticated(suite: CipherSuite) -> bool {
    suite.integrity() != IntegrityAlgorithm::NONE
}

#[test]
fn every_suite_opens_a_session_that_carries_what_was_negotiated() {
    for suite in all() {
        let protection = if is_authenticated(suite) { 0x40 } else { 0 }
            | if suite.confidentiality().value() != 0 {
                0x80
            } else {
                0
            };
        let mut world = world(suite).tampered(move |datagram| {
            if let Some(Addressee::Session(_)) = addressee(datagram) {
                assert_eq!(datagram[5] & 0xc0, protection, "{suite}");
            }
            true
        });
        let login = admin("password").cipher_suite(suite);
        let mut connection = world.log_in(login, Known::default(), SHORT).unwrap();
        let power_up = ChassisControl::POWER_UP;
        world.execute(&mut connection, &power_up, SHORT).unwrap();
        let status = world.execute(&mut connection, &GetChassisStatus, SHORT);
        assert!(status.unwrap().is_on(), "{suite}");
        assert_eq!(
            world.sent, 6,
            "{suite}: three for the login, three commands"
        );
        assert_eq!(connection.known().suite, Some(suite));
        connection.close(world.now);
        world.run(&mut connection, ms(100), |_| false);
        assert_eq!(world.sim.sessions(), 0, "{suite}");
    }
}

#[test]
fn a_wrong_password_is_noticed_with_every_suite_but_0() {
    for suite in all() {
        let login = admin("wrong").cipher_suite(suite);
        let result = world(suite).log_in(login, Known::default(), SHORT);
        match suite.id() {
            0 => assert!(result.is_ok(), "that is why suite 0 is dangerous"),
            _ => assert!(matches!(result, Err(Error::WrongPassword)), "{suite}"),
        }
    }
}

#[test]
fn a_wrong_key_is_noticed_with_every_suite_but_0() {
    for suite in CipherSuite::ALL {
        let sim = || Sim::builder().suites([suite]).kg("\0two\0keys").build();
        let mut world = World::new(sim(), Network::default(), 1);
        let login = |kg: &str| admin("password").cipher_suite(suite).kg(kg.into()).unwrap();
        let error = world.log_in(login("two\0keys"), Known::default(), SHORT);
        assert!(matches!(error, Err(Error::WrongKg)), "{suite}");
        let mut world = World::new(sim(), Network::default(), 1);
        let mut connection = world
            .log_in(login("\0two\0keys"), Known::default(), SHORT)
            .unwrap();
        world
            .execute(&mut connection, &GetChassisStatus, SHORT)
            .unwrap();
    }
}

/// The BMC means it: it goes on with the suite that it named.
#[test]
fn no_suite_is_followed_into_another_one() {
    for asked in all() {
        for named in all().into_iter().filter(|named| *named != asked) {
            let mut world = world(asked);
            world.sim.faults().downgrade = Some(named);
            let login = admin("password").cipher_suite(asked);
            let error = world.log_in(login, Known::default(), SHORT).unwrap_err();
            assert!(
                matches!(error, Error::Downgrade { asked: a, .. } if a == asked),
                "{asked}, {named}: {error}"
            );
            assert_eq!(error.kind(), ErrorKind::Protocol);
        }
    }
}

/// Somebody on the way changes the numbers, in both directions if need be.
#[test]
fn no_single_algorithm_is_given_up() {
    for asked in CipherSuite::ALL {
        for (at, algorithm) in ALGORITHMS
            .into_iter()
            .flat_map(|at| (0..5).map(move |a| (at, a)))
        {
            let ours = [
                asked.authentication().value(),
                asked.integrity().value(),
                asked.confidentiality().value(),
            ];
            if ours[(at - ALGORITHMS[0]) / 8] == algorithm {
                continue;
            }
            let mut world = world(asked).tampered(move |datagram| {
                if is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE) {
                    datagram[at] = algorithm;
                }
                assert!(!is_plain(datagram, PayloadType::RAKP_2), "it went on");
                true
            });
            let login = admin("password").cipher_suite(asked);
            let error = world.log_in(login, Known::default(), SHORT).unwrap_err();
            assert!(matches!(error, Error::Downgrade { .. }), "{asked}: {error}");
        }
    }
}

/// An answer that says "on", without any protection or with a wrong AuthCode.
#[test]
fn injected_answers_are_not_believed() {
    for suite in all() {
        let forge: [fn(&mut World); 2] = [
            |world| world.sim.faults().unprotected = true,
            |world| world.sim.faults().wrong_integrity = true,
        ];
        for forge in forge {
            let mut world = world(suite);
            let login = admin("password").cipher_suite(suite);
            let mut connection = world.log_in(login, Known::default(), SHORT).unwrap();
            forge(&mut world);
            let result = world.execute(&mut connection, &GetChassisStatus, SHORT);
            if is_authenticated(suite) {
                let error = result.unwrap_err();
                assert!(matches!(error, Error::NoReply { .. }), "{suite}: {error}");
                assert_eq!(error.effect(), Effect::Unknown);
            } else {
                assert!(result.is_ok(), "{suite} has nothing to tell them by");
            }
        }
    }
}

#[test]
fn tags_and_session_ids_of_others_are_ignored() {
    for (message, at) in [
        (PayloadType::OPEN_SESSION_RESPONSE, 16),
        (PayloadType::OPEN_SESSION_RESPONSE, 20),
        (PayloadType::RAKP_2, 16),
        (PayloadType::RAKP_2, 20),
        (PayloadType::RAKP_4, 16),
        (PayloadType::RAKP_4, 20),
    ] {
        for suite in CipherSuite::ALL {
            let mut world = world(suite).tampered(move |datagram| {
                if is_plain(datagram, message) {
                    datagram[at] ^= 0x80;
                }
                true
            });
            let login = admin("password").cipher_suite(suite);
            let error = world
                .log_in(login, Known::default(), ms(3_000))
                .unwrap_err();
            assert!(
                matches!(error, Error::LoginTimeout { .. }),
                "{suite}, byte {at} of {message:?}: {error}"
            );
        }
    }
}

#[test]
fn codes_of_wrong_length_are_ignored() {
    for suite in CipherSuite::ALL {
        for message in [PayloadType::RAKP_2, PayloadType::RAKP_4] {
            for change in [-1_i16, 1] {
                let mut world = world(suite).tampered(move |datagram| {
                    if is_plain(datagram, message) {
                        let length = datagram.len().checked_add_signed(change.into()).unwrap();
                        datagram.resize(length, 0);
                        let payload = u16::try_from(length - 16).unwrap();
                        datagram[14..16].copy_from_slice(&payload.to_le_bytes());
                    }
                    true
                });
                let login = admin("password").cipher_suite(suite);
                let result = world.log_in(login, Known::default(), ms(3_000));
                assert!(result.is_err(), "{suite}, {message:?} by {change}");
            }
        }
    }
}

#[test]
fn only_configured_suites_are_tried() {
    let found = |login: Login, offered: &[CipherSuite]| {
        let sim = Sim::builder().suites(offered).build();
        let mut world = World::new(sim, Network::default(), 1);
        match world.log_in(login, Known::default(), SHORT) {
            Ok(connection) => connection.known().suite,
            Err(Error::NoCipherSuite { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    };
    let weak = [CipherSuite::SUITE_2, CipherSuite::SUITE_8];
    assert_eq!(found(admin("password"), &weak), None);
    let least = admin("password").minimum_cipher_suite(CipherSuite::SUITE_2);
    assert_eq!(found(least, &weak), Some(CipherSuite::SUITE_2));
    let listed = admin("password").cipher_suites([CipherSuite::SUITE_16, CipherSuite::SUITE_8]);
    assert_eq!(found(listed.unwrap(), &weak), Some(CipherSuite::SUITE_8));
    let everything = admin("password").minimum_cipher_suite(CipherSuite::SUITE_6);
    let zero = [CipherSuite::danger_suite_0()];
    assert_eq!(found(everything, &zero), None, "never by itself");
}

#[test]
fn refusals_of_the_bmc_are_told_apart() {
    for (status, kind) in [
        (Status::INSUFFICIENT_RESOURCES, ErrorKind::Busy),
        (Status::INSUFFICIENT_RESOURCES_FOR_ROLE, ErrorKind::Busy),
        (Status::NO_CIPHER_SUITE_MATCH, ErrorKind::Unsupported),
        (
            Status::INVALID_CONFIDENTIALITY_ALGORITHM,
            ErrorKind::Unsupported,
        ),
        (Status::UNAUTHORIZED_GUID, ErrorKind::Protocol),
    ] {
        let mut world = world(CipherSuite::SUITE_3);
        world.sim.faults().refuse_open = Some(status);
        let login = admin("password").cipher_suite(CipherSuite::SUITE_3);
        let error = world.log_in(login, Known::default(), SHORT).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
    let mut world = world(CipherSuite::SUITE_3);
    world.sim.faults().full = true;
    let error = world.log_in(admin("password"), Known::default(), SHORT);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Busy);
}

proptest! {
    /// Whatever the network does, a login with a suite leads to that suite, and its answers are the truth.
    #[test]
    fn never_a_wrong_answer(
        at in 0..CipherSuite::ALL.len(),
        seed in any::<u64>(),
        loss in 0..25_u32,
        duplicates in 0..=100_u32,
        jitter in 0..300_u64,
    ) {
        let suite = CipherSuite::ALL[at];
        let network = Network { loss, duplicates, jitter: ms(jitter), ..Network::default() };
        let mut world = World::new(Sim::builder().suites([suite]).seed(seed).build(), network, seed);
        let login = admin("password").cipher_suite(suite);
        let Ok(mut connection) = world.log_in(login, Known::default(), SHORT) else {
            return Ok(());
        };
        prop_assert_eq!(connection.known().suite, Some(suite));
        for on in [true, false, true] {
            world.set_power(on);
            if let Ok(status) = world.execute(&mut connection, &GetChassisStatus, SHORT) {
                prop_assert_eq!(status.is_on(), on);
            }
        }
    }

    /// Mutilated copies of everything change nothing where packets are authenticated.
    #[test]
    fn never_a_forged_answer(at in 0..CipherSuite::ALL.len(), seed in any::<u64>()) {
        let suite = CipherSuite::ALL[at];
        prop_assume!(is_authenticated(suite));
        let network = Network { forgeries: 100, jitter: ms(20), ..Network::default() };
        let mut world = World::new(Sim::builder().suites([suite]).seed(seed).build(), network, seed);
        let login = admin("password").cipher_suite(suite);
        let Ok(mut connection) = world.log_in(login, Known::default(), SHORT) else {
            return Ok(());
        };
        for on in [true, false, true] {
            world.set_power(on);
            let status = world.execute(&mut connection, &GetChassisStatus, SHORT);
            prop_assert_eq!(status.unwrap().is_on(), on);
        }
    }
}

/// Every datagram of a session is the receiver's own.
#[test]
fn datagrams_of_other_sessions_are_ignored() {
    for suite in CipherSuite::ALL {
        let mut world = world(suite).tampered(|datagram| {
            if SessionHeader::announced_by(datagram)
                && let Some(Addressee::Session(_)) = addressee(datagram)
            {
                datagram[6] ^= 1;
            }
            true
        });
        let login = admin("password").cipher_suite(suite);
        let mut connection = world.log_in(login, Known::default(), SHORT).unwrap();
        let result = world.execute(&mut connection, &GetChassisStatus, ms(3_000));
        assert!(result.is_err(), "{suite}");
    }
}
