//! Reading configuration parameters: what the rooms that have them share.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, bit};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Number of a configuration parameter, which tells what the parameter's data are.
pub trait ConfigurationParameter: Copy {
    /// The parameter's value.
    type Setting;

    /// The data as what they are. Bytes behind them are ignored.
    ///
    /// # Errors
    /// The data end too early or cannot be.
    fn read(self, data: &[u8]) -> Result<Self::Setting, DecodeError>;
}

/// A parameter of a channel, with the command of network function Transport that reads it.
pub trait ChannelParameter: ConfigurationParameter {
    /// Name of the command.
    const GET: &'static str;
    /// Number of the command.
    const GET_CMD: u8;
    /// Lowest privilege for the command.
    const GET_PRIVILEGE: Privilege;

    /// The parameter of this number.
    fn new(number: u8) -> Self;

    /// Its number.
    fn number(self) -> u8;
}

/// Reads one configuration parameter of a channel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetConfiguration<P> {
    /// The channel, four bits.
    pub channel: u8,
    /// Whether only the revision is asked for.
    pub revision_only: bool,
    /// Which parameter.
    pub parameter: P,
    /// Which of several settings; 0 where there is one.
    pub set: u8,
    /// Which block of a setting; 0 where there is one.
    pub block: u8,
}

/// A configuration parameter as bytes: only the question says which it is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConfigurationData {
    /// Revision of the parameter: present in \[7:4\], oldest compatible in \[3:0\]; 11h in IPMI 1.5 and 2.0.
    pub revision: u8,
    /// Its data; nothing if only the revision was asked for.
    pub data: Vec<u8>,
}

impl<P: ChannelParameter> GetConfiguration<P> {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    const REVISION_ONLY: u8 = 0x80;

    /// Reads a parameter.
    pub fn new(channel: u8, parameter: P, set: u8) -> Self {
        Self {
            channel,
            revision_only: false,
            parameter,
            set,
            block: 0,
        }
    }
}

impl ConfigurationData {
    /// Revision of all parameters in IPMI 1.5 and 2.0.
    pub const REVISION: u8 = 0x11;

    /// The data as what they are. Bytes behind them are ignored.
    ///
    /// # Errors
    /// The data end too early or cannot be.
    pub fn read<P: ConfigurationParameter>(&self, parameter: P) -> Result<P::Setting, DecodeError> {
        parameter.read(&self.data)
    }
}

impl<P: ChannelParameter> Wire for GetConfiguration<P> {
    const NAME: &'static str = P::GET;

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel")?;
        Ok(Self {
            channel: channel & 0x0f,
            revision_only: channel & Self::REVISION_ONLY != 0,
            parameter: P::new(r.u8("parameter selector")?),
            set: r.u8("set selector")?,
            block: r.u8("block selector")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let channel = bit(self.revision_only, Self::REVISION_ONLY) | self.channel & 0x0f;
        out.put_slice(&[channel, self.parameter.number(), self.set, self.block]);
    }
}

impl<P: ChannelParameter> Command for GetConfiguration<P> {
    type Response = ConfigurationData;
    const NETFN: NetFn = NetFn::TRANSPORT;
    const CMD: u8 = P::GET_CMD;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = P::GET_PRIVILEGE;
}

impl Wire for ConfigurationData {
    const NAME: &'static str = "configuration parameter";

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
