//! Get and Set SEL Time UTC Offset, §31.11a and §31.11b.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks how far the log's clock is ahead of UTC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSelTimeUtcOffset;

without_data!(GetSelTimeUtcOffset, "Get SEL Time UTC Offset");

impl Command for GetSelTimeUtcOffset {
    type Response = SelTimeUtcOffset;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x5c;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How far the log's clock is ahead of UTC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelTimeUtcOffset(i16);

impl SelTimeUtcOffset {
    /// Not known.
    pub const UNSPECIFIED: Self = Self(0x07ff);

    /// An offset of −1440 to 1440 minutes; `None` for others.
    pub fn new(minutes: i16) -> Option<Self> {
        (-1440..=1440).contains(&minutes).then_some(Self(minutes))
    }

    /// Minutes; `None` if unspecified or out of the range.
    pub fn minutes(self) -> Option<i16> {
        Self::new(self.0).map(|offset| offset.0)
    }
}

impl Wire for SelTimeUtcOffset {
    const NAME: &'static str = "Get SEL Time UTC Offset response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self(r.u16_le("UTC offset")?.cast_signed()))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_i16_le(self.0);
    }
}

/// Says how far the log's clock is ahead of UTC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetSelTimeUtcOffset(pub SelTimeUtcOffset);

impl Wire for SetSelTimeUtcOffset {
    const NAME: &'static str = "Set SEL Time UTC Offset";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        SelTimeUtcOffset::decode(r).map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.0.encode(out);
    }
}

impl Command for SetSelTimeUtcOffset {
    type Response = ();
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x5d;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
