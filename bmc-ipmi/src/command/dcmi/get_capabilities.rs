//! Get DCMI Capabilities Info, §6.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::wire::{NetFn, Privilege};

/// Asks what the BMC can do of DCMI.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDcmiCapabilities {
    /// What to tell: 1 supported functions, 2 log and temperatures, 3 controller of power management, 4 access, 5 averages.
    pub parameter: u8,
}

impl Wire for GetDcmiCapabilities {
    const NAME: &'static str = "Get DCMI Capabilities Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let parameter = r.u8("parameter")?;
        Ok(Self { parameter })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_u8(self.parameter);
    }
}

impl Command for GetDcmiCapabilities {
    type Response = DcmiCapabilities;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x01;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}

/// What the BMC can do, as bytes: [`DcmiSupport`](crate::command::DcmiSupport) and its kin read them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DcmiCapabilities {
    /// Version of DCMI.
    pub version: DcmiVersion,
    /// Revision of the parameter.
    pub revision: u8,
    /// The parameter's data.
    pub data: Vec<u8>,
}

/// Version of DCMI.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct DcmiVersion {
    /// Major version.
    pub major: u8,
    /// Minor version.
    pub minor: u8,
}

impl Wire for DcmiCapabilities {
    const NAME: &'static str = "Get DCMI Capabilities Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [major, minor, revision] = r.array("version and revision")?;
        Ok(Self {
            version: DcmiVersion { major, minor },
            revision,
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.version.major, self.version.minor, self.revision]);
        out.put_slice(&self.data);
    }
}
