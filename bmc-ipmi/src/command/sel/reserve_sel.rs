//! Reserve SEL, §31.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Reserves the log: later commands that name the reservation fail with C5h once the log has changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReserveSel;

without_data!(ReserveSel, "Reserve SEL");

impl Command for ReserveSel {
    type Response = SelReservation;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x42;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A reservation of the log; 0 is none.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SelReservation(pub u16);

impl Wire for SelReservation {
    const NAME: &'static str = "Reserve SEL response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self(r.u16_le("reservation ID")?))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.0);
    }
}
