//! Chassis Identify, §28.5.

use std::time::Duration;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Switches the light that tells the machine from others.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChassisIdentify {
    /// On for as long as the BMC likes: 15 seconds by the specification.
    Default,
    /// On for so many seconds; 0 is off.
    Seconds(u8),
    /// On until it is switched off; optional, since IPMI v2.0.
    Indefinitely,
}

impl ChassisIdentify {
    /// Off.
    pub const OFF: Self = Self::Seconds(0);
    /// The longest time that can be asked for.
    pub const LONGEST: Duration = Duration::from_secs(255);
    const FORCE_ON: u8 = 0x01;
}

impl Wire for ChassisIdentify {
    const NAME: &'static str = "Chassis Identify";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let seconds = r.optional_u8("identify interval")?;
        let force = r.optional_u8("force identify on")?.unwrap_or_default();
        Ok(match seconds {
            _ if force & Self::FORCE_ON != 0 => Self::Indefinitely,
            Some(seconds) => Self::Seconds(seconds),
            None => Self::Default,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        match *self {
            Self::Default => {}
            // Some BMCs refuse the second byte, so it is sent only where it says something.
            Self::Seconds(seconds) => out.put_u8(seconds),
            Self::Indefinitely => out.put_slice(&[0, Self::FORCE_ON]),
        }
    }
}

impl Command for ChassisIdentify {
    type Response = ();
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x04;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
