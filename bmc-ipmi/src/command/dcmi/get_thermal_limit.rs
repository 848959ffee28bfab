//! Get Thermal Limit, §6.7.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::wire::{EntityId, NetFn, Privilege};

/// Asks for the limit of a temperature.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetThermalLimit {
    /// An air inlet: 37h or 40h.
    pub entity: EntityId,
    /// Its instance.
    pub instance: u8,
}

impl Wire for GetThermalLimit {
    const NAME: &'static str = "Get Thermal Limit";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [entity, instance] = r.array("entity")?;
        Ok(Self {
            entity: EntityId(entity),
            instance,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.entity.0, self.instance]);
    }
}

impl Command for GetThermalLimit {
    type Response = ThermalLimit;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x0c;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A limit of a temperature, and what happens beyond it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ThermalLimit {
    /// What the BMC does beyond the limit: \[6\] switch the machine off, \[5\] log an event.
    pub action: u8,
    /// The limit in degrees Celsius.
    pub celsius: u8,
    /// Seconds for which the temperature must be beyond the limit.
    pub seconds: u16,
}

impl ThermalLimit {
    /// Action: switch the machine off and log an event.
    pub const POWER_OFF: u8 = 0x40;
    /// Action: log an event.
    pub const LOG: u8 = 0x20;

    /// Action to time, which set and get share. freeipmi has limit and action the other way round.
    pub(super) fn decode_body(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            action: r.u8("exception actions")?,
            celsius: r.u8("temperature limit")?,
            seconds: r.u16_le("exception time")?,
        })
    }

    pub(super) fn encode_body(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.action, self.celsius]);
        out.put_u16_le(self.seconds);
    }
}

impl Wire for ThermalLimit {
    const NAME: &'static str = "Get Thermal Limit response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        Self::decode_body(r)
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        self.encode_body(out);
    }
}
