//! BMC message channel info record, §43.11.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// The channels of a v1.0 BMC; later ones are asked by Get Channel Info.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MessageChannels {
    /// Channels 0 to 7.
    pub channels: [MessageChannel; 8],
    /// Interrupt of the receive message queue.
    pub messaging_interrupt: u8,
    /// Interrupt of the event message buffer.
    pub event_interrupt: u8,
}

/// A channel. \[7\] messages can be sent, \[6:4\] LUN for received messages, \[3:0\] protocol.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct MessageChannel(pub u8);

impl MessageChannel {
    /// Whether messages can be sent on it.
    pub const fn sends(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// The LUN for received messages.
    pub const fn receive_lun(self) -> u8 {
        self.0 >> 4 & 0x07
    }

    /// Its protocol.
    pub const fn protocol(self) -> u8 {
        self.0 & 0x0f
    }
}

impl Wire for MessageChannels {
    const NAME: &'static str = "BMC message channel info record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channels = r.array("channels")?.map(MessageChannel);
        let [messaging_interrupt, event_interrupt, _] = r.array("interrupts")?;
        Ok(Self {
            channels,
            messaging_interrupt,
            event_interrupt,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.channels.map(|channel| channel.0));
        out.put_slice(&[self.messaging_interrupt, self.event_interrupt, 0]);
    }
}
