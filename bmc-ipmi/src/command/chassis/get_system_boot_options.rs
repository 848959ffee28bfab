//! Get System Boot Options, §28.13.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::{BootOption, BootParameter};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Reads one boot parameter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSystemBootOptions {
    /// Which one.
    pub parameter: BootParameter,
    /// Which of several settings; 0 where there is one.
    pub set: u8,
    /// Which block of a setting; 0 where there is one.
    pub block: u8,
}

impl GetSystemBootOptions {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);

    /// Reads a parameter that has one setting in one block.
    pub fn new(parameter: BootParameter) -> Self {
        Self {
            parameter,
            set: 0,
            block: 0,
        }
    }
}

impl Wire for GetSystemBootOptions {
    const NAME: &'static str = "Get System Boot Options";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            parameter: BootParameter::new(r.u8("parameter selector")?),
            set: r.u8("set selector")?,
            block: r.u8("block selector")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.parameter.value(), self.set, self.block]);
    }
}

impl Command for GetSystemBootOptions {
    type Response = SystemBootOptions;
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x09;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

/// One boot parameter as the BMC holds it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SystemBootOptions {
    /// Version of the parameters, 1.
    pub version: u8,
    /// Whether the parameter is marked invalid or locked.
    pub locked: bool,
    /// The parameter.
    pub option: BootOption,
}

impl Wire for SystemBootOptions {
    const NAME: &'static str = "Get System Boot Options response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let version = r.u8("parameter version")? & 0x0f;
        let (locked, option) = BootOption::decode(r)?;
        Ok(Self {
            version,
            locked,
            option,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.version & 0x0f);
        self.option.encode(self.locked, out);
    }
}
