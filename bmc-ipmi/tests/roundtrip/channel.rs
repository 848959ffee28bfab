//! Channel commands, and payloads on channels.

use bmc_core::Secret;
use bmc_ipmi::command::session::cipher_suite_records::{
    CipherSuiteRecord, decode_records, encode_records,
};

use super::user::users;
use super::*;

wire_type! {
    get_channel_cipher_suites: GetChannelCipherSuites = (0u8..16, any::<u8>(), any::<bool>(), 0u8..64)
        .prop_map(|(channel, payload, by_suite, index)| GetChannelCipherSuites {
            channel, payload_type: PayloadType::new(payload), by_suite, index,
        });
    channel_cipher_suites: ChannelCipherSuites = (any::<u8>(), vec(any::<u8>(), 0..=16))
        .prop_map(|(channel, records)| ChannelCipherSuites { channel, records });
    get_channel_info: GetChannelInfo = (0u8..16).prop_map(GetChannelInfo);
    channel_info: ChannelInfo = (0u8..16, any::<[u8; 3]>(), 0u8..64, 0u32..0x0100_0000, any::<[u8; 2]>()).prop_map(
        |(channel, b, active_sessions, vendor, auxiliary)| ChannelInfo {
            channel, medium: ChannelMedium::new(b[0]), protocol: ChannelProtocol::new(b[1]),
            sessions: SessionSupport::new(b[2]), active_sessions, vendor, auxiliary,
        });
    set_channel_access: SetChannelAccess = (
        0u8..16, prop::option::of((sources(), accesses(Just(Privilege::HIGHEST)))), prop::option::of((sources(), privileges())),
    ).prop_map(|(channel, access, limit)| SetChannelAccess { channel, access, limit });
    get_channel_access: GetChannelAccess = (0u8..16, sources())
        .prop_map(|(channel, source)| GetChannelAccess { channel, source });
    channel_access: ChannelAccess = accesses(privileges());
    set_channel_security_keys: SetChannelSecurityKeys = (0u8..16, any::<u8>(), key_operations()).prop_map(
        |(channel, key, operation)| SetChannelSecurityKeys { channel, key: ChannelKey::new(key), operation });
    channel_security_keys: ChannelSecurityKeys = (any::<u8>(), prop::option::of(keys_of_20())).prop_map(
        |(lock, key)| ChannelSecurityKeys { lock: KeyLock::new(lock), key });
    get_payload_activation_status: GetPayloadActivationStatus = payloads().prop_map(GetPayloadActivationStatus);
    payload_activation_status: PayloadActivationStatus = (0u8..16, any::<u16>())
        .prop_map(|(capacity, active)| PayloadActivationStatus { capacity, active });
    get_payload_instance_info: GetPayloadInstanceInfo = (payloads(), any::<u8>())
        .prop_map(|(payload_type, instance)| GetPayloadInstanceInfo { payload_type, instance });
    payload_instance_info: PayloadInstanceInfo = any::<(u32, [u8; 8])>()
        .prop_map(|(session_id, information)| PayloadInstanceInfo { session_id, information });
    set_user_payload_access: SetUserPayloadAccess = (0u8..16, users(), any::<bool>(), payload_accesses()).prop_map(
        |(channel, user, enable, payloads)| SetUserPayloadAccess { channel, user, enable, payloads });
    get_user_payload_access: GetUserPayloadAccess = (0u8..16, users())
        .prop_map(|(channel, user)| GetUserPayloadAccess { channel, user });
    payload_access: PayloadAccess = payload_accesses();
    get_channel_payload_support: GetChannelPayloadSupport = (0u8..16).prop_map(GetChannelPayloadSupport);
    channel_payload_support: ChannelPayloadSupport = vec(payloads(), 0..10).prop_map(ChannelPayloadSupport::of);
    get_channel_payload_version: GetChannelPayloadVersion = (0u8..16, payloads())
        .prop_map(|(channel, payload_type)| GetChannelPayloadVersion { channel, payload_type });
    channel_payload_version: ChannelPayloadVersion = (0u8..16, 0u8..16)
        .prop_map(|(major, minor)| ChannelPayloadVersion { major, minor });
}

proptest! {
    #[test]
    fn cipher_suite_records(records in vec(records(), 0..12), noise in vec(any::<u8>(), 0..64)) {
        prop_assert_eq!(decode_records(&encode_records(&records)), records);
        let read = decode_records(&noise);
        prop_assert_eq!(decode_records(&encode_records(&read)), read);
    }
}

fn sources() -> impl Strategy<Value = AccessSource> {
    prop_oneof![
        Just(AccessSource::Volatile),
        Just(AccessSource::NonVolatile)
    ]
}

fn accesses(limit: impl Strategy<Value = Privilege>) -> impl Strategy<Value = ChannelAccess> {
    (any::<(bool, bool, bool)>(), any::<u8>(), limit).prop_map(
        |((alerting, per_message_authentication, user_level_authentication), mode, limit)| {
            ChannelAccess {
                alerting,
                per_message_authentication,
                user_level_authentication,
                mode: AccessMode::new(mode),
                limit,
            }
        },
    )
}

fn keys_of_20() -> impl Strategy<Value = Secret> {
    any::<[u8; 20]>().prop_map(Secret::new)
}

fn key_operations() -> impl Strategy<Value = KeyOperation> {
    prop_oneof![
        Just(KeyOperation::Read),
        keys_of_20().prop_map(KeyOperation::Set),
        Just(KeyOperation::Lock),
    ]
}

fn payloads() -> impl Strategy<Value = PayloadType> {
    any::<u8>().prop_map(PayloadType::new)
}

fn payload_accesses() -> impl Strategy<Value = PayloadAccess> {
    any::<(u8, u8)>().prop_map(|(standard, oem)| PayloadAccess { standard, oem })
}

fn records() -> impl Strategy<Value = CipherSuiteRecord> {
    let oem = prop::option::of(0u32..0x0100_0000);
    let list = || vec(any::<u8>(), 0..3);
    (any::<u8>(), oem, any::<Option<u8>>(), list(), list()).prop_map(
        |(id, oem, authentication, integrity, conf)| CipherSuiteRecord {
            id,
            oem,
            authentication: authentication.map(AuthenticationAlgorithm::new),
            integrity: integrity.into_iter().map(IntegrityAlgorithm::new).collect(),
            confidentiality: conf
                .into_iter()
                .map(ConfidentialityAlgorithm::new)
                .collect(),
        },
    )
}
