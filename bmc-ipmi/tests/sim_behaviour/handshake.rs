//! Logins: who is let in, in which suite, and the form of a refusal.

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::GetChassisStatus;
use bmc_ipmi::crypto::{self, CipherSuite};
use bmc_ipmi::sim::{RefusalForm, Sim, SimQuirks};
use bmc_ipmi::wire::{
    AuthenticationAlgorithm, OpenSessionRequest, OpenSessionResponse, PayloadType, Rakp2, Rakp4,
    Refusal, SessionHeader, Status,
};

use crate::console::{CONSOLE_ID, Console, Refused, payload_of};

#[test]
fn a_suite_that_is_not_offered_is_refused_with_the_reason() {
    let mut bmc = Console::new(Sim::builder().suites([CipherSuite::SUITE_17]).build());
    let error = bmc.login(CipherSuite::SUITE_3).unwrap_err();
    assert_eq!(
        error,
        Refused::OpenSession(Status::INVALID_AUTHENTICATION_ALGORITHM)
    );
    let mixed = OpenSessionRequest {
        authentication: AuthenticationAlgorithm::HMAC_SHA1,
        ..bmc.open_session_request(CipherSuite::SUITE_17)
    };
    let mut both = Console::new(Sim::builder().build());
    let reply = both.handshake(PayloadType::OPEN_SESSION_REQUEST, &mixed);
    let expected = Refusal::new(7, Status::NO_CIPHER_SUITE_MATCH, CONSOLE_ID);
    assert_eq!(
        OpenSessionResponse::from_bytes(&reply),
        Ok(OpenSessionResponse::Refused(expected))
    );
}

#[test]
fn wrong_names_and_passwords_are_told_apart() {
    let mut bmc = Console::new(Sim::builder().build());
    bmc.password = "wrong";
    let mut session = bmc.challenge(CipherSuite::SUITE_17).unwrap();
    assert_ne!(
        session.rakp2_code,
        session.context.rakp2_code(b"wrong"),
        "the BMC uses its own password"
    );
    assert_eq!(session.rakp2_code, session.context.rakp2_code(b"password"));
    let error = bmc.prove(&mut session).unwrap_err();
    assert_eq!(error, Refused::Rakp4(Status::INVALID_INTEGRITY_CHECK_VALUE));
    assert_eq!(bmc.sim.sessions(), 0, "a failed login leaves nothing");
    let error = bmc.prove(&mut session).unwrap_err();
    assert_eq!(error, Refused::Rakp4(Status::INVALID_SESSION_ID));

    bmc.username = "nobody";
    let error = bmc.login(CipherSuite::SUITE_17).unwrap_err();
    assert_eq!(error, Refused::Rakp2(Status::UNAUTHORIZED_NAME));

    (bmc.username, bmc.password) = ("admin", "new");
    assert!(bmc.sim.set_password("admin", "new"));
    assert!(!bmc.sim.set_password("nobody", "new"));
    bmc.login(CipherSuite::SUITE_17).unwrap();
}

#[test]
fn refusals_have_the_form_of_the_bmc_that_is_imitated() {
    for (refusals, expected) in [
        (
            RefusalForm::Standard,
            [&[7, 0x0d, 0, 0][..], &CONSOLE_ID.to_le_bytes()].concat(),
        ),
        (RefusalForm::Short, vec![7, 0x0d]),
        (RefusalForm::ZeroFilled, [&[0, 0x0d][..], &[0; 38]].concat()),
    ] {
        let quirks = SimQuirks {
            refusals,
            ..SimQuirks::default()
        };
        let mut bmc = Console::new(Sim::builder().quirks(quirks).build());
        bmc.sim.faults().refuse_auth = Some(Status::UNAUTHORIZED_NAME);
        let id = bmc.open(CipherSuite::SUITE_17).unwrap();
        let rakp1 = bmc.rakp1(id);
        assert_eq!(bmc.handshake(PayloadType::RAKP_1, &rakp1), expected);
    }
}

#[test]
fn malformed_handshakes_are_refused_and_forged_packets_ignored() {
    let mut bmc = Console::new(Sim::builder().build());
    let mut datagram = Vec::new();
    SessionHeader::encode_sessionless(PayloadType::RAKP_1, &[9, 0, 0], &mut datagram);
    let reply = payload_of(&bmc.send(&datagram)[0]);
    let expected = Refusal::new(9, Status::ILLEGAL_PARAMETER, 0);
    assert_eq!(Rakp2::from_bytes(&reply), Ok(Rakp2::Refused(expected)));

    let mut session = bmc.login(CipherSuite::SUITE_3).unwrap();
    let sealed = session.seal(&GetChassisStatus);
    for at in 4..sealed.len() {
        let mut forged = sealed.clone();
        forged[at] ^= 0x01;
        let answered = bmc.send(&forged);
        assert!(answered.is_empty(), "byte {at} of a sealed packet");
    }
    assert_eq!(bmc.send(&sealed).len(), 1);
    for junk in [
        &[][..],
        &[6],
        &[6, 0, 0xff, 7],
        &[6, 0, 0xff, 6, 0, 0, 0x11, 0xbe, 0x40, 0, 0, 0],
    ] {
        assert!(bmc.send(junk).is_empty());
    }
}

#[test]
fn a_repeated_rakp3_gets_rakp4_again() {
    for seals_repeated_rakp4 in [false, true] {
        let quirks = SimQuirks {
            seals_repeated_rakp4,
            ..SimQuirks::default()
        };
        let mut bmc = Console::new(Sim::builder().quirks(quirks).build());
        let mut session = bmc.challenge(CipherSuite::SUITE_17).unwrap();
        bmc.prove(&mut session).unwrap();
        let rakp3 = session.rakp3("password");
        let mut reply = bmc.handshake_datagram(PayloadType::RAKP_3, &rakp3);
        let payload = if seals_repeated_rakp4 {
            let keys = session.keys.as_ref().unwrap();
            let opened = crypto::open(keys, CONSOLE_ID, &mut reply).unwrap();
            assert_eq!(opened.payload_type, PayloadType::RAKP_4);
            opened.payload.to_vec()
        } else {
            payload_of(&reply)
        };
        assert!(matches!(
            Rakp4::from_bytes(&payload),
            Ok(Rakp4::Accepted(_))
        ));
        assert_eq!(bmc.sim.sessions(), 1);
    }
}

#[test]
fn the_random_number_is_new_for_each_rakp1() {
    let mut bmc = Console::new(Sim::builder().build());
    let id = bmc.open(CipherSuite::SUITE_17).unwrap();
    let rakp1 = bmc.rakp1(id);
    let first = bmc.handshake(PayloadType::RAKP_1, &rakp1);
    assert_ne!(first, bmc.handshake(PayloadType::RAKP_1, &rakp1));
}
