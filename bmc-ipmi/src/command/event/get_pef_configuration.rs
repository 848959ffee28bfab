//! Get PEF Configuration Parameters, §30.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{
    Command, ConfigurationData, ConfigurationParameter, PefParameter, PefSetting, bit,
};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Reads one PEF parameter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetPefConfiguration {
    /// Whether to answer with the revision only.
    pub revision_only: bool,
    /// Which one.
    pub parameter: PefParameter,
    /// Which of several settings; 0 where there is one.
    pub set: u8,
    /// Which block of a setting; 0 where there is one.
    pub block: u8,
}

impl GetPefConfiguration {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    const REVISION_ONLY: u8 = 0x80;

    /// Reads a setting in one block.
    pub fn new(parameter: PefParameter, set: u8) -> Self {
        Self {
            revision_only: false,
            parameter,
            set,
            block: 0,
        }
    }
}

impl Wire for GetPefConfiguration {
    const NAME: &'static str = "Get PEF Configuration Parameters";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let selector = r.u8("parameter selector")?;
        Ok(Self {
            revision_only: selector & Self::REVISION_ONLY != 0,
            parameter: PefParameter::new(selector),
            set: r.u8("set selector")?,
            block: r.u8("block selector")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let selector = bit(self.revision_only, Self::REVISION_ONLY) | self.parameter.value();
        out.put_slice(&[selector, self.set, self.block]);
    }
}

impl Command for GetPefConfiguration {
    type Response = ConfigurationData;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x13;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

impl ConfigurationParameter for PefParameter {
    type Setting = PefSetting;

    fn read(self, data: &[u8]) -> Result<PefSetting, DecodeError> {
        PefSetting::decode(self, data)
    }
}
