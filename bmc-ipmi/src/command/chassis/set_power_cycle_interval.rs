//! Set Power Cycle Interval, §28.9.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Says for how many seconds a power cycle keeps the host off; 0 is as short as possible.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetPowerCycleInterval(pub u8);

impl Wire for SetPowerCycleInterval {
    const NAME: &'static str = "Set Power Cycle Interval";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("power cycle interval").map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0);
    }
}

impl Command for SetPowerCycleInterval {
    type Response = ();
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x0b;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}
