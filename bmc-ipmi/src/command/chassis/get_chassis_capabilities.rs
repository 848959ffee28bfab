//! Get Chassis Capabilities, §28.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, bit};
use crate::wire::{NetFn, Privilege};

/// Asks what the chassis can do, and which controllers serve it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChassisCapabilities;

without_data!(GetChassisCapabilities, "Get Chassis Capabilities");

impl Command for GetChassisCapabilities {
    type Response = ChassisCapabilities;
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x00;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// What the chassis can do, and which controllers serve it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ChassisCapabilities {
    /// Whether it has a power interlock.
    pub interlock: bool,
    /// Whether it has a diagnostic interrupt.
    pub diagnostic_interrupt: bool,
    /// Whether the front panel can be locked.
    pub front_panel_lockout: bool,
    /// Whether it notices intrusion.
    pub intrusion_sensor: bool,
    /// Slave address of the controller with the FRU inventory; 0 for none.
    pub fru_address: u8,
    /// Slave address of the controller with the SDRs.
    pub sdr_address: u8,
    /// Slave address of the controller with the SEL.
    pub sel_address: u8,
    /// Slave address of the system management software.
    pub management_address: u8,
    /// Slave address of the ICMB bridge; optional on the wire.
    pub bridge_address: Option<u8>,
}

impl Wire for ChassisCapabilities {
    const NAME: &'static str = "Get Chassis Capabilities response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let flags = r.u8("capabilities flags")?;
        Ok(Self {
            interlock: flags & 0x08 != 0,
            diagnostic_interrupt: flags & 0x04 != 0,
            front_panel_lockout: flags & 0x02 != 0,
            intrusion_sensor: flags & 0x01 != 0,
            fru_address: r.u8("FRU info device address")?,
            sdr_address: r.u8("SDR device address")?,
            sel_address: r.u8("SEL device address")?,
            management_address: r.u8("system management device address")?,
            bridge_address: r.optional_u8("bridge device address")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            bit(self.interlock, 0x08)
                | bit(self.diagnostic_interrupt, 0x04)
                | bit(self.front_panel_lockout, 0x02)
                | bit(self.intrusion_sensor, 0x01),
            self.fru_address,
            self.sdr_address,
            self.sel_address,
            self.management_address,
        ]);
        if let Some(address) = self.bridge_address {
            out.put_u8(address);
        }
    }
}
