//! The multirecord area, FRU §16 to §18.

mod compatibility;
mod dc;
mod management_access;
mod power_supply;

use crate::codec::Wire;

use super::area::sum;
use super::header::UNIT;
use super::{FruArea, FruDamage, FruEncodeError, FruProblem};

pub use compatibility::Compatibility;
pub use dc::{CurrentStep, DcLoad, DcOutput};
pub use management_access::{ManagementAccess, ManagementAccessKind};
pub use power_supply::PowerSupply;

/// A record of the multirecord area.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum MultiRecord {
    /// 00h: what a power supply is good for.
    PowerSupply(PowerSupply),
    /// 01h, and 09h with larger currents: what an output gives.
    DcOutput(DcOutput),
    /// 02h, and 0Ah with larger currents: what a load takes.
    DcLoad(DcLoad),
    /// 03h: where the part is managed.
    ManagementAccess(ManagementAccess),
    /// 04h: with what the part works together at its base.
    BaseCompatibility(Compatibility),
    /// 05h: with what else the part works together.
    ExtendedCompatibility(Compatibility),
    /// C0h to FFh: a manufacturer's own.
    Oem {
        /// The type; the manufacturer's choice.
        record_type: u8,
        /// Manufacturer's enterprise number, 24 bits.
        manufacturer: u32,
        /// The manufacturer's data.
        data: Vec<u8>,
    },
    /// A type that is not known, or a record of another length than its type has.
    Other {
        /// The type.
        record_type: u8,
        /// The data.
        data: Vec<u8>,
    },
}

/// Bytes before the data of a record.
pub(super) const RECORD_HEADER: usize = 5;
/// Format of a record, and the bit that marks the last one.
const FORMAT: u8 = 0x02;
const LAST: u8 = 0x80;

/// The header of a record.
pub(super) struct Header {
    record_type: u8,
    checksum: u8,
    pub(super) length: usize,
    pub(super) last: bool,
    pub(super) valid: bool,
}

impl Header {
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let header = bytes.first_chunk::<RECORD_HEADER>()?;
        let [record_type, format, length, checksum, _] = *header;
        Some(Self {
            record_type,
            checksum,
            length: length.into(),
            last: format & LAST != 0,
            valid: sum(header) == 0,
        })
    }
}

/// Reads the records at the front of `area`.
pub(super) fn decode(area: &[u8], damage: &mut Vec<FruDamage>) -> Vec<MultiRecord> {
    let mut records = Vec::new();
    let mut rest = area;
    loop {
        let mut report = |problem| {
            let area = FruArea::MultiRecord(records.len());
            damage.push(FruDamage { area, problem });
        };
        let Some(header) = Header::decode(rest) else {
            report(FruProblem::Outside);
            return records;
        };
        if !header.valid {
            report(FruProblem::HeaderChecksum);
            return records;
        }
        let body = rest.get(RECORD_HEADER..).unwrap_or_default();
        let Some((data, behind)) = body.split_at_checked(header.length) else {
            report(FruProblem::Cut);
            return records;
        };
        if sum(data).wrapping_add(header.checksum) != 0 {
            report(FruProblem::Checksum);
        }
        records.push(MultiRecord::decode(header.record_type, data));
        if header.last {
            return records;
        }
        rest = behind;
    }
}

/// Writes the records as an area; `None` if there are none.
pub(super) fn encode(records: &[MultiRecord]) -> Result<Option<Vec<u8>>, FruEncodeError> {
    let mut area = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let data = record.data();
        let length = u8::try_from(data.len())
            .map_err(|_| FruEncodeError::Long(FruArea::MultiRecord(index)))?;
        let last = if index + 1 == records.len() { LAST } else { 0 };
        let checksum = sum(&data).wrapping_neg();
        let header = [record.record_type(), FORMAT | last, length, checksum];
        area.extend_from_slice(&header);
        area.push(sum(&header).wrapping_neg());
        area.extend(data);
    }
    area.resize(area.len().next_multiple_of(UNIT), 0);
    Ok((!area.is_empty()).then_some(area))
}

impl MultiRecord {
    /// The type of the record.
    pub fn record_type(&self) -> u8 {
        match self {
            Self::PowerSupply(_) => 0x00,
            Self::DcOutput(output) if output.step != CurrentStep::One => 0x09,
            Self::DcOutput(_) => 0x01,
            Self::DcLoad(load) if load.step != CurrentStep::One => 0x0a,
            Self::DcLoad(_) => 0x02,
            Self::ManagementAccess(_) => 0x03,
            Self::BaseCompatibility(_) => 0x04,
            Self::ExtendedCompatibility(_) => 0x05,
            Self::Oem { record_type, .. } | Self::Other { record_type, .. } => *record_type,
        }
    }

    fn decode(record_type: u8, data: &[u8]) -> Self {
        let known = match record_type {
            0x00 => PowerSupply::from_bytes(data).map(Self::PowerSupply).ok(),
            0x01 | 0x09 => DcOutput::decode(record_type == 0x09, data).map(Self::DcOutput),
            0x02 | 0x0a => DcLoad::decode(record_type == 0x0a, data).map(Self::DcLoad),
            0x03 => ManagementAccess::from_bytes(data)
                .map(Self::ManagementAccess)
                .ok(),
            0x04 => Compatibility::from_bytes(data)
                .map(Self::BaseCompatibility)
                .ok(),
            0x05 => Compatibility::from_bytes(data)
                .map(Self::ExtendedCompatibility)
                .ok(),
            0xc0.. => data.split_first_chunk().map(|([low, middle, high], data)| {
                let manufacturer = u32::from_le_bytes([*low, *middle, *high, 0]);
                let data = data.to_vec();
                Self::Oem {
                    record_type,
                    manufacturer,
                    data,
                }
            }),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Other {
            record_type,
            data: data.to_vec(),
        })
    }

    fn data(&self) -> Vec<u8> {
        match self {
            Self::PowerSupply(supply) => supply.to_bytes(),
            Self::DcOutput(output) => output.encode(),
            Self::DcLoad(load) => load.encode(),
            Self::ManagementAccess(access) => access.to_bytes(),
            Self::BaseCompatibility(other) | Self::ExtendedCompatibility(other) => other.to_bytes(),
            Self::Oem {
                manufacturer, data, ..
            } => {
                let [low, middle, high, _] = manufacturer.to_le_bytes();
                [&[low, middle, high], data.as_slice()].concat()
            }
            Self::Other { data, .. } => data.clone(),
        }
    }
}
