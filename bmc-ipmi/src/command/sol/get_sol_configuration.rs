//! Get SOL Configuration Parameters, §26.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, SolParameter, SolSetting};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Reads one SOL configuration parameter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSolConfiguration {
    /// The channel, four bits.
    pub channel: u8,
    /// Whether only the revision is asked for.
    pub revision_only: bool,
    /// Which parameter.
    pub parameter: SolParameter,
    /// Which of several settings; 0 where there is one.
    pub set: u8,
    /// Which block of a setting; 0 where there is one.
    pub block: u8,
}

impl GetSolConfiguration {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    const REVISION_ONLY: u8 = 0x80;

    /// Reads a parameter.
    pub fn new(channel: u8, parameter: SolParameter, set: u8) -> Self {
        Self {
            channel,
            revision_only: false,
            parameter,
            set,
            block: 0,
        }
    }
}

impl Wire for GetSolConfiguration {
    const NAME: &'static str = "Get SOL Configuration Parameters";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel")?;
        Ok(Self {
            channel: channel & 0x0f,
            revision_only: channel & Self::REVISION_ONLY != 0,
            parameter: SolParameter(r.u8("parameter selector")?),
            set: r.u8("set selector")?,
            block: r.u8("block selector")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let revision_only = if self.revision_only {
            Self::REVISION_ONLY
        } else {
            0
        };
        let channel = revision_only | self.channel & 0x0f;
        out.put_slice(&[channel, self.parameter.0, self.set, self.block]);
    }
}

impl Command for GetSolConfiguration {
    type Response = SolConfigurationData;
    const NETFN: NetFn = NetFn::TRANSPORT;
    const CMD: u8 = 0x22;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A SOL configuration parameter as bytes: only the question says which it is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SolConfigurationData {
    /// Revision of the parameter, 11h.
    pub revision: u8,
    /// Its data; nothing if only the revision was asked for.
    pub data: Vec<u8>,
}

impl SolConfigurationData {
    /// The data as what they are. Bytes behind them are ignored.
    ///
    /// # Errors
    /// The data end too early or cannot be.
    pub fn read(&self, parameter: SolParameter) -> Result<SolSetting, DecodeError> {
        SolSetting::decode(parameter, &mut Reader::new(Self::NAME, &self.data))
    }
}

impl Wire for SolConfigurationData {
    const NAME: &'static str = "Get SOL Configuration Parameters response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            revision: r.u8("parameter revision")?,
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.revision);
        out.put_slice(&self.data);
    }
}
