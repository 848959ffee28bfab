//! Get SEL Time and Set SEL Time, §31.10 and §31.11.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, Timestamp};

/// Asks for the time of the log's clock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSelTime;

without_data!(GetSelTime, "Get SEL Time");

impl Command for GetSelTime {
    type Response = SelTime;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x48;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The time of the log's clock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelTime(pub Timestamp);

impl Wire for SelTime {
    const NAME: &'static str = "Get SEL Time response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self(Timestamp(r.u32_le("present timestamp")?)))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.0.0);
    }
}

/// Sets the log's clock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetSelTime(pub Timestamp);

impl Wire for SetSelTime {
    const NAME: &'static str = "Set SEL Time";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self(Timestamp(r.u32_le("timestamp")?)))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.0.0);
    }
}

impl Command for SetSelTime {
    type Response = ();
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x49;
    // A late repeat sets the clock back.
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
