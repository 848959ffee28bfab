//! LAN messages, and payloads under the protection of each cipher suite.

use bmc_ipmi::crypto::{self, CipherSuite, OpenError, RakpContext, SessionKeys};
use bmc_ipmi::quirks::Quirks;

use super::*;

proptest! {
    #[test]
    fn lan_request(b in any::<[u8; 7]>(), data in vec(any::<u8>(), 0..64)) {
        let request = LanRequest {
            responder: b[0], responder_lun: b[1] & 3, netfn: NetFn::new(b[2] & 0x3e), requester: b[3],
            requester_lun: b[4] & 3, sequence: b[5] & 0x3f, command: b[6], data: &data,
        };
        let mut bytes = Vec::new();
        request.encode(&mut bytes);
        prop_assert_eq!(LanRequest::decode(&bytes), Ok(request));
        prop_assert!(LanResponse::decode(&bytes).is_err());
        let damaged = usize::from(b[0]) % bytes.len();
        bytes[damaged] ^= 0x10;
        prop_assert!(LanRequest::decode(&bytes).is_err(), "one changed bit breaks a checksum");
    }

    #[test]
    fn lan_response(b in any::<[u8; 8]>(), data in vec(any::<u8>(), 0..64)) {
        let response = LanResponse {
            requester: b[0], requester_lun: b[1] & 3, netfn: NetFn::new(b[2] | 1), responder: b[3],
            responder_lun: b[4] & 3, sequence: b[5] & 0x3f, command: b[6], completion: CompletionCode(b[7]),
            data: &data,
        };
        let mut bytes = Vec::new();
        response.encode(&mut bytes);
        prop_assert_eq!(LanResponse::decode(&bytes), Ok(response));
        prop_assert!(LanRequest::decode(&bytes).is_err());
    }

    #[test]
    fn arbitrary_datagrams_never_panic(mut bytes in vec(any::<u8>(), 0..160), ipmi in any::<bool>()) {
        if ipmi && bytes.len() >= 4 {
            bytes[..4].copy_from_slice(&[6, 0, 0xff, 7]);
        }
        let _ = (SessionV15::decode(&bytes).is_ok(), SessionHeader::split(&bytes).is_ok());
        let _ = (LanRequest::decode(&bytes).is_ok(), LanResponse::decode(&bytes).is_ok());
        let _ = (PresencePing::from_bytes(&bytes).is_ok(), PresencePong::from_bytes(&bytes).is_ok());
        for suite in CipherSuite::ALL {
            let is_protected = suite.integrity() != IntegrityAlgorithm::NONE;
            let is_open = crypto::open(&keys(suite, b"p"), 1, &mut bytes.clone()).is_ok();
            prop_assert!(!(is_protected && is_open));
        }
    }

    #[test]
    fn sealed_payloads_open(
        suite in suites(), session in any::<u32>(), sequence in any::<u32>(), iv in any::<[u8; 16]>(),
        payload in vec(any::<u8>(), 0..300),
    ) {
        let keys = keys(suite, b"secret");
        let mut datagram = Vec::new();
        crypto::seal(&keys, PayloadType::SOL, session, sequence, &iv, &payload, &mut datagram);
        let opened = crypto::open(&keys, session, &mut datagram).unwrap();
        prop_assert_eq!((opened.payload_type, opened.sequence), (PayloadType::SOL, sequence));
        prop_assert_eq!(opened.payload, payload);
    }

    #[test]
    fn no_changed_bit_and_no_other_key_opens(suite in authenticated(), bit in any::<prop::sample::Index>(), cut in 1usize..40) {
        let keys_here = keys(suite, b"secret");
        let mut sealed = Vec::new();
        crypto::seal(&keys_here, PayloadType::IPMI, 7, 1, &[9; 16], b"message", &mut sealed);
        // The RMCP header's reserved byte and sequence number are not covered by the AuthCode.
        let bit = bit.index((sealed.len() - 4) * 8) + 32;
        let mut changed = sealed.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(crypto::open(&keys_here, 7, &mut changed).is_err());
        let mut short = sealed[..sealed.len() - cut].to_vec();
        prop_assert!(crypto::open(&keys_here, 7, &mut short).is_err());
        let mut long = [sealed.clone(), vec![0; cut]].concat();
        prop_assert!(crypto::open(&keys_here, 7, &mut long).is_err());
        prop_assert_eq!(crypto::open(&keys(suite, b"other"), 7, &mut sealed), Err(OpenError::AuthCode));
    }
}

#[test]
fn each_protection_is_enforced() {
    let keys = keys(CipherSuite::SUITE_3, b"secret");
    let mut sealed = Vec::new();
    crypto::seal(
        &keys,
        PayloadType::IPMI,
        7,
        1,
        &[9; 16],
        b"message",
        &mut sealed,
    );
    for payload_type in [0x00, 0x40, 0x80] {
        let mut cleared = sealed.clone();
        cleared[5] = payload_type;
        assert_eq!(
            crypto::open(&keys, 7, &mut cleared),
            Err(OpenError::Protection)
        );
    }
    let foreign = Err(OpenError::SessionId { found: 7 });
    assert_eq!(crypto::open(&keys, 8, &mut sealed.clone()), foreign);
    sealed[20] ^= 1;
    assert_eq!(
        crypto::open(&keys, 7, &mut sealed),
        Err(OpenError::AuthCode)
    );
}

fn keys(suite: CipherSuite, password: &[u8]) -> SessionKeys {
    let context = RakpContext {
        suite,
        console_session_id: 1,
        bmc_session_id: 2,
        console_random: [3; 16],
        bmc_random: [4; 16],
        bmc_guid: [5; 16],
        role: Role::by_name(Privilege::ADMINISTRATOR),
        username: Username::new(b"admin").unwrap(),
        quirks: Quirks::NONE,
    };
    context.session_keys(password, None)
}

fn suites() -> impl Strategy<Value = CipherSuite> {
    let zero = [CipherSuite::danger_suite_0()];
    prop::sample::select([&CipherSuite::ALL[..], &zero].concat())
}

fn authenticated() -> impl Strategy<Value = CipherSuite> {
    suites().prop_filter("no integrity", |suite| {
        suite.integrity() != IntegrityAlgorithm::NONE
    })
}
