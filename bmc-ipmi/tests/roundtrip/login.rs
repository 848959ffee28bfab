//! Messages of logins and sessions.

use bmc_ipmi::crypto::KeyedAuth;

use super::*;

wire_type! {
    get_channel_auth_capabilities: GetChannelAuthCapabilities = (any::<bool>(), 0u8..16, privileges())
        .prop_map(|(extended, channel, privilege)| GetChannelAuthCapabilities { extended, channel, privilege });
    channel_auth_capabilities: ChannelAuthCapabilities = (any::<[u8; 5]>(), 0u32..0x0100_0000)
        .prop_map(|(b, oem)| ChannelAuthCapabilities {
            channel: b[0], auth_types: b[1], login_status: b[2], versions: b[3], oem, oem_data: b[4],
        });
    presence_ping: PresencePing = any::<u8>().prop_map(|tag| PresencePing { tag });
    presence_pong: PresencePong = (any::<[u8; 3]>(), any::<u32>(), any::<u32>())
        .prop_map(|(b, oem, oem_data)| PresencePong {
            tag: b[0], oem, oem_data, entities: b[1], interactions: b[2],
        });
    get_session_challenge: GetSessionChallenge = (auth_types(), vec(1..=u8::MAX, 0..=16))
        .prop_map(|(auth_type, name)| GetSessionChallenge {
            auth_type, username: Username::new(&name).unwrap(),
        });
    session_challenge: SessionChallenge = (any::<u32>(), any::<[u8; 16]>())
        .prop_map(|(temporary_id, challenge)| SessionChallenge { temporary_id, challenge });
    activate_session: ActivateSession = (auth_types(), privileges(), any::<[u8; 16]>(), any::<u32>())
        .prop_map(|(auth_type, privilege, challenge, initial_outbound)| ActivateSession {
            auth_type, privilege, challenge, initial_outbound,
        });
    activated_session: ActivatedSession = (auth_types(), any::<u32>(), any::<u32>(), privileges())
        .prop_map(|(auth_type, session_id, initial_inbound, privilege)| ActivatedSession {
            auth_type, session_id, initial_inbound, privilege,
        });
}

proptest! {
    #[test]
    fn v15_datagram(
        auth_type in auth_types().prop_filter("RMCP+", |auth_type| auth_type.value() != 6),
        sequence in any::<u32>(),
        session_id in any::<u32>(),
        code in any::<[u8; 16]>(),
        message in vec(any::<u8>(), 0..=255),
    ) {
        let auth_code = if auth_type == AuthType::NONE { [0; 16] } else { code };
        let session = SessionV15 { auth_type, sequence, session_id, auth_code, message: &message };
        let mut bytes = Vec::new();
        session.encode(&mut bytes);
        prop_assert_eq!(SessionV15::decode(&bytes), Ok(session));
        bytes.push(0);
        prop_assert_eq!(SessionV15::decode(&bytes), Ok(session), "a legacy pad is ignored");
        bytes.push(0);
        prop_assert!(SessionV15::decode(&bytes).is_err());
    }

    /// One changed bit anywhere behind the authentication type breaks an AuthCode that is a hash.
    #[test]
    fn v15_codes(
        md2 in any::<bool>(),
        password in vec(any::<u8>(), 0..=16),
        sequence in any::<u32>(),
        session_id in any::<u32>(),
        message in vec(any::<u8>(), 0..=64),
        at in any::<proptest::sample::Index>(),
    ) {
        let auth_type = if md2 { AuthType::MD2 } else { AuthType::MD5 };
        let keyed = KeyedAuth::new(auth_type, &password);
        let mut bytes = Vec::new();
        keyed.sign(session_id, sequence, &message).encode(&mut bytes);
        prop_assert!(keyed.verify(&SessionV15::decode(&bytes).unwrap()));
        let at = 5 + at.index(bytes.len() - 5);
        bytes[at] ^= 0x04;
        prop_assert!(!SessionV15::decode(&bytes).is_ok_and(|changed| keyed.verify(&changed)));
    }
}

fn auth_types() -> impl Strategy<Value = AuthType> {
    any::<u8>().prop_map(AuthType::new)
}
