//! SOL.

use super::*;

wire_type! {
    sol_header: SolHeader = (0u8..16, 0u8..16, any::<u8>(), any::<u8>())
        .prop_map(|(sequence, acknowledged, accepted, flags)| SolHeader {
            sequence, acknowledged, accepted, flags: SolFlags(flags),
        });
    activate_payload: ActivatePayload = (any::<u8>(), 0u8..16, any::<[u8; 4]>())
        .prop_map(|(payload, instance, auxiliary)| ActivatePayload {
            payload_type: PayloadType::new(payload), instance, auxiliary,
        });
    activated_payload: ActivatedPayload = (any::<[u8; 4]>(), any::<[u16; 4]>())
        .prop_map(|(auxiliary, n)| ActivatedPayload {
            auxiliary, inbound_size: n[0], outbound_size: n[1], port: n[2], vlan: n[3],
        });
    deactivate_payload: DeactivatePayload = (any::<u8>(), 0u8..16, any::<[u8; 4]>())
        .prop_map(|(payload, instance, auxiliary)| DeactivatePayload {
            payload_type: PayloadType::new(payload), instance, auxiliary,
        });
    get_sol_configuration: GetSolConfiguration = (0u8..16, any::<bool>(), any::<[u8; 3]>())
        .prop_map(|(channel, revision_only, b)| GetSolConfiguration {
            channel, revision_only, parameter: SolParameter(b[0]), set: b[1], block: b[2],
        });
    set_sol_configuration: SetSolConfiguration = (0u8..16, settings())
        .prop_map(|(channel, setting)| SetSolConfiguration { channel, setting });
}

proptest! {
    #[test]
    fn an_activation_is_a_byte(byte in any::<u8>()) {
        // Bits 4 and 0 are not used.
        prop_assert_eq!(SolActivation::from_byte(byte).to_byte(), byte & 0xee);
    }
}

fn settings() -> impl Strategy<Value = SolSetting> {
    use SolSetting as S;
    prop_oneof![
        (0u8..4).prop_map(S::SetInProgress),
        any::<bool>().prop_map(S::Enable),
        (any::<(bool, bool)>(), privileges()).prop_map(
            |((force_encryption, force_authentication), privilege)| {
                S::Authentication(SolAuthentication {
                    force_encryption,
                    force_authentication,
                    privilege,
                })
            }
        ),
        any::<(u8, u8)>().prop_map(|(interval, threshold)| S::Accumulation {
            interval,
            threshold
        }),
        (0u8..8, any::<u8>()).prop_map(|(count, interval)| S::Retry { count, interval }),
        any::<u8>().prop_map(|rate| S::NonVolatileBitRate(SolBitRate::new(rate))),
        any::<u8>().prop_map(|rate| S::VolatileBitRate(SolBitRate::new(rate))),
        any::<u8>().prop_map(S::Channel),
        any::<u16>().prop_map(S::Port),
        (9u8..=255, vec(any::<u8>(), 0..20)).prop_map(|(parameter, data)| S::Other {
            parameter: SolParameter(parameter),
            data,
        }),
    ]
}
