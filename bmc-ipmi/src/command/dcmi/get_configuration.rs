//! Get DCMI Configuration Parameters, §6.3.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::dcmi::{group, put_group};
use crate::command::{Command, DcmiData};
use crate::wire::{NetFn, Privilege};

/// Asks for a parameter of DCMI's use of DHCP.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDcmiConfiguration {
    /// The parameter.
    pub parameter: DcmiParameter,
    /// Which of several values; 0 where there is one.
    pub set: u8,
}

/// A parameter of DCMI.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct DcmiParameter(pub u8);

impl DcmiParameter {
    /// Activate DHCP; writing 1 starts it again. Cannot be read.
    pub const ACTIVATE_DHCP: Self = Self(1);
    /// Discovery, one byte: \[7\] random backoff, \[1\] by DHCP option 60 and 43, \[0\] by option 12.
    pub const DISCOVERY: Self = Self(2);
    /// Seconds until the first DHCP time-out, one byte.
    pub const DHCP_TIMEOUT: Self = Self(3);
    /// Seconds after which the BMC gives up asking for a lease, two bytes.
    pub const SERVER_CONTACT_TIMEOUT: Self = Self(4);
    /// Seconds between attempts after that, two bytes.
    pub const SERVER_CONTACT_RETRY: Self = Self(5);
}

impl Wire for GetDcmiConfiguration {
    const NAME: &'static str = "Get DCMI Configuration Parameters";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [parameter, set] = r.array("parameter and set")?;
        Ok(Self {
            parameter: DcmiParameter(parameter),
            set,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.parameter.0, self.set]);
    }
}

impl Command for GetDcmiConfiguration {
    type Response = DcmiData;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x13;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}
