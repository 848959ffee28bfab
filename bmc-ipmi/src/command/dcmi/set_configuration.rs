//! Set DCMI Configuration Parameters, §6.3.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::command::{DcmiDone, DcmiParameter};
use crate::wire::{NetFn, Privilege};

/// Changes a parameter of DCMI's use of DHCP.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetDcmiConfiguration {
    /// The parameter.
    pub parameter: DcmiParameter,
    /// Which of several values; 0 where there is one.
    pub set: u8,
    /// The new value.
    pub data: Vec<u8>,
}

impl Wire for SetDcmiConfiguration {
    const NAME: &'static str = "Set DCMI Configuration Parameters";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [parameter, set] = r.array("parameter and set")?;
        Ok(Self {
            parameter: DcmiParameter(parameter),
            set,
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.parameter.0, self.set]);
        out.put_slice(&self.data);
    }
}

impl Command for SetDcmiConfiguration {
    type Response = DcmiDone;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x12;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}
