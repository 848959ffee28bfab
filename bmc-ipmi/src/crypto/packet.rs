//! Sealing and opening the datagrams of an RMCP+ session, §13.6 and §13.28.

use crate::codec::{DecodeError, Wire};
use crate::crypto::confidentiality::{AesCbc, BLOCK};
use crate::crypto::keys::SessionKeys;
use crate::wire::{PayloadType, RmcpHeader, SessionHeader};

/// Appends a whole datagram to `out`: encrypted, then authenticated, each as the suite has it.
///
/// `session_id` is the receiver's. `sequence` must not repeat and `iv` must be unpredictable under the same keys.
/// Payloads are at most 65000 bytes; nothing in IPMI comes near.
pub fn seal(
    keys: &SessionKeys,
    payload_type: PayloadType,
    session_id: u32,
    sequence: u32,
    iv: &[u8; BLOCK],
    payload: &[u8],
    out: &mut Vec<u8>,
) {
    let start = out.len();
    let sealed_length = match &keys.aes {
        Some(_) => AesCbc::sealed_length(payload.len()),
        None => payload.len(),
    };
    RmcpHeader::IPMI.encode(out);
    let header = SessionHeader {
        payload_type,
        encrypted: keys.aes.is_some(),
        authenticated: keys.integrity.is_some(),
        session_id,
        sequence,
        payload_length: u16::try_from(sealed_length).unwrap_or(u16::MAX),
    };
    header.encode(out);
    match &keys.aes {
        Some(aes) => aes.seal(iv, payload, out),
        None => out.extend_from_slice(payload),
    }
    let Some(integrity) = &keys.integrity else {
        return;
    };
    let pad = integrity_pad(sealed_length, keys.pads_short);
    out.extend(std::iter::repeat_n(0xff, pad.into()));
    out.push(pad);
    out.push(SessionHeader::NEXT_HEADER);
    let covered = out.get(start + RmcpHeader::LENGTH..).unwrap_or_default();
    let code = integrity.code(covered);
    out.extend_from_slice(code.as_bytes());
}

/// A datagram that belongs to the session and, as far as the suite protects it, was neither altered nor read on its way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Opened<'a> {
    /// What the payload is.
    pub payload_type: PayloadType,
    /// Session sequence number; the caller refuses repeated ones.
    pub sequence: u32,
    /// The decrypted payload.
    pub payload: &'a [u8],
}

/// Why a datagram is not one of the session. Such datagrams are dropped; anybody can send them.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The header cannot be read.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The datagram is not authenticated or not encrypted as the session's suite demands.
    #[error("datagram is not protected as negotiated")]
    Protection,
    /// The datagram belongs to another session.
    #[error("session ID is {found:08x}h")]
    SessionId {
        /// The ID in the datagram.
        found: u32,
    },
    /// The trailer is too short, or its pad length and next header are impossible.
    #[error("session trailer is malformed")]
    Trailer,
    /// The AuthCode does not authenticate the datagram.
    #[error("AuthCode is wrong")]
    AuthCode,
    /// The payload does not decrypt to a correctly padded message.
    #[error("encrypted payload is malformed")]
    Payload,
}

/// Verifies and decrypts a whole datagram in place. `session_id` is our own.
///
/// Nothing but protection bits, session ID and lengths is looked at before the AuthCode is verified.
pub fn open<'a>(
    keys: &SessionKeys,
    session_id: u32,
    datagram: &'a mut [u8],
) -> Result<Opened<'a>, OpenError> {
    let (header, _, trailer) = SessionHeader::split(datagram)?;
    if (header.authenticated, header.encrypted) != (keys.integrity.is_some(), keys.aes.is_some()) {
        return Err(OpenError::Protection);
    }
    if header.session_id != session_id {
        let found = header.session_id;
        return Err(OpenError::SessionId { found });
    }
    let payload_start = RmcpHeader::LENGTH + SessionHeader::LENGTH;
    let payload_end = payload_start + usize::from(header.payload_length);
    if let Some(integrity) = &keys.integrity {
        let signed_trailer = trailer
            .len()
            .checked_sub(integrity.length())
            .ok_or(OpenError::Trailer)?;
        let (signed, code) = datagram
            .split_at_checked(payload_end + signed_trailer)
            .ok_or(OpenError::Trailer)?;
        let covered = signed.get(RmcpHeader::LENGTH..).ok_or(OpenError::Trailer)?;
        if !integrity.verify(covered, code) {
            return Err(OpenError::AuthCode);
        }
        match signed.get(payload_end..) {
            Some([pad @ .., pad_length, SessionHeader::NEXT_HEADER])
                if pad.len() == usize::from(*pad_length) => {}
            _ => return Err(OpenError::Trailer),
        }
    }
    let sealed = datagram
        .get_mut(payload_start..payload_end)
        .ok_or(OpenError::Trailer)?;
    let payload = match &keys.aes {
        Some(aes) => aes.open(sealed).ok_or(OpenError::Payload)?,
        None => sealed,
    };
    Ok(Opened {
        payload_type: header.payload_type,
        sequence: header.sequence,
        payload,
    })
}

/// Pad bytes that make everything from session header to next header a multiple of four; `pads_short` leaves the two
/// bytes behind the pad out of the count.
fn integrity_pad(payload_length: usize, pads_short: bool) -> u8 {
    let behind = if pads_short { 0 } else { 2 };
    let unpadded = SessionHeader::LENGTH + payload_length + behind;
    u8::try_from(unpadded.next_multiple_of(4) - unpadded).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::crypto::{CipherSuite, RakpContext};
    use crate::quirks::Quirks;
    use crate::wire::{Role, Username};

    const PAYLOAD: std::ops::Range<usize> = 16..48;

    /// Malformed packets of a peer that has the keys: every check behind the AuthCode.
    #[test]
    fn a_valid_auth_code_does_not_excuse_malformed_padding() {
        let keys = keys();
        for length in 0..15u8 {
            let plain = vec![1; length.into()];
            let pad = 15 - length;
            for claimed in (0..=255).filter(|claimed| *claimed != pad) {
                let refused = resigned(&keys, &plain, |block| block[15] = claimed);
                // Pad length 0 has no pad bytes that could be wrong, so it reads as a longer payload.
                assert_eq!(
                    refused.is_ok(),
                    claimed == 0,
                    "length {length}, pad length {claimed}"
                );
            }
            for at in length..15 {
                let refused = resigned(&keys, &plain, |block| block[usize::from(at)] ^= 0x40);
                assert_eq!(refused, Err(OpenError::Payload));
            }
        }
    }

    #[test]
    fn a_valid_auth_code_does_not_excuse_a_malformed_trailer() {
        let keys = keys();
        for (at, byte) in [(50, 0x01), (50, 0x03), (50, 0xff), (51, 0x06), (51, 0x00)] {
            let mut datagram = sealed(&keys, b"message");
            datagram[at] = byte;
            sign(&keys, &mut datagram);
            assert_eq!(open(&keys, 7, &mut datagram), Err(OpenError::Trailer));
        }
    }

    #[test]
    fn odd_payload_lengths_are_refused() {
        let keys = keys();
        for length in 0..32 {
            let mut datagram = sealed(&keys, b"message");
            datagram[14] = length;
            datagram.truncate(16 + usize::from(length));
            datagram.extend([0, SessionHeader::NEXT_HEADER]);
            let code = keys.integrity.as_ref().unwrap().code(&datagram[4..]);
            datagram.extend(code.as_bytes());
            assert_eq!(
                open(&keys, 7, &mut datagram),
                Err(OpenError::Payload),
                "length {length}"
            );
        }
    }

    #[test]
    fn protection_is_what_was_negotiated() {
        for ours in CipherSuite::ALL {
            let keys = session_keys(ours);
            for theirs in CipherSuite::ALL {
                let mut datagram = sealed(&session_keys(theirs), b"message");
                let protection =
                    |suite: CipherSuite| (suite.integrity().value() != 0, suite.is_encrypted());
                let opened = open(&keys, 7, &mut datagram);
                if ours == theirs
                    || protection(ours) == (false, false) && protection(theirs) == (false, false)
                {
                    assert_eq!(opened.unwrap().payload, b"message");
                } else if protection(ours) == protection(theirs) {
                    assert!(opened.is_err(), "{ours} and {theirs}");
                } else {
                    assert_eq!(opened, Err(OpenError::Protection), "{ours} and {theirs}");
                }
            }
        }
    }

    #[test]
    fn short_pads_leave_two_bytes_out_of_the_count() {
        let mut keys = session_keys(CipherSuite::SUITE_2);
        keys.pads_short = true;
        for length in 0..8_u8 {
            let mut datagram = Vec::new();
            let message = vec![1; length.into()];
            seal(
                &keys,
                PayloadType::IPMI,
                7,
                1,
                &[9; 16],
                &message,
                &mut datagram,
            );
            let pad = (4 - length % 4) % 4;
            assert_eq!(datagram.len(), 16 + usize::from(length + pad) + 2 + 12);
            assert_eq!(datagram[16 + usize::from(length + pad)], pad);
            assert_eq!(open(&keys, 7, &mut datagram).unwrap().payload, message);
        }
    }

    /// Changes the last decrypted block of a one-block payload, then encrypts and signs again.
    fn resigned(
        keys: &SessionKeys,
        plain: &[u8],
        change: impl FnOnce(&mut [u8]),
    ) -> Result<(), OpenError> {
        let mut datagram = sealed(keys, plain);
        // In CBC, a change of the initialization vector changes the same bits of the first block.
        let mut before = [0; 16];
        before[..plain.len()].copy_from_slice(plain);
        let pad = 15 - plain.len();
        for (at, byte) in (plain.len()..15).zip(1..) {
            before[at] = byte;
        }
        before[15] = u8::try_from(pad).unwrap();
        let mut after = before;
        change(&mut after);
        for at in 0..16 {
            datagram[PAYLOAD.start + at] ^= before[at] ^ after[at];
        }
        sign(keys, &mut datagram);
        open(keys, 7, &mut datagram).map(|_| ())
    }

    fn sealed(keys: &SessionKeys, plain: &[u8]) -> Vec<u8> {
        let mut datagram = Vec::new();
        seal(
            keys,
            PayloadType::IPMI,
            7,
            1,
            &[9; 16],
            plain,
            &mut datagram,
        );
        datagram
    }

    fn sign(keys: &SessionKeys, datagram: &mut Vec<u8>) {
        datagram.truncate(datagram.len() - keys.integrity.as_ref().unwrap().length());
        let code = keys
            .integrity
            .as_ref()
            .unwrap()
            .code(&datagram[RmcpHeader::LENGTH..]);
        datagram.extend(code.as_bytes());
    }

    fn keys() -> SessionKeys {
        session_keys(CipherSuite::SUITE_17)
    }

    fn session_keys(suite: CipherSuite) -> SessionKeys {
        let context = RakpContext {
            suite,
            console_session_id: 1,
            bmc_session_id: 2,
            console_random: [3; 16],
            bmc_random: [4; 16],
            bmc_guid: [5; 16],
            role: Role(0x14),
            username: Username::new(b"admin").unwrap(),
            quirks: Quirks::NONE,
        };
        context.session_keys(b"secret", None)
    }
}
