//! Set Event Receiver and Get Event Receiver, §29.1 and §29.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Where a controller sends its events.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EventReceiver {
    /// Slave address; [`NONE`](Self::NONE) for no events.
    pub address: u8,
    /// Logical unit, 0 to 3.
    pub lun: u8,
}

impl EventReceiver {
    /// Address that stands for no receiver.
    pub const NONE: u8 = 0xff;
}

impl Wire for EventReceiver {
    const NAME: &'static str = "Get Event Receiver response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            address: r.u8("event receiver address")?,
            lun: r.u8("event receiver LUN")? & 0x03,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.address, self.lun & 0x03]);
    }
}

/// Asks where the controller sends its events.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetEventReceiver;

without_data!(GetEventReceiver, "Get Event Receiver");

impl Command for GetEventReceiver {
    type Response = EventReceiver;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x01;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// Tells the controller where to send its events; it re-arms its sensors.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetEventReceiver(pub EventReceiver);

impl Wire for SetEventReceiver {
    const NAME: &'static str = "Set Event Receiver";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        EventReceiver::decode(r).map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.0.encode(out);
    }
}

impl Command for SetEventReceiver {
    type Response = ();
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x00;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}
