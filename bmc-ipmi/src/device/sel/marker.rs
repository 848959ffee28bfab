//! A place in the log that can be kept.

use std::fmt;
use std::str::FromStr;

use crate::codec::{Reader, Wire};
use crate::command::SelInfo;
use crate::record::sel::SelRecord;

/// A place in the log: behind the last entry that was read. Its text can be kept and read again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelMarker {
    /// What the log said of itself when all of it was read.
    pub(super) info: Option<SelInfo>,
    /// The last entry that was read; IDs are used again once a log was cleared.
    pub(super) last: Option<SelRecord>,
}

/// A text that is no marker.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
    "not a place in an IPMI event log: must be \"sel:\" and an even number of hexadecimal digits"
)]
pub struct MarkerError;

const PREFIX: &str = "sel:";
const INFO: u8 = 0x01;
const LAST: u8 = 0x02;

impl fmt::Display for SelMarker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = vec![0];
        let mut flags = 0;
        if let Some(info) = &self.info {
            flags |= INFO;
            info.encode(&mut bytes);
        }
        if let Some(last) = &self.last {
            flags |= LAST;
            last.encode(&mut bytes);
        }
        f.write_str(PREFIX)?;
        write!(f, "{flags:02x}")?;
        bytes
            .iter()
            .skip(1)
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for SelMarker {
    type Err = MarkerError;

    fn from_str(text: &str) -> Result<Self, MarkerError> {
        let digits = text.strip_prefix(PREFIX).ok_or(MarkerError)?;
        if !digits.is_ascii() {
            return Err(MarkerError);
        }
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        if !rest.is_empty() {
            return Err(MarkerError);
        }
        let bytes: Option<Vec<u8>> = pairs
            .iter()
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        let bytes = bytes.ok_or(MarkerError)?;
        let mut r = Reader::new("marker", &bytes);
        let marker = (|| {
            let flags = r.u8("flags")?;
            let info = (flags & INFO != 0).then(|| SelInfo::decode(&mut r));
            let last = (flags & LAST != 0).then(|| SelRecord::decode(&mut r));
            Ok::<_, crate::codec::DecodeError>(Self {
                info: info.transpose()?,
                last: last.transpose()?,
            })
        })();
        let marker = marker.map_err(|_| MarkerError)?;
        r.finish().map_err(|_| MarkerError)?;
        Ok(marker)
    }
}
