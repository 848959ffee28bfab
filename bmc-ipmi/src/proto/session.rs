//! An established session: sealing what goes out, opening and checking what comes in.

use rand::Rng;

use crate::codec::DecodeError;
use crate::crypto::{CipherSuite, KeyedAuth, Opened, SessionKeys, open, seal};
use crate::proto::window::ReplayWindow;
use crate::quirks::{Quirk, Quirks};
use crate::wire::lan::Checksums;
use crate::wire::{AuthType, LanResponse, PayloadType, Privilege, SessionV15};

/// Keys, IDs and sequence numbers of a session, §6.12.
#[derive(Debug)]
pub(super) struct Session {
    protection: Protection,
    bmc_id: u32,
    /// The number of the last datagram.
    sequence: u32,
    window: ReplayWindow,
    quirks: Quirks,
}

#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every session is of the large kind"
)]
enum Protection {
    Plus {
        keys: SessionKeys,
        console_id: u32,
    },
    V15 {
        /// How messages go out.
        auth: KeyedAuth,
        /// What the login was authenticated with, where messages need not be.
        login: Option<KeyedAuth>,
    },
}

impl Session {
    /// The first outbound sequence number of an RMCP+ session.
    pub(super) const FIRST: u32 = 1;

    /// An RMCP+ session; its first outbound sequence number is [`FIRST`](Self::FIRST).
    pub(super) fn new(keys: SessionKeys, console_id: u32, bmc_id: u32, quirks: Quirks) -> Self {
        Self {
            protection: Protection::Plus { keys, console_id },
            bmc_id,
            sequence: Self::FIRST - 1,
            window: ReplayWindow::default(),
            quirks,
        }
    }

    /// An IPMI v1.5 session; `first` is the number of its first outbound message. Without `per_message`, messages are
    /// not authenticated.
    pub(super) fn v15(
        auth: KeyedAuth,
        per_message: bool,
        session_id: u32,
        first: u32,
        quirks: Quirks,
    ) -> Self {
        let (auth, login) = if per_message {
            (auth, None)
        } else {
            (KeyedAuth::new(AuthType::NONE, &[]), Some(auth))
        };
        Self {
            protection: Protection::V15 { auth, login },
            bmc_id: session_id,
            sequence: first.wrapping_sub(1),
            window: ReplayWindow::default(),
            quirks,
        }
    }

    /// The suite of an RMCP+ session.
    pub(super) fn suite(&self) -> Option<CipherSuite> {
        match &self.protection {
            Protection::Plus { keys, .. } => Some(keys.suite()),
            Protection::V15 { .. } => None,
        }
    }

    /// Reads a response that [`open`](Self::open) gave.
    pub(super) fn response<'a>(&self, payload: &'a [u8]) -> Result<LanResponse<'a>, DecodeError> {
        LanResponse::decode_with(payload, checksums(self.quirks))
    }

    /// The privilege that the session begins with, if it may have `limit`.
    pub(super) fn first_privilege(&self, limit: Privilege) -> Privilege {
        if self.quirks.has(Quirk::I82571Spt) {
            limit
        } else {
            limit.min(Privilege::USER)
        }
    }

    /// Whether the session can carry payloads of this type: IPMI v1.5 knows only messages.
    pub(super) fn carries(&self, payload_type: PayloadType) -> bool {
        matches!(self.protection, Protection::Plus { .. }) || payload_type == PayloadType::IPMI
    }

    pub(super) fn bmc_id(&self) -> u32 {
        self.bmc_id
    }

    /// Leaves out the first outbound sequence number, which was used before the session was up.
    pub(super) fn skip(&mut self) {
        self.sequence = self.sequence.max(Self::FIRST);
    }

    /// Seals an IPMI payload under a fresh sequence number and appends the datagram.
    pub(super) fn seal(&mut self, payload: &[u8], rng: &mut impl Rng, out: &mut Vec<u8>) {
        self.seal_as(PayloadType::IPMI, payload, rng, out);
    }

    /// Seals any payload under a fresh sequence number and appends the datagram. IPMI v1.5 knows no other payloads.
    pub(super) fn seal_as(
        &mut self,
        payload_type: PayloadType,
        payload: &[u8],
        rng: &mut impl Rng,
        out: &mut Vec<u8>,
    ) {
        // 0 is no sequence number.
        let sequence = self.sequence.checked_add(1).unwrap_or(1);
        self.sequence = sequence;
        match &self.protection {
            Protection::Plus { keys, .. } => {
                let mut iv = [0; 16];
                rng.fill_bytes(&mut iv);
                let bmc_id = self.bmc_id;
                seal(keys, payload_type, bmc_id, sequence, &iv, payload, out);
            }
            Protection::V15 { auth, .. } => auth.sign(self.bmc_id, sequence, payload).encode(out),
        }
    }

    /// What is in a datagram that is protected as negotiated, ours and new; `None` for every other one.
    pub(super) fn open<'a>(&mut self, datagram: &'a mut [u8]) -> Option<Opened<'a>> {
        let opened = match &self.protection {
            Protection::Plus { keys, console_id } => open(keys, *console_id, datagram).ok()?,
            Protection::V15 { auth, login } => {
                let quirks = self.quirks;
                let datagram = SessionV15::decode(datagram).ok()?;
                let is_signed = auth.verify(&datagram)
                    || login.as_ref().is_some_and(|login| login.verify(&datagram));
                let is_ours = datagram.session_id == self.bmc_id
                    || datagram.session_id == 0 && quirks.has(Quirk::SessionIdZero);
                if !is_signed || !is_ours {
                    return None;
                }
                let is_swapped = quirks.has(Quirk::BigEndianSequence);
                Opened {
                    payload_type: PayloadType::IPMI,
                    sequence: match is_swapped {
                        true => datagram.sequence.swap_bytes(),
                        false => datagram.sequence,
                    },
                    payload: datagram.message,
                }
            }
        };
        self.window.accept(opened.sequence).then_some(opened)
    }
}

/// Whether a BMC with these quirks has to get its checksums right.
pub(super) fn checksums(quirks: Quirks) -> Checksums {
    if quirks.has(Quirk::NoChecksumCheck) {
        Checksums::Ignored
    } else {
        Checksums::Checked
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::crypto::RakpContext;
    use crate::wire::{Role, Username};

    const CONSOLE: u32 = 7;
    const BMC: u32 = 8;

    fn keys() -> SessionKeys {
        let context = RakpContext {
            suite: CipherSuite::SUITE_17,
            console_session_id: CONSOLE,
            bmc_session_id: BMC,
            console_random: [1; 16],
            bmc_random: [2; 16],
            bmc_guid: [3; 16],
            role: Role(0x14),
            username: Username::default(),
            quirks: Quirks::NONE,
        };
        context.session_keys(b"secret", None)
    }

    fn v15(session_id: u32, first: u32, quirks: Quirks) -> Session {
        let auth = KeyedAuth::new(AuthType::NONE, &[]);
        Session::v15(auth, true, session_id, first, quirks)
    }

    #[test]
    fn what_comes_twice_counts_once() {
        let mut session = Session::new(keys(), CONSOLE, BMC, Quirks::NONE);
        let mut datagram = Vec::new();
        let (keys, iv) = (keys(), [0; 16]);
        seal(
            &keys,
            PayloadType::IPMI,
            CONSOLE,
            5,
            &iv,
            b"x",
            &mut datagram,
        );
        let mut repeat = datagram.clone();
        assert!(session.open(&mut datagram).is_some());
        assert!(session.open(&mut repeat).is_none());
    }

    #[test]
    fn numbers_go_round_without_0() {
        let mut session = v15(BMC, u32::MAX, Quirks::NONE);
        let mut rng = StdRng::seed_from_u64(1);
        let numbers = [(); 2].map(|()| {
            let mut datagram = Vec::new();
            session.seal(b"x", &mut rng, &mut datagram);
            SessionV15::decode(&datagram).unwrap().sequence
        });
        assert_eq!(numbers, [u32::MAX, 1]);
    }

    /// Read the wrong way round, the number before the last is an old one.
    #[test]
    fn numbers_can_be_big_endian() {
        for (quirks, counts) in [
            (Quirks::NONE, false),
            (Quirk::BigEndianSequence.into(), true),
        ] {
            let mut session = v15(BMC, 1, quirks);
            let auth = KeyedAuth::new(AuthType::NONE, &[]);
            let arrives = [6_u32, 5].map(|number| {
                let mut datagram = Vec::new();
                auth.sign(BMC, number.swap_bytes(), b"x")
                    .encode(&mut datagram);
                session.open(&mut datagram).is_some()
            });
            assert_eq!(arrives, [true, counts]);
        }
    }

    /// Without authentication the session ID is all that tells sessions apart.
    #[test]
    fn messages_of_other_sessions_do_not_count() {
        for (id, quirks, counts) in [
            (BMC, Quirks::NONE, true),
            (BMC + 1, Quirks::NONE, false),
            (0, Quirks::NONE, false),
            (0, Quirk::SessionIdZero.into(), true),
        ] {
            let mut session = v15(BMC, 1, quirks);
            let mut datagram = Vec::new();
            let auth = KeyedAuth::new(AuthType::NONE, &[]);
            auth.sign(id, 5, b"x").encode(&mut datagram);
            assert_eq!(session.open(&mut datagram).is_some(), counts, "{id}");
        }
    }
}
