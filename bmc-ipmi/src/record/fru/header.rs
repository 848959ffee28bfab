//! The common header, FRU §8.

use super::FruError;
use super::area::sum;

/// Where the areas begin, in bytes; `None` where there is no such area.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Header {
    pub(super) internal: Option<usize>,
    pub(super) chassis: Option<usize>,
    pub(super) board: Option<usize>,
    pub(super) product: Option<usize>,
    pub(super) multirecord: Option<usize>,
}

/// Format of header and areas, in the low four bits of their first byte.
pub(super) const FORMAT: u8 = 0x01;
/// Offsets and lengths count so many bytes.
pub(super) const UNIT: usize = 8;

impl Header {
    pub(super) const LENGTH: usize = 8;

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, FruError> {
        let header = bytes
            .first_chunk::<{ Self::LENGTH }>()
            .ok_or(FruError::Short(bytes.len()))?;
        let [format, internal, chassis, board, product, multirecord, ..] = *header;
        if format & 0x0f != FORMAT {
            return Err(FruError::Format(format));
        }
        if sum(header) != 0 {
            return Err(FruError::Checksum);
        }
        let offset = |units: u8| (units != 0).then(|| usize::from(units) * UNIT);
        Ok(Self {
            internal: offset(internal),
            chassis: offset(chassis),
            board: offset(board),
            product: offset(product),
            multirecord: offset(multirecord),
        })
    }

    /// The header with these offsets in units of eight bytes.
    pub(super) fn encode(offsets: [u8; 5]) -> [u8; Self::LENGTH] {
        let [internal, chassis, board, product, multirecord] = offsets;
        let mut header = [FORMAT, internal, chassis, board, product, multirecord, 0, 0];
        let checksum = sum(&header).wrapping_neg();
        if let Some(last) = header.last_mut() {
            *last = checksum;
        }
        header
    }

    /// Where the internal use area ends, which has no length: where the next area begins, or at the end.
    pub(super) fn internal_end(&self, from: usize, size: usize) -> usize {
        let others = [self.chassis, self.board, self.product, self.multirecord];
        let next = others.into_iter().flatten().filter(|begin| *begin > from);
        next.min().unwrap_or(size).min(size)
    }
}
