//! IPMI messages over LAN, §13.8: request and response with their two checksums.

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader};
use crate::wire::completion::CompletionCode;
use crate::wire::netfn::NetFn;

/// Slave address of the BMC.
pub const BMC_ADDRESS: u8 = 0x20;
/// Software ID of a remote console.
pub const CONSOLE_ADDRESS: u8 = 0x81;

/// A request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LanRequest<'a> {
    /// Responder's address, [`BMC_ADDRESS`].
    pub responder: u8,
    /// Responder's LUN, two bits.
    pub responder_lun: u8,
    /// Network function, even.
    pub netfn: NetFn,
    /// Requester's address, [`CONSOLE_ADDRESS`].
    pub requester: u8,
    /// Requester's LUN, two bits.
    pub requester_lun: u8,
    /// Requester's sequence number, six bits; the response repeats it.
    pub sequence: u8,
    /// Command number.
    pub command: u8,
    /// Command data.
    pub data: &'a [u8],
}

impl<'a> LanRequest<'a> {
    /// Longest sequence number plus one.
    pub const SEQUENCES: u8 = 64;

    /// A request of a remote console to the BMC itself.
    pub fn to_bmc(netfn: NetFn, command: u8, sequence: u8, data: &'a [u8]) -> Self {
        Self {
            responder: BMC_ADDRESS,
            responder_lun: 0,
            netfn,
            requester: CONSOLE_ADDRESS,
            requester_lun: 0,
            sequence: sequence % Self::SEQUENCES,
            command,
            data,
        }
    }

    /// Reads a request that fills `bytes`, and checks both checksums.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let frame = Frame::decode("LAN request", bytes, 0, Checksums::Checked)?;
        Ok(Self {
            responder: frame.to,
            responder_lun: frame.to_lun,
            netfn: frame.netfn,
            requester: frame.from,
            requester_lun: frame.from_lun,
            sequence: frame.sequence,
            command: frame.command,
            data: frame.body,
        })
    }

    /// Appends the request with its checksums.
    pub fn encode(&self, out: &mut impl BufMut) {
        let frame = Frame {
            to: self.responder,
            to_lun: self.responder_lun,
            netfn: self.netfn,
            from: self.requester,
            from_lun: self.requester_lun,
            sequence: self.sequence,
            command: self.command,
            body: self.data,
        };
        frame.encode(None, out);
    }
}

/// A response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LanResponse<'a> {
    /// Requester's address.
    pub requester: u8,
    /// Requester's LUN, two bits.
    pub requester_lun: u8,
    /// Network function of the response, odd.
    pub netfn: NetFn,
    /// Responder's address.
    pub responder: u8,
    /// Responder's LUN, two bits.
    pub responder_lun: u8,
    /// Sequence number of the request, six bits.
    pub sequence: u8,
    /// Command number.
    pub command: u8,
    /// How the command ended.
    pub completion: CompletionCode,
    /// Response data; BMCs may send more than the command defines.
    pub data: &'a [u8],
}

impl<'a> LanResponse<'a> {
    /// The response to `request`.
    pub fn to(request: &LanRequest<'_>, completion: CompletionCode, data: &'a [u8]) -> Self {
        Self {
            requester: request.requester,
            requester_lun: request.requester_lun,
            netfn: request.netfn.response(),
            responder: request.responder,
            responder_lun: request.responder_lun,
            sequence: request.sequence,
            command: request.command,
            completion,
            data,
        }
    }

    /// Whether this answers a request with these values. Addresses do not count: some BMCs swap them.
    pub fn answers(&self, netfn: NetFn, command: u8, sequence: u8) -> bool {
        self.netfn == netfn.response() && self.command == command && self.sequence == sequence
    }

    /// Reads a response that fills `bytes`, and checks both checksums.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Self::decode_with(bytes, Checksums::Checked)
    }

    /// Reads a response whose checksums may be wrong.
    pub(crate) fn decode_with(bytes: &'a [u8], sums: Checksums) -> Result<Self, DecodeError> {
        let frame = Frame::decode("LAN response", bytes, 1, sums)?;
        let mut body = Reader::new("LAN response", frame.body);
        Ok(Self {
            requester: frame.to,
            requester_lun: frame.to_lun,
            netfn: frame.netfn,
            responder: frame.from,
            responder_lun: frame.from_lun,
            sequence: frame.sequence,
            command: frame.command,
            completion: CompletionCode(body.u8("completion code")?),
            data: body.rest(),
        })
    }

    /// Appends the response with its checksums.
    pub fn encode(&self, out: &mut impl BufMut) {
        let frame = Frame {
            to: self.requester,
            to_lun: self.requester_lun,
            netfn: self.netfn,
            from: self.responder,
            from_lun: self.responder_lun,
            sequence: self.sequence,
            command: self.command,
            body: self.data,
        };
        frame.encode(Some(self.completion), out);
    }
}

/// Whether checksums must be right.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Checksums {
    Checked,
    Ignored,
}

impl Checksums {
    fn expect(self, r: &mut Reader<'_>, sum: u8, field: &'static str) -> Result<(), DecodeError> {
        match self {
            Self::Checked => r.expect_u8(sum, field),
            Self::Ignored => r.u8(field).map(drop),
        }
    }
}

/// The common form: both directions put the receiver first.
struct Frame<'a> {
    to: u8,
    to_lun: u8,
    netfn: NetFn,
    from: u8,
    from_lun: u8,
    sequence: u8,
    command: u8,
    body: &'a [u8],
}

impl<'a> Frame<'a> {
    fn decode(
        message: &'static str,
        bytes: &'a [u8],
        direction: u8,
        sums: Checksums,
    ) -> Result<Self, DecodeError> {
        let mut r = Reader::new(message, bytes);
        let to = r.u8("receiver address")?;
        let netfn_lun = r.u8("network function and LUN")?;
        sums.expect(&mut r, checksum(&[to, netfn_lun]), "first checksum")?;
        let netfn = NetFn::new(netfn_lun >> 2);
        r.expect(
            netfn.value() & 1,
            direction,
            "direction bit of the network function",
        )?;
        let covered = r.clone().rest();
        let from = r.u8("sender address")?;
        let sequence_lun = r.u8("sequence number and LUN")?;
        let command = r.u8("command")?;
        let Some(body_length) = r.remaining().checked_sub(1) else {
            let kind = DecodeErrorKind::Short {
                needed: 1,
                available: 0,
            };
            return Err(r.error("second checksum", kind));
        };
        let body = r.take(body_length, "data")?;
        let covered = covered.get(..body_length + 3).unwrap_or_default();
        sums.expect(&mut r, checksum(covered), "second checksum")?;
        Ok(Self {
            to,
            to_lun: netfn_lun & 0x03,
            netfn,
            from,
            from_lun: sequence_lun & 0x03,
            sequence: sequence_lun >> 2,
            command,
            body,
        })
    }

    fn encode(&self, completion: Option<CompletionCode>, out: &mut impl BufMut) {
        let address = [self.to, self.netfn.value() << 2 | self.to_lun & 0x03];
        out.put_slice(&address);
        out.put_u8(checksum(&address));
        let source = [
            self.from,
            (self.sequence & 0x3f) << 2 | self.from_lun & 0x03,
            self.command,
        ];
        out.put_slice(&source);
        let mut sum = checksum(&source).wrapping_add(checksum(self.body));
        if let Some(code) = completion {
            out.put_u8(code.0);
            sum = sum.wrapping_sub(code.0);
        }
        out.put_slice(self.body);
        out.put_u8(sum);
    }
}

/// Two's complement of the sum: the bytes and their checksum add up to zero.
fn checksum(bytes: &[u8]) -> u8 {
    bytes
        .iter()
        .fold(0, |sum: u8, byte| sum.wrapping_sub(*byte))
}
