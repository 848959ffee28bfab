//! Set Front Panel Enables, §28.6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, bit};
use crate::wire::{NetFn, Privilege};

/// Says which buttons of the front panel have no effect. Chassis Status has the setting in force.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SetFrontPanelEnables {
    /// The standby (sleep) button has no effect.
    pub disable_standby: bool,
    /// The diagnostic interrupt button has no effect.
    pub disable_diagnostic: bool,
    /// The reset button has no effect.
    pub disable_reset: bool,
    /// The power button has no effect on power-off; it may still switch on.
    pub disable_power: bool,
}

impl Wire for SetFrontPanelEnables {
    const NAME: &'static str = "Set Front Panel Enables";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let buttons = r.u8("front panel button enables")?;
        Ok(Self {
            disable_standby: buttons & 0x08 != 0,
            disable_diagnostic: buttons & 0x04 != 0,
            disable_reset: buttons & 0x02 != 0,
            disable_power: buttons & 0x01 != 0,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(
            bit(self.disable_standby, 0x08)
                | bit(self.disable_diagnostic, 0x04)
                | bit(self.disable_reset, 0x02)
                | bit(self.disable_power, 0x01),
        );
    }
}

impl Command for SetFrontPanelEnables {
    type Response = ();
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x0a;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}
