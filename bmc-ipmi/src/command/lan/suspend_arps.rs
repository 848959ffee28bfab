//! Suspend BMC ARPs, §23.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Suspends the BMC's ARPs, for instance while the system uses the same network port, or lets them go on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SuspendArps {
    /// The channel, four bits.
    pub channel: u8,
    /// Which of them are suspended from now on.
    pub suspended: ArpSuspension,
}

/// Kinds of ARPs of the BMC.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ArpSuspension {
    /// Answers to ARP requests.
    pub responses: bool,
    /// ARPs that nobody asked for.
    pub gratuitous: bool,
}

impl Wire for SuspendArps {
    const NAME: &'static str = "Suspend BMC ARPs";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            channel: r.u8("channel")? & 0x0f,
            suspended: ArpSuspension::decode(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.channel & 0x0f);
        self.suspended.encode(out);
    }
}

impl Command for SuspendArps {
    type Response = ArpSuspension;
    const NETFN: NetFn = NetFn::TRANSPORT;
    const CMD: u8 = 0x03;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

/// The response says what is suspended now.
impl Wire for ArpSuspension {
    const NAME: &'static str = "Suspend BMC ARPs response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let bits = r.u8("ARP suspension")?;
        Ok(Self {
            responses: bits & 0x02 != 0,
            gratuitous: bits & 0x01 != 0,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(u8::from(self.responses) << 1 | u8::from(self.gratuitous));
    }
}
