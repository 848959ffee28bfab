//! Two masks of events, which Get Sensor Event Enable and Get Sensor Event Status share.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader};

/// The masks of states that begin and of states that end. Any byte of them may be left out.
pub(super) fn masks(r: &mut Reader<'_>) -> Result<(Option<u16>, Option<u16>), DecodeError> {
    Ok((mask(r, "assertion mask")?, mask(r, "deassertion mask")?))
}

pub(super) fn put_masks(assertion: Option<u16>, deassertion: Option<u16>, out: &mut impl BufMut) {
    if let Some(assertion) = assertion {
        out.put_u16_le(assertion);
        if let Some(deassertion) = deassertion {
            out.put_u16_le(deassertion);
        }
    }
}

fn mask(r: &mut Reader<'_>, field: &'static str) -> Result<Option<u16>, DecodeError> {
    let Some(low) = r.optional_u8(field)? else {
        return Ok(None);
    };
    let high = r.optional_u8(field)?.unwrap_or(0);
    Ok(Some(u16::from_le_bytes([low, high])))
}
