//! IPMI v1.5 sessions, with good BMCs and bad ones.

use bmc_core::{Credentials, ErrorKind};
use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{ChassisControl, GetChassisStatus, SessionChallenge};
use bmc_ipmi::crypto::KeyedAuth;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{Sim, SimBuilder};
use bmc_ipmi::wire::{AuthType, CompletionCode, LanResponse, NetFn, Privilege, SessionV15};
use bmc_ipmi::{Error, Login, Step};
use proptest::prelude::*;

use crate::world::{Network, World, admin};
use crate::{SHORT, ms};

const TYPES: [AuthType; 4] = [
    AuthType::NONE,
    AuthType::MD2,
    AuthType::MD5,
    AuthType::STRAIGHT,
];

fn builder() -> SimBuilder {
    Sim::builder().auth_types(TYPES).seed(1)
}

fn world(builder: &SimBuilder) -> World {
    World::new(builder.build(), Network::default(), 1)
}

fn login(auth_type: AuthType) -> Login {
    admin("password").v15(auth_type).unwrap()
}

/// Whether a datagram of the BMC answers this command.
fn answers(datagram: &[u8], command: u8) -> bool {
    let message = SessionV15::decode(datagram).map(|datagram| datagram.message);
    let response = message.and_then(LanResponse::decode);
    response.is_ok_and(|response| (response.netfn.value(), response.command) == (7, command))
}

const CHALLENGE: u8 = 0x39;
const ACTIVATE: u8 = 0x3a;

#[test]
fn every_type_opens_a_session() {
    for auth_type in TYPES {
        let mut world = world(&builder());
        let mut connection = world
            .log_in(login(auth_type), Known::default(), SHORT)
            .unwrap();
        let power_up = ChassisControl::POWER_UP;
        world.execute(&mut connection, &power_up, SHORT).unwrap();
        let status = world.execute(&mut connection, &GetChassisStatus, SHORT);
        assert!(status.unwrap().is_on());
        assert_eq!(world.sent, 6, "three for the login, three commands");
        assert_eq!(connection.known().suite, None);
        connection.close(world.now);
        world.run(&mut connection, ms(100), |_| false);
        assert_eq!(world.sim.sessions(), 0);
    }
}

/// A BMC that speaks RMCP+ only is never fallen back on, nor the other way round.
#[test]
fn the_version_is_what_was_chosen() {
    let mut only_v20 = world(&Sim::builder());
    let error = only_v20
        .log_in(login(AuthType::MD5), Known::default(), SHORT)
        .unwrap_err();
    assert!(matches!(error, Error::AuthTypeRefused { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Unsupported);

    let mut only_v15 = world(&builder().suites([]));
    let error = only_v15
        .log_in(admin("password"), Known::default(), SHORT)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[test]
fn types_that_the_bmc_lacks_are_named() {
    let mut world = world(&builder().auth_types([AuthType::MD2, AuthType::STRAIGHT]));
    let error = world
        .log_in(login(AuthType::MD5), Known::default(), SHORT)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "BMC refuses IPMI v1.5 authentication type MD5; it offers MD2, straight password"
    );
}

#[test]
fn failures_are_told_apart() {
    let fail = |builder: &SimBuilder, login: Login| {
        let mut world = world(builder);
        world
            .log_in(login, Known::default(), ms(5_000))
            .unwrap_err()
    };
    let wrong = admin("wrong").v15(AuthType::MD5).unwrap();
    let error = fail(&builder(), wrong);
    let Error::LoginTimeout { step, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(*step, Step::ActivateSession);
    assert!(
        error.to_string().contains("password may be wrong"),
        "{error}"
    );

    let nobody = Login::new(&Credentials::new("nobody", "password")).unwrap();
    let error = fail(&builder(), nobody.v15(AuthType::MD5).unwrap());
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");

    let error = fail(&builder().max_sessions(0), login(AuthType::MD5));
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");

    let operator = builder().user(Credentials::new("admin", "password"), Privilege::OPERATOR);
    let strict = login(AuthType::MD5).privilege(Privilege::ADMINISTRATOR);
    let error = fail(&operator, strict.unwrap());
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
}

#[test]
fn a_bmc_without_room_is_busy() {
    let mut world = world(&builder());
    world.sim.faults().full = true;
    let error = world
        .log_in(login(AuthType::MD5), Known::default(), SHORT)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
}

#[test]
fn less_privilege_is_found_without_being_told_so() {
    for (limit, may_switch) in [(Privilege::OPERATOR, true), (Privilege::USER, false)] {
        let builder = builder().user(Credentials::new("admin", "password"), limit);
        let mut world = world(&builder);
        let mut connection = world
            .log_in(login(AuthType::MD5), Known::default(), SHORT)
            .unwrap();
        world
            .execute(&mut connection, &GetChassisStatus, SHORT)
            .unwrap();
        let done = world.execute(&mut connection, &ChassisControl::POWER_UP, SHORT);
        assert_eq!(done.is_ok(), may_switch);
        assert_eq!(world.is_on(), may_switch);
    }
}

/// Clears the AuthCode, or changes a bit of it, wherever the BMC sends one.
#[test]
fn messages_without_the_right_code_are_not_believed() {
    for auth_type in [AuthType::MD2, AuthType::MD5, AuthType::STRAIGHT] {
        for is_cleared in [true, false] {
            for first in [ACTIVATE, 0x01] {
                let mut is_on = false;
                let mut world = world(&builder()).tampered(move |datagram| {
                    is_on |= first == ACTIVATE || answers(datagram, ACTIVATE);
                    if is_on
                        && !answers(datagram, CHALLENGE)
                        && let Ok(signed) = SessionV15::decode(&datagram.clone())
                        && signed.auth_type != AuthType::NONE
                        && (first == ACTIVATE || !answers(datagram, ACTIVATE))
                    {
                        let mut forged = signed;
                        if is_cleared {
                            forged.auth_type = AuthType::NONE;
                        } else {
                            forged.auth_code[3] ^= 1;
                        }
                        datagram.clear();
                        forged.encode(datagram);
                    }
                    true
                });
                let result = world.log_in(login(auth_type), Known::default(), ms(3_000));
                if first == ACTIVATE {
                    assert!(result.is_err(), "{auth_type}");
                    continue;
                }
                let mut connection = result.unwrap();
                let error = world
                    .execute(&mut connection, &GetChassisStatus, ms(3_000))
                    .unwrap_err();
                assert!(
                    matches!(error, Error::NoReply { .. }),
                    "{auth_type}: {error}"
                );
            }
        }
    }
}

/// The console's own choice of a stronger type does not follow from what the BMC says it has.
#[test]
fn a_session_of_another_type_is_refused() {
    let mut world = world(&builder()).tampered(|datagram| {
        if answers(datagram, ACTIVATE) {
            let signed = SessionV15::decode(datagram).unwrap();
            let mut message = signed.message.to_vec();
            // Behind addresses, checksum, sequence, command and completion code.
            let straight = AuthType::STRAIGHT.value();
            let sum = message.last_mut().unwrap();
            *sum = sum.wrapping_add(2).wrapping_sub(straight);
            message[7] = straight;
            let keyed = KeyedAuth::new(AuthType::MD5, b"password");
            let (id, sequence) = (signed.session_id, signed.sequence);
            datagram.clear();
            keyed.sign(id, sequence, &message).encode(datagram);
        }
        true
    });
    let error = world
        .log_in(login(AuthType::MD5), Known::default(), SHORT)
        .unwrap_err();
    assert!(matches!(error, Error::AuthTypeRefused { .. }), "{error}");
}

/// The BMC says so in a message that proves the password.
#[test]
fn sessions_without_codes_are_those_that_the_bmc_announces() {
    let mut world = world(&builder().per_message_authentication(false)).tampered(|datagram| {
        let is_bare = SessionV15::decode(datagram).unwrap().auth_type == AuthType::NONE;
        assert_eq!(is_bare, !answers(datagram, ACTIVATE));
        true
    });
    let mut connection = world
        .log_in(login(AuthType::MD5), Known::default(), SHORT)
        .unwrap();
    world
        .execute(&mut connection, &ChassisControl::POWER_UP, SHORT)
        .unwrap();
}

#[test]
fn lost_messages_are_made_up_for() {
    for lost in [0x38, CHALLENGE, ACTIVATE] {
        let mut count = 0;
        let mut world = world(&builder()).tampered(move |datagram| {
            let swallow = answers(datagram, lost) && count < 2;
            count += i32::from(swallow);
            !swallow
        });
        let mut connection = world
            .log_in(login(AuthType::MD5), Known::default(), SHORT)
            .unwrap();
        world
            .execute(&mut connection, &GetChassisStatus, SHORT)
            .unwrap();
    }
}

#[test]
fn a_forgotten_challenge_is_asked_for_again() {
    let mut count = 0;
    let mut world = world(&builder()).tampered(move |datagram| {
        let swallow = answers(datagram, ACTIVATE) && count < 6;
        count += i32::from(swallow);
        !swallow
    });
    world
        .log_in(login(AuthType::MD5), Known::default(), SHORT)
        .unwrap();
    let challenges = world.sim.log().filter(|entry| entry.command == CHALLENGE);
    assert_eq!(challenges.count(), 2);
}

#[test]
fn answers_that_are_too_short_are_waited_out() {
    let capabilities = (NetFn::APP, CHALLENGE);
    let mut world = world(&builder());
    let code = CompletionCode::NODE_BUSY;
    world
        .sim
        .faults()
        .completion_code(capabilities.0, capabilities.1, code);
    let error = world.log_in(login(AuthType::MD5), Known::default(), SHORT);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Busy);
    assert!(SessionChallenge::from_bytes(&[0; 19]).is_err());
}

proptest! {
    /// Whatever the network does, an answer is the truth and a cycle happens at most once.
    #[test]
    fn never_a_wrong_answer(
        at in 1..4_usize,
        seed in any::<u64>(),
        loss in 0..30_u32,
        duplicates in 0..=100_u32,
        forgeries in 0..=100_u32,
        latency in 0..600_u64,
        jitter in 0..600_u64,
        per_message in any::<bool>(),
    ) {
        // A forged answer in a session without AuthCodes is an answer.
        let forgeries = if per_message { forgeries } else { 0 };
        let builder = builder().seed(seed).power(true).per_message_authentication(per_message);
        let network = Network { loss, duplicates, forgeries, latency: ms(latency), jitter: ms(jitter) };
        let mut world = World::new(builder.build(), network, seed);
        let Ok(mut connection) = world.log_in(login(TYPES[at]), Known::default(), SHORT) else {
            return Ok(());
        };
        // The password itself says nothing about the message that it comes with.
        let is_proof = per_message && TYPES[at] != AuthType::STRAIGHT || forgeries == 0;
        for on in [true, false, true] {
            world.set_power(on);
            if let Ok(status) = world.execute(&mut connection, &GetChassisStatus, SHORT) && is_proof {
                prop_assert_eq!(status.is_on(), on);
            }
        }
        world.set_power(true);
        let before = world.sim.machine(world.now.into()).cycles();
        let _ = world.execute(&mut connection, &ChassisControl::POWER_CYCLE, SHORT);
        prop_assert!(world.sim.machine(world.now.into()).cycles() - before <= 1);
    }

    #[test]
    fn never_a_session_without_the_password(
        at in 1..4_usize,
        seed in any::<u64>(),
        loss in 0..30_u32,
        forgeries in 0..=100_u32,
    ) {
        let network = Network { loss, forgeries, jitter: ms(50), ..Network::default() };
        let mut world = World::new(builder().seed(seed).build(), network, seed);
        let login = admin("Password").v15(TYPES[at]).unwrap();
        prop_assert!(world.log_in(login, Known::default(), SHORT).is_err());
    }

    /// With nothing but loss or duplicates, and delay, the login always succeeds.
    #[test]
    fn always_a_session_in_the_end(
        at in 0..4_usize,
        seed in any::<u64>(),
        (loss, duplicates) in prop_oneof![(0..=25_u32, Just(0)), (Just(0), 0..=100_u32)],
        jitter in 0..300_u64,
    ) {
        let network = Network { loss, duplicates, latency: ms(3), jitter: ms(jitter), ..Network::default() };
        let mut world = World::new(builder().seed(seed).build(), network, seed);
        let result = world.log_in(login(TYPES[at]), Known::default(), 2 * SHORT);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}
