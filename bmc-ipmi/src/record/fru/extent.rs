//! How much of an inventory must be read.

use super::header::{Header, UNIT};
use super::multirecord::{self, RECORD_HEADER};

/// Bytes of an inventory of `size` bytes that its areas take, as far as its first bytes, in `known`, tell.
///
/// Reading that many and asking again leads, in at most as many steps as there are areas and records, to an answer
/// that is not longer than `known`: then all areas are there. Storage behind them is never read.
pub fn needed(known: &[u8], size: usize) -> usize {
    let Ok(header) = Header::decode(known) else {
        return Header::LENGTH.min(size);
    };
    let mut end = Header::LENGTH;
    if let Some(begin) = header.internal {
        end = end.max(header.internal_end(begin, size));
    }
    for begin in [header.chassis, header.board, header.product]
        .into_iter()
        .flatten()
    {
        end = end.max(match known.get(begin + 1) {
            Some(units) => begin + usize::from(*units) * UNIT,
            None => begin + 2,
        });
    }
    if let Some(begin) = header.multirecord {
        end = end.max(begin + multirecord_end(known.get(begin..).unwrap_or_default()));
    }
    end.min(size)
}

/// Bytes that the records take, as far as they are known.
fn multirecord_end(known: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let Some(header) = known.get(end..).and_then(multirecord::Header::decode) else {
            return end + RECORD_HEADER;
        };
        end += RECORD_HEADER;
        if !header.valid {
            return end;
        }
        end += header.length;
        if header.last {
            return end;
        }
    }
}
