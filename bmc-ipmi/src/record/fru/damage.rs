//! What can be wrong with an inventory.

use std::fmt;

use crate::record::TextError;

/// Why bytes are no inventory at all.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FruError {
    /// The bytes end within the common header.
    #[error("FRU inventory has {0} bytes, its header takes 8")]
    Short(usize),
    /// The common header is of another format, or was never written.
    #[error("FRU common header has format {0:#04x}, must be 0x01")]
    Format(u8),
    /// The bytes of the common header do not add up to 0.
    #[error("FRU common header has a wrong checksum")]
    Checksum,
}

/// A part of an inventory that is damaged. The others are not affected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FruDamage {
    /// Which part.
    pub area: FruArea,
    /// What is wrong with it.
    pub problem: FruProblem,
}

/// A part of an inventory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FruArea {
    /// The internal use area.
    Internal,
    /// The chassis info area.
    Chassis,
    /// The board info area.
    Board,
    /// The product info area.
    Product,
    /// This record of the multirecord area, from 0.
    MultiRecord(usize),
}

/// What is wrong with a part of an inventory.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FruProblem {
    /// It begins behind the end of the inventory; it is left out.
    #[error("begins behind the end of the inventory")]
    Outside,
    /// It ends behind the end of the inventory; what is there was read.
    #[error("ends behind the end of the inventory")]
    Cut,
    /// It is of another format; it is left out.
    #[error("has format {0:#04x}, must be 0x01")]
    Format(u8),
    /// Its length is 0; it is left out.
    #[error("has no length")]
    Empty,
    /// Its bytes do not add up to 0; it was read all the same.
    #[error("has a wrong checksum")]
    Checksum,
    /// Its fields do not end with the end marker; those before were read.
    #[error("has no end marker")]
    NoEnd,
    /// The header of a record is wrong; it and those behind it are left out.
    #[error("has a wrong header checksum")]
    HeaderChecksum,
}

/// Why an inventory cannot be written.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FruEncodeError {
    /// A field cannot be stored.
    #[error("FRU field {field}: {error}")]
    Field {
        /// The field.
        field: &'static str,
        /// Why not.
        error: TextError,
    },
    /// A field would be read back in another encoding: the area's language decides between Latin-1 and UTF-16.
    #[error("FRU field {field} must be {} by the area's language", if *.wide { "UTF-16" } else { "Latin-1" })]
    Language {
        /// The field.
        field: &'static str,
        /// Whether the field is one of UTF-16.
        wide: bool,
    },
    /// An area has more than 2040 bytes, or begins behind them.
    #[error("FRU {0} does not fit")]
    Long(FruArea),
}

impl fmt::Display for FruDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.area, self.problem)
    }
}

impl fmt::Display for FruArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Internal => f.write_str("internal use area"),
            Self::Chassis => f.write_str("chassis info area"),
            Self::Board => f.write_str("board info area"),
            Self::Product => f.write_str("product info area"),
            Self::MultiRecord(index) => write!(f, "multirecord {index}"),
        }
    }
}
