//! Get Device SDR, §35.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::{SdrPart, SdrRange};
use crate::wire::{NetFn, Privilege};

/// Reads a record of a device, or a part of one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDeviceSdr(pub SdrRange);

impl Wire for GetDeviceSdr {
    const NAME: &'static str = "Get Device SDR";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        SdrRange::decode(r).map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.0.encode(out);
    }
}

impl Command for GetDeviceSdr {
    type Response = SdrPart;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x21;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}
