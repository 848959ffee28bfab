//! Headers and the messages of the RMCP+ handshake.

use super::*;

wire_type! {
    rmcp_header: RmcpHeader = (any::<u8>(), any::<u8>())
        .prop_map(|(sequence, class)| RmcpHeader { sequence, class: RmcpClass(class) });
    session_header: SessionHeader = session_header_values();
    open_session_request: OpenSessionRequest = (any::<u8>(), privileges(), any::<u32>(), algorithms())
        .prop_map(|(tag, privilege, console_session_id, (authentication, integrity, confidentiality))| {
            OpenSessionRequest { tag, privilege, console_session_id, authentication, integrity, confidentiality }
        });
    open_session_response: OpenSessionResponse = prop_oneof![
        (any::<u8>(), privileges(), any::<u32>(), any::<u32>(), algorithms()).prop_map(
            |(tag, privilege, console_session_id, bmc_session_id, (authentication, integrity, confidentiality))| {
                OpenSessionResponse::Accepted(OpenSessionAccepted {
                    tag, privilege, console_session_id, bmc_session_id, authentication, integrity, confidentiality,
                })
            }),
        refusals().prop_map(OpenSessionResponse::Refused),
    ];
    rakp1: Rakp1 = (any::<u8>(), any::<u32>(), any::<[u8; 16]>(), any::<u8>(), vec(any::<u8>(), 0..=16))
        .prop_map(|(tag, bmc_session_id, console_random, role, name)| Rakp1 {
            tag, bmc_session_id, console_random, role: Role(role), username: Username::new(&name).unwrap(),
        });
    rakp2: Rakp2 = prop_oneof![
        (any::<u8>(), any::<u32>(), any::<[u8; 16]>(), any::<[u8; 16]>(), codes()).prop_map(
            |(tag, console_session_id, bmc_random, bmc_guid, auth_code)| Rakp2::Accepted(Rakp2Accepted {
                tag, console_session_id, bmc_random, bmc_guid, auth_code,
            })),
        refusals().prop_map(Rakp2::Refused),
    ];
    rakp3: Rakp3 = (any::<u8>(), any::<u8>(), any::<u32>(), codes())
        .prop_map(|(tag, status, bmc_session_id, auth_code)| Rakp3 {
            tag, status: Status(status), bmc_session_id, auth_code,
        });
    rakp4: Rakp4 = prop_oneof![
        (any::<u8>(), any::<u32>(), codes()).prop_map(|(tag, console_session_id, integrity_check)| {
            Rakp4::Accepted(Rakp4Accepted { tag, console_session_id, integrity_check })
        }),
        refusals().prop_map(Rakp4::Refused),
    ];
    refusal: Refusal = refusals();
}

#[test]
fn refusals_in_the_forms_of_known_bmcs() {
    let forms: [(&[u8], Refusal); 4] = [
        (
            &[0xc7],
            Refusal {
                tag: None,
                status: Status(0xc7),
                console_session_id: None,
                padding: 0,
            },
        ),
        (
            &[0x5a, 0x04],
            Refusal {
                tag: Some(0x5a),
                status: Status::INVALID_AUTHENTICATION_ALGORITHM,
                console_session_id: None,
                padding: 0,
            },
        ),
        (
            &[0x5a, 0x11, 0, 0, 1, 2, 3, 4],
            Refusal::new(0x5a, Status::NO_CIPHER_SUITE_MATCH, 0x0403_0201),
        ),
        (
            &[&[0, 0x0d][..], &[0; 34]].concat(),
            Refusal {
                tag: Some(0),
                status: Status::UNAUTHORIZED_NAME,
                console_session_id: Some(0),
                padding: 28,
            },
        ),
    ];
    for (bytes, refusal) in forms {
        assert_eq!(
            OpenSessionResponse::from_bytes(bytes),
            Ok(OpenSessionResponse::Refused(refusal))
        );
        assert_eq!(Rakp2::from_bytes(bytes), Ok(Rakp2::Refused(refusal)));
        assert_eq!(Rakp4::from_bytes(bytes), Ok(Rakp4::Refused(refusal)));
        assert_eq!(refusal.to_bytes(), bytes);
    }
}

fn codes() -> impl Strategy<Value = AuthCode> {
    vec(any::<u8>(), 0..=32).prop_map(|code| AuthCode::new(&code).unwrap())
}

fn algorithms() -> impl Strategy<
    Value = (
        AuthenticationAlgorithm,
        IntegrityAlgorithm,
        ConfidentialityAlgorithm,
    ),
> {
    any::<[u8; 3]>().prop_map(|[a, i, c]| {
        (
            AuthenticationAlgorithm::new(a),
            IntegrityAlgorithm::new(i),
            ConfidentialityAlgorithm::new(c),
        )
    })
}

/// The short forms end before the session ID, so they hold at most five meaningless bytes.
fn refusals() -> impl Strategy<Value = Refusal> {
    let status = || (1u8..=255).prop_map(Status);
    prop_oneof![
        status().prop_map(|status| Refusal {
            tag: None,
            status,
            console_session_id: None,
            padding: 0
        }),
        (any::<u8>(), status(), 0usize..6).prop_map(|(tag, status, padding)| Refusal {
            tag: Some(tag),
            status,
            console_session_id: None,
            padding
        }),
        (any::<u8>(), status(), any::<u32>(), 0usize..64).prop_map(|(tag, status, id, padding)| {
            Refusal {
                padding,
                ..Refusal::new(tag, status, id)
            }
        }),
    ]
}

fn session_header_values() -> impl Strategy<Value = SessionHeader> {
    let payload_type = any::<u8>().prop_map(PayloadType::new);
    let payload_type =
        payload_type.prop_filter("has a longer header", |t| *t != PayloadType::OEM_EXPLICIT);
    (
        payload_type,
        any::<(bool, bool)>(),
        any::<u32>(),
        any::<u32>(),
        any::<u16>(),
    )
        .prop_map(
            |(payload_type, (encrypted, authenticated), session_id, sequence, payload_length)| {
                SessionHeader {
                    payload_type,
                    encrypted,
                    authenticated,
                    session_id,
                    sequence,
                    payload_length,
                }
            },
        )
}
