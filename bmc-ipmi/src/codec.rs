//! Reading and writing messages: a reader whose every call names the field, and the [`Wire`] trait.
//!
//! The only file that names the parser library.

use bytes::BufMut;
use nom::Parser;
use nom::bytes::complete::take;
use nom::error::Error as NomError;
use nom::number::complete::{be_u16, le_u16, le_u32, u8 as one_byte};

/// A message, or a part of one, that has an exact form in bytes.
pub trait Wire: Sized {
    /// Name of the message in errors.
    const NAME: &'static str;

    /// Reads the message from the front of `r`; what follows it is left there.
    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError>;

    /// Appends the message to `out`.
    fn encode(&self, out: &mut impl BufMut);

    /// Reads a message that fills `bytes` entirely.
    fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(Self::NAME, bytes);
        let message = Self::decode(&mut r)?;
        r.finish()?;
        Ok(message)
    }

    /// Reads a message from the front of `bytes` and ignores what follows, as BMCs send more than they should.
    fn from_prefix(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode(&mut Reader::new(Self::NAME, bytes))
    }

    /// The message in a buffer of its own.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }
}

/// No bytes at all: the response of commands that answer with a completion code only.
impl Wire for () {
    const NAME: &'static str = "empty message";

    fn decode(_: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(())
    }

    fn encode(&self, _: &mut impl BufMut) {}
}

/// Why bytes are not the message that they should be.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{message}: {field} {kind}")]
pub struct DecodeError {
    /// The message that was being read.
    pub message: &'static str,
    /// The field that could not be read.
    pub field: &'static str,
    /// What is wrong with it.
    pub kind: DecodeErrorKind,
}

/// What is wrong with a field.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The bytes end before the field does.
    #[error("needs {needed} bytes, {available} are left")]
    Short {
        /// Length of the field.
        needed: usize,
        /// Bytes that were left.
        available: usize,
    },
    /// Bytes follow the last field.
    #[error("{extra} are left over")]
    Trailing {
        /// Number of bytes that follow.
        extra: usize,
    },
    /// The field is longer than its maximum.
    #[error("is {length} bytes, at most {maximum} are allowed")]
    Long {
        /// Length of the field.
        length: usize,
        /// Longest allowed.
        maximum: usize,
    },
    /// The field has a value that the message cannot have.
    #[error("is {found:#04x}, must be {expected:#04x}")]
    Value {
        /// The value on the wire.
        found: u32,
        /// The only value allowed.
        expected: u32,
    },
}

/// Reads the fields of one message in order; each call names the field for the error.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    message: &'static str,
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads `bytes` as `message`.
    pub fn new(message: &'static str, bytes: &'a [u8]) -> Self {
        Self { message, bytes }
    }

    /// One byte.
    pub fn u8(&mut self, field: &'static str) -> Result<u8, DecodeError> {
        self.run(field, 1, one_byte)
    }

    /// One byte, or `None` at the end: fields that a message may leave out.
    pub fn optional_u8(&mut self, field: &'static str) -> Result<Option<u8>, DecodeError> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.u8(field).map(Some)
    }

    /// Two bytes, least significant first.
    pub fn u16_le(&mut self, field: &'static str) -> Result<u16, DecodeError> {
        self.run(field, 2, le_u16)
    }

    /// Two bytes, most significant first.
    pub fn u16_be(&mut self, field: &'static str) -> Result<u16, DecodeError> {
        self.run(field, 2, be_u16)
    }

    /// Four bytes, least significant first.
    pub fn u32_le(&mut self, field: &'static str) -> Result<u32, DecodeError> {
        self.run(field, 4, le_u32)
    }

    /// `N` bytes.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, field)?);
        Ok(array)
    }

    /// `count` bytes, borrowed.
    pub fn take(&mut self, count: usize, field: &'static str) -> Result<&'a [u8], DecodeError> {
        self.run(field, count, take(count))
    }

    /// Everything up to the end, borrowed.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.bytes)
    }

    /// Everything up to the end, borrowed; at most `maximum` bytes.
    pub fn rest_within(
        &mut self,
        maximum: usize,
        field: &'static str,
    ) -> Result<&'a [u8], DecodeError> {
        let length = self.bytes.len();
        if length > maximum {
            return Err(self.error(field, DecodeErrorKind::Long { length, maximum }));
        }
        Ok(self.rest())
    }

    /// One byte that can have one value only.
    pub fn expect_u8(&mut self, expected: u8, field: &'static str) -> Result<(), DecodeError> {
        let found = self.u8(field)?;
        self.expect(found, expected, field)
    }

    /// Checks a value that was computed from several bytes.
    pub fn expect(&self, found: u8, expected: u8, field: &'static str) -> Result<(), DecodeError> {
        if found == expected {
            return Ok(());
        }
        let (found, expected) = (found.into(), expected.into());
        Err(self.error(field, DecodeErrorKind::Value { found, expected }))
    }

    /// Number of bytes not yet read.
    pub fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// Ends the message: nothing may be left.
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.bytes.len() {
            0 => Ok(()),
            extra => Err(self.error("trailing bytes:", DecodeErrorKind::Trailing { extra })),
        }
    }

    /// An error about `field` of this message.
    pub fn error(&self, field: &'static str, kind: DecodeErrorKind) -> DecodeError {
        DecodeError {
            message: self.message,
            field,
            kind,
        }
    }

    fn run<T>(
        &mut self,
        field: &'static str,
        needed: usize,
        mut parser: impl Parser<&'a [u8], Output = T, Error = NomError<&'a [u8]>>,
    ) -> Result<T, DecodeError> {
        let available = self.bytes.len();
        let (rest, value) = parser
            .parse(self.bytes)
            .map_err(|_| self.error(field, DecodeErrorKind::Short { needed, available }))?;
        self.bytes = rest;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_message_field_and_lengths() {
        let mut r = Reader::new("RAKP message 2", &[1, 2, 3]);
        assert_eq!(r.u8("message tag"), Ok(1));
        let error = r.u32_le("console session ID").unwrap_err();
        assert_eq!(
            error.to_string(),
            "RAKP message 2: console session ID needs 4 bytes, 2 are left"
        );
        assert_eq!(r.remaining(), 2);
    }

    #[test]
    fn leftovers_are_refused_by_name() {
        let error = <()>::from_bytes(&[0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "empty message: trailing bytes: 1 are left over"
        );
        assert_eq!(<()>::from_prefix(&[0]), Ok(()));
    }

    #[test]
    fn byte_orders() {
        let mut r = Reader::new("test", &[1, 2, 1, 2, 1, 2, 3, 4, 9, 8]);
        assert_eq!(r.u16_le("a"), Ok(0x0201));
        assert_eq!(r.u16_be("b"), Ok(0x0102));
        assert_eq!(r.u32_le("c"), Ok(0x0403_0201));
        assert_eq!(r.array::<2>("d"), Ok([9, 8]));
        assert_eq!(r.optional_u8("e"), Ok(None));
    }
}
