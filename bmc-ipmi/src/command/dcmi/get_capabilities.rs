//! Get DCMI Capabilities Info, §6.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::dcmi::{group, put_group};
use crate::command::{Command, DcmiData};
use crate::wire::{NetFn, Privilege};

/// Asks what the BMC can do of DCMI: [`DcmiSupport`](crate::command::DcmiSupport) and its kin read the answer.
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
    type Response = DcmiData;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x01;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}
