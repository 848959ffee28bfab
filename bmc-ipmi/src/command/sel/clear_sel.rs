//! Clear SEL, §31.9.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

use super::SelReservation;

/// Erases the log, or asks how far that is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClearSel {
    /// The reservation.
    pub reservation: SelReservation,
    /// What to do.
    pub erasure: SelErasure,
}

/// What Clear SEL does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelErasure(pub u8);

impl SelErasure {
    /// Start to erase.
    pub const START: Self = Self(0xaa);
    /// Tell how far the erasure is.
    pub const STATUS: Self = Self(0x00);
}

const KEY: [u8; 3] = *b"CLR";

impl Wire for ClearSel {
    const NAME: &'static str = "Clear SEL";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let reservation = SelReservation::decode(r)?;
        for letter in KEY {
            r.expect_u8(letter, "key")?;
        }
        Ok(Self {
            reservation,
            erasure: SelErasure(r.u8("action")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.reservation.encode(out);
        out.put_slice(&KEY);
        out.put_u8(self.erasure.0);
    }
}

impl Command for ClearSel {
    type Response = ErasureProgress;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x47;
    // A repeat names a reservation that the erasure has cancelled.
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

/// How far an erasure is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ErasureProgress(u8);

code_table! {
    ErasureProgress, 0x0f, "erasure progress":
    IN_PROGRESS = 0, "in progress";
    COMPLETE = 1, "complete";
}

impl Wire for ErasureProgress {
    const NAME: &'static str = "Clear SEL response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::new(r.u8("erasure progress")?))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0);
    }
}
