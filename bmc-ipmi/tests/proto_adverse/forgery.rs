//! BMCs, or those who pose as one, that answer with less protection than was asked for.

use bmc_ipmi::Error;
use bmc_ipmi::command::GetChassisStatus;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::{Addressee, Known, addressee};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{PayloadType, SessionHeader};

use crate::world::{Network, World, admin};
use crate::{ALGORITHMS, SHORT, is_plain, sim, suite};

#[test]
fn a_downgrade_is_never_followed() {
    for (at, weaker) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)] {
        for login in [
            admin("password"),
            admin("password").cipher_suite(CipherSuite::SUITE_17),
        ] {
            let mut world = World::new(sim(1), Network::default(), 1).tampered(move |datagram| {
                if is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE) && datagram.len() == 52 {
                    datagram[ALGORITHMS[at]] = weaker;
                }
                true
            });
            match world.log_in(login, Known::default(), SHORT) {
                Err(Error::Downgrade { .. }) => {}
                // Suite 3 has algorithm 1 everywhere: asked for by name, it is no downgrade.
                Ok(connection) => {
                    assert_eq!(
                        (weaker, connection.known().suite),
                        (1, Some(CipherSuite::SUITE_3))
                    );
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// As pyghmi's BMC does.
#[test]
fn a_bmc_that_always_answers_suite_3_is_asked_for_suite_3() {
    let answer_3 = |datagram: &mut Vec<u8>| {
        if is_plain(datagram, PayloadType::OPEN_SESSION_RESPONSE) && datagram.len() == 52 {
            for at in ALGORITHMS {
                datagram[at] = 1;
            }
        }
        SessionHeader::announced_by(datagram)
    };
    let sim = Sim::builder().build();
    let mut world = World::new(sim, Network::default(), 1).tampered(answer_3);
    let connection = world
        .log_in(admin("password"), Known::default(), SHORT)
        .unwrap();
    assert_eq!(connection.known().suite, Some(CipherSuite::SUITE_3));
}

#[test]
fn an_answer_in_clear_is_not_believed() {
    let mut world = World::new(sim(1), Network::default(), 1).tampered(|datagram| {
        if let Some(Addressee::Session(_)) = addressee(datagram) {
            // The same header without the two protection bits, and an answer that says "on".
            datagram[5] &= 0x3f;
            datagram.truncate(16);
            datagram[14..16].copy_from_slice(&12_u16.to_le_bytes());
            datagram.extend([
                0x81, 0x04, 0x7b, 0x20, 0x00, 0x01, 0x00, 0x61, 0x00, 0x00, 0x00, 0x7e,
            ]);
        }
        true
    });
    let mut connection = world
        .log_in(admin("password"), suite(CipherSuite::SUITE_17), SHORT)
        .unwrap();
    let error = world
        .execute(&mut connection, &GetChassisStatus, SHORT)
        .unwrap_err();
    assert!(matches!(error, Error::NoReply { .. }), "{error}");
    assert!(!connection.is_open());
}
