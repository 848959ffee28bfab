//! An established session: sealing what goes out, opening and checking what comes in.

use rand::Rng;

use crate::crypto::{Opened, SessionKeys, open, seal};
use crate::proto::window::ReplayWindow;
use crate::wire::PayloadType;

/// Keys, IDs and sequence numbers of a session, §6.12.
#[derive(Debug)]
pub(super) struct Session {
    keys: SessionKeys,
    console_id: u32,
    bmc_id: u32,
    sequence: u32,
    window: ReplayWindow,
}

impl Session {
    /// The first outbound sequence number.
    pub(super) const FIRST: u32 = 1;

    /// A session whose first outbound sequence number is [`FIRST`](Self::FIRST).
    pub(super) fn new(keys: SessionKeys, console_id: u32, bmc_id: u32) -> Self {
        Self {
            keys,
            console_id,
            bmc_id,
            sequence: 0,
            window: ReplayWindow::default(),
        }
    }

    pub(super) fn keys(&self) -> &SessionKeys {
        &self.keys
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

    /// Seals any payload under a fresh sequence number and appends the datagram.
    pub(super) fn seal_as(
        &mut self,
        payload_type: PayloadType,
        payload: &[u8],
        rng: &mut impl Rng,
        out: &mut Vec<u8>,
    ) {
        self.sequence = match self.sequence.wrapping_add(1) {
            0 => 1,
            next => next,
        };
        let mut iv = [0; 16];
        rng.fill_bytes(&mut iv);
        seal(
            &self.keys,
            payload_type,
            self.bmc_id,
            self.sequence,
            &iv,
            payload,
            out,
        );
    }

    /// What is in a datagram that is authentic, encrypted, ours and new; `None` for every other one.
    pub(super) fn open<'a>(&mut self, datagram: &'a mut [u8]) -> Option<Opened<'a>> {
        let opened = open(&self.keys, self.console_id, datagram).ok()?;
        self.window.accept(opened.sequence).then_some(opened)
    }
}
