//! Send Message, §22.7.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Has a message sent on a channel.
///
/// [`Target`](crate::Target) does this for any command; use it instead unless the channel is not an IPMB.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SendMessage {
    /// Channel to send on, four bits.
    pub channel: u8,
    /// Whether to authenticate the message on that channel.
    pub authenticate: bool,
    /// Whether to encrypt the message on that channel.
    pub encrypt: bool,
    /// What becomes of the response: two bits.
    pub tracking: u8,
    /// The message in the form of the channel.
    pub message: Vec<u8>,
}

impl SendMessage {
    /// Value of [`tracking`](Self::tracking): nobody waits for a response.
    pub const UNTRACKED: u8 = 0;
    /// Value of [`tracking`](Self::tracking): the response comes back to the sender of this command.
    pub const TRACKED: u8 = 1;
    /// Completion code: the session handle on that channel is invalid.
    pub const INVALID_SESSION_HANDLE: CompletionCode = CompletionCode(0x80);
    /// Completion code: another controller kept the bus.
    pub const LOST_ARBITRATION: CompletionCode = CompletionCode(0x81);
    /// Completion code: the bus failed.
    pub const BUS_ERROR: CompletionCode = CompletionCode(0x82);
    /// Completion code: nobody acknowledged the address.
    pub const NAK_ON_WRITE: CompletionCode = CompletionCode(0x83);
    const AUTHENTICATE: u8 = 0x10;
    const ENCRYPT: u8 = 0x20;

    /// Sends `message` on `channel` and has the response come back.
    pub fn tracked(channel: u8, message: Vec<u8>) -> Self {
        Self {
            channel: channel & 0x0f,
            authenticate: false,
            encrypt: false,
            tracking: Self::TRACKED,
            message,
        }
    }

    /// What `code` means as an answer to this command.
    pub fn describe(code: CompletionCode) -> &'static str {
        match code {
            Self::INVALID_SESSION_HANDLE => "invalid session handle",
            Self::LOST_ARBITRATION => "lost arbitration of the bus",
            Self::BUS_ERROR => "bus error",
            Self::NAK_ON_WRITE => "no controller acknowledged the address",
            other => other.description(),
        }
    }
}

impl Wire for SendMessage {
    const NAME: &'static str = "Send Message";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")?;
        Ok(Self {
            channel: channel & 0x0f,
            authenticate: channel & Self::AUTHENTICATE != 0,
            encrypt: channel & Self::ENCRYPT != 0,
            tracking: channel >> 6,
            message: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        out.put_u8(
            self.channel & 0x0f
                | bit(self.authenticate, Self::AUTHENTICATE)
                | bit(self.encrypt, Self::ENCRYPT)
                | self.tracking << 6,
        );
        out.put_slice(&self.message);
    }
}

impl Command for SendMessage {
    type Response = Forwarded;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x34;
    /// The message decides.
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The BMC has sent the message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Forwarded {
    /// The response to the message where the BMC waited for it, else empty.
    pub embedded: Vec<u8>,
}

impl Wire for Forwarded {
    const NAME: &'static str = "Send Message response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let embedded = r.rest().to_vec();
        Ok(Self { embedded })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.embedded);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Taken from ipmitool's `-t 0x30 -b 0 mc info`.
    #[test]
    fn known_bytes() {
        let bytes = [0x40, 0x30, 0x18, 0xb8, 0x81, 0x0c, 0x01, 0x72];
        let message = SendMessage::from_bytes(&bytes).unwrap();
        assert_eq!(
            (message.channel, message.tracking),
            (0, SendMessage::TRACKED)
        );
        assert_eq!(
            SendMessage::tracked(0, bytes[1..].to_vec()).to_bytes(),
            bytes
        );
    }
}
