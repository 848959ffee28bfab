//! Base and extended compatibility records, FRU §18.6 and §18.7.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::EntityId;

/// With what a part works together.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Compatibility {
    /// Manufacturer's enterprise number, 24 bits, whose codes follow.
    pub manufacturer: u32,
    /// What the part is.
    pub entity: EntityId,
    /// Compatibility base.
    pub base: u8,
    /// The first compatible code: seven bits.
    pub start: u8,
    /// Which of the codes behind the first are compatible, one bit each, from the lowest bit of the first byte on.
    pub mask: Vec<u8>,
}

impl Wire for Compatibility {
    const NAME: &'static str = "FRU compatibility record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [low, middle, high] = r.array("manufacturer ID")?;
        Ok(Self {
            manufacturer: u32::from_le_bytes([low, middle, high, 0]),
            entity: EntityId(r.u8("entity ID code")?),
            base: r.u8("compatibility base")?,
            start: r.u8("compatibility code start")? & 0x7f,
            mask: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let [low, middle, high, _] = self.manufacturer.to_le_bytes();
        out.put_slice(&[
            low,
            middle,
            high,
            self.entity.0,
            self.base,
            self.start & 0x7f,
        ]);
        out.put_slice(&self.mask);
    }
}
