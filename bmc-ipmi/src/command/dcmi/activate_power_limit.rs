//! Activate/Deactivate Power Limit, §6.6.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::DcmiDone;
use crate::command::dcmi::{group, put_group};
use crate::wire::{NetFn, Privilege};

/// Makes the limit of power active, or not.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ActivatePowerLimit {
    /// Whether it shall be active.
    pub active: bool,
}

impl Wire for ActivatePowerLimit {
    const NAME: &'static str = "Activate/Deactivate Power Limit";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [active, _, _] = r.array("activation")?;
        let active = active & 1 != 0;
        Ok(Self { active })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.active.into(), 0, 0]);
    }
}

impl Command for ActivatePowerLimit {
    type Response = DcmiDone;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x05;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
