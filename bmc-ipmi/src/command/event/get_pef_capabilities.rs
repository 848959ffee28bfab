//! Get PEF Capabilities, §30.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks what the BMC's event filters can do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetPefCapabilities;

without_data!(GetPefCapabilities, "Get PEF Capabilities");

impl Command for GetPefCapabilities {
    type Response = PefCapabilities;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x10;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// What the BMC's event filters can do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PefCapabilities {
    /// Version of PEF, nibbles swapped; 51h in IPMI 1.5 and 2.0.
    pub version: u8,
    /// \[7\] filters of OEM records; actions: \[5\] diagnostic interrupt, \[4\] OEM, \[3\] power cycle, \[2\] reset,
    /// \[1\] power down, \[0\] alert.
    pub actions: u8,
    /// Entries of the filter table.
    pub filters: u8,
}

impl Wire for PefCapabilities {
    const NAME: &'static str = "Get PEF Capabilities response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            version: r.u8("PEF version")?,
            actions: r.u8("action support")?,
            filters: r.u8("number of event filter table entries")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.version, self.actions, self.filters]);
    }
}
