//! Set Thermal Limit, §6.7.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::command::{DcmiDone, ThermalLimit};
use crate::wire::{EntityId, NetFn, Privilege};

/// Changes the limit of a temperature.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetThermalLimit {
    /// An air inlet: 37h or 40h.
    pub entity: EntityId,
    /// Its instance.
    pub instance: u8,
    /// The new limit.
    pub limit: ThermalLimit,
}

impl Wire for SetThermalLimit {
    const NAME: &'static str = "Set Thermal Limit";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [entity, instance] = r.array("entity")?;
        Ok(Self {
            entity: EntityId(entity),
            instance,
            limit: ThermalLimit::decode_body(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.entity.0, self.instance]);
        self.limit.encode_body(out);
    }
}

impl Command for SetThermalLimit {
    type Response = DcmiDone;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x0b;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
