//! Set System Info and Get System Info, §22.14a and §22.14b.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, ConfigurationData, bit};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Writes one parameter of the system, or one block of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetSystemInfo {
    /// Which one.
    pub parameter: SystemInfoParameter,
    /// Its data.
    pub data: Vec<u8>,
}

/// Reads one parameter of the system, or one block of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSystemInfo {
    /// Whether to ask for the revision only.
    pub revision_only: bool,
    /// Which one.
    pub parameter: SystemInfoParameter,
    /// Which block of a text; else 0.
    pub set: u8,
    /// Always 0.
    pub block: u8,
}

/// A parameter of the system.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct SystemInfoParameter(u8);

code_table! {
    SystemInfoParameter, 0xff, "system info parameter":
    SET_IN_PROGRESS = 0, "set in progress";
    FIRMWARE_VERSION = 1, "system firmware version";
    SYSTEM_NAME = 2, "system name";
    PRIMARY_OS = 3, "primary operating system";
    OS = 4, "operating system";
    OS_VERSION = 5, "operating system version";
    BMC_URL = 6, "BMC URL";
    HYPERVISOR_URL = 7, "hypervisor URL";
}

impl SetSystemInfo {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    /// Completion code: somebody else is setting parameters.
    pub const SET_IN_PROGRESS: CompletionCode = CompletionCode(0x81);
    /// Completion code: the parameter can only be read.
    pub const READ_ONLY: CompletionCode = CompletionCode(0x82);
}

impl GetSystemInfo {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    const REVISION_ONLY: u8 = 0x80;

    /// Reads one block of a text.
    pub fn block(parameter: SystemInfoParameter, set: u8) -> Self {
        Self {
            revision_only: false,
            parameter,
            set,
            block: 0,
        }
    }
}

impl Wire for SetSystemInfo {
    const NAME: &'static str = "Set System Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            parameter: SystemInfoParameter::new(r.u8("parameter selector")?),
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.parameter.value());
        out.put_slice(&self.data);
    }
}

impl Command for SetSystemInfo {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x58;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

impl Wire for GetSystemInfo {
    const NAME: &'static str = "Get System Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            revision_only: r.u8("get parameter revision")? & Self::REVISION_ONLY != 0,
            parameter: SystemInfoParameter::new(r.u8("parameter selector")?),
            set: r.u8("set selector")?,
            block: r.u8("block selector")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            bit(self.revision_only, Self::REVISION_ONLY),
            self.parameter.value(),
            self.set,
            self.block,
        ]);
    }
}

impl Command for GetSystemInfo {
    type Response = ConfigurationData;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x59;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}
