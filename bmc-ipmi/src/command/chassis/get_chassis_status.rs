//! Get Chassis Status, §28.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, PowerRestorePolicy, SetFrontPanelEnables};
use crate::wire::{NetFn, Privilege};

/// Asks for the state of power and chassis.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChassisStatus;

without_data!(GetChassisStatus, "Get Chassis Status");

impl Command for GetChassisStatus {
    type Response = ChassisStatus;
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x01;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// State of power and chassis.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChassisStatus {
    /// \[6:5\] restore policy, \[4\] control fault, \[3\] fault, \[2\] interlock, \[1\] overload, \[0\] on.
    pub power: u8,
    /// \[4\] on via IPMI, \[3\] fault, \[2\] interlock, \[1\] overload, \[0\] mains failed.
    pub last_event: u8,
    /// \[6\] identify state valid, \[5:4\] identify state, \[3\] fan fault, \[2\] drive fault, \[1\] lockout, \[0\] intrusion.
    pub misc: u8,
    /// Front panel buttons: \[7:4\] can be disabled, \[3:0\] are disabled; optional on the wire.
    pub front_panel: Option<u8>,
}

impl ChassisStatus {
    /// Bit of [`misc`](Self::misc): the identify state is valid.
    pub const IDENTIFY_VALID: u8 = 0x40;
    /// Bits of [`misc`](Self::misc): the identify light is on for a while.
    pub const IDENTIFY_TIMED: u8 = 0x10;
    /// Bits of [`misc`](Self::misc): the identify light is on until it is switched off.
    pub const IDENTIFY_ON: u8 = 0x20;

    /// Whether the host has main power.
    pub fn is_on(&self) -> bool {
        self.power & 0x01 != 0
    }

    /// What happens when mains power comes back.
    pub fn power_restore_policy(&self) -> PowerRestorePolicy {
        PowerRestorePolicy::new(self.power >> 5 & 0x03)
    }

    /// Which buttons of the front panel have no effect, where the BMC tells.
    pub fn disabled_buttons(&self) -> Option<SetFrontPanelEnables> {
        self.front_panel
            .and_then(|buttons| SetFrontPanelEnables::from_prefix(&[buttons]).ok())
    }

    /// Whether the identify light is on, where the BMC tells.
    pub fn is_identifying(&self) -> Option<bool> {
        let is_told = self.misc & Self::IDENTIFY_VALID != 0;
        is_told.then_some(self.misc & (Self::IDENTIFY_TIMED | Self::IDENTIFY_ON) != 0)
    }
}

impl Wire for ChassisStatus {
    const NAME: &'static str = "Get Chassis Status response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            power: r.u8("current power state")?,
            last_event: r.u8("last power event")?,
            misc: r.u8("miscellaneous chassis state")?,
            front_panel: r.optional_u8("front panel buttons")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.power, self.last_event, self.misc]);
        if let Some(front_panel) = self.front_panel {
            out.put_u8(front_panel);
        }
    }
}
