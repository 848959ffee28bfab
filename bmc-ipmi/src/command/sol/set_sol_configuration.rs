//! Set SOL Configuration Parameters, §26.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, SolParameter, SolSetting};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Writes one SOL configuration parameter.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetSolConfiguration {
    /// The channel, four bits.
    pub channel: u8,
    /// The parameter.
    pub setting: SolSetting,
}

impl SetSolConfiguration {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    /// Completion code: somebody else is setting parameters.
    pub const SET_IN_PROGRESS: CompletionCode = CompletionCode(0x81);
    /// Completion code: the parameter can only be read.
    pub const READ_ONLY: CompletionCode = CompletionCode(0x82);
}

impl Wire for SetSolConfiguration {
    const NAME: &'static str = "Set SOL Configuration Parameters";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel")? & 0x0f;
        let parameter = SolParameter(r.u8("parameter selector")?);
        let setting = SolSetting::decode(parameter, r)?;
        Ok(Self { channel, setting })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.channel & 0x0f, self.setting.parameter().0]);
        self.setting.encode(out);
    }
}

impl Command for SetSolConfiguration {
    type Response = ();
    const NETFN: NetFn = NetFn::TRANSPORT;
    const CMD: u8 = 0x21;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;

    /// A BMC that has begun for somebody refuses to begin for anybody, the same console included.
    fn is_idempotent(&self) -> bool {
        self.setting != SolSetting::SET_BEGUN
    }
}
