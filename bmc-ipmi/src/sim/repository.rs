//! The sensor data records of a simulated BMC.

use crate::codec::Wire;
use crate::command::{SdrPart, SdrRange};
use crate::record::Sdr;
use crate::record::sdr::SdrBody;
use crate::wire::{CompletionCode, Timestamp};

/// Sensor data records, and the ways in which real repositories misbehave.
#[derive(Clone, Debug)]
pub struct Repository {
    /// How it misbehaves.
    pub quirks: RepositoryQuirks,
    place: SdrPlace,
    records: Vec<(u16, Vec<u8>)>,
    last_addition: Timestamp,
    last_erase: Timestamp,
    reservation: u16,
}

/// Where a controller keeps its records.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SdrPlace {
    /// In an SDR repository.
    #[default]
    Repository,
    /// As device SDRs, which know no time stamps.
    Device,
}

/// How a repository misbehaves; by default it does not.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RepositoryQuirks {
    /// So many bytes can be read at once.
    pub largest_read: Option<u8>,
    /// How a read of more bytes than that is refused; `None`: it gives fewer bytes.
    pub refusal: Option<CompletionCode>,
    /// So many of the next reads of a part lose their reservation.
    pub lose_reservations: u32,
    /// The number of records that it tells.
    pub count: Option<u16>,
    /// What the last record says comes next.
    pub end: SdrEnd,
    /// The records have other IDs inside than those by which they are read.
    pub foreign_ids: bool,
    /// The records claim to be this much longer than they are.
    pub overstated_length: u8,
}

/// What the last record says comes next.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SdrEnd {
    /// Nothing.
    #[default]
    Nothing,
    /// Itself.
    Itself,
    /// The first record.
    First,
    /// A record that does not exist.
    Absent,
}

impl Repository {
    pub(super) fn new(place: SdrPlace, records: &[Sdr]) -> Self {
        Self {
            quirks: RepositoryQuirks::default(),
            place,
            records: records.iter().map(|r| (r.id, r.to_bytes())).collect(),
            last_addition: Timestamp(0x6000_0000),
            last_erase: Timestamp(0x5000_0000),
            reservation: 0,
        }
    }

    /// Adds a record, which cancels reservations, and gives its ID.
    pub fn add(&mut self, body: SdrBody) -> u16 {
        let id = self.records.iter().map(|(id, _)| *id).max().unwrap_or(0) + 1;
        self.records.push((id, Sdr::new(id, body).to_bytes()));
        self.last_addition.0 += 1;
        self.cancel_reservation();
        id
    }

    /// Deletes a record, which cancels reservations. `false` if there is none.
    pub fn remove(&mut self, id: u16) -> bool {
        let before = self.records.len();
        self.records.retain(|(known, _)| *known != id);
        self.last_erase.0 += 1;
        self.cancel_reservation();
        self.records.len() < before
    }

    /// Cancels the reservation, as another console does that asks for one.
    pub fn cancel_reservation(&mut self) {
        self.reservation = self.reservation.wrapping_add(1).max(1);
    }

    pub(super) fn place(&self) -> Option<SdrPlace> {
        (!self.records.is_empty()).then_some(self.place)
    }

    pub(super) fn count(&self) -> u16 {
        let count = u16::try_from(self.records.len()).unwrap_or(u16::MAX);
        self.quirks.count.unwrap_or(count)
    }

    pub(super) fn changes(&self) -> (Timestamp, Timestamp) {
        (self.last_addition, self.last_erase)
    }

    pub(super) fn reserve(&mut self) -> u16 {
        self.cancel_reservation();
        self.reservation
    }

    pub(super) fn read(&mut self, range: SdrRange) -> Result<SdrPart, CompletionCode> {
        let index = self.find(range.record)?;
        let is_part = range.offset != 0;
        if is_part && let Some(left) = self.quirks.lose_reservations.checked_sub(1) {
            self.quirks.lose_reservations = left;
            self.cancel_reservation();
        }
        let is_reserved = range.reservation == self.reservation && self.reservation != 0;
        if (is_part || range.reservation != 0) && !is_reserved {
            return Err(CompletionCode::RESERVATION_CANCELLED);
        }
        let next = self.next(index);
        let record = self.stored(index);
        let rest = record.get(usize::from(range.offset)..);
        let rest = rest.ok_or(CompletionCode::OUT_OF_RANGE)?;
        let count = rest.len().min(usize::from(range.count));
        let count = match self.quirks.largest_read.map(usize::from) {
            Some(largest) if largest < count => match self.quirks.refusal {
                Some(refusal) => return Err(refusal),
                None => largest,
            },
            _ => count,
        };
        let data = rest.get(..count).unwrap_or_default().to_vec();
        Ok(SdrPart { next, data })
    }

    fn find(&self, record: u16) -> Result<usize, CompletionCode> {
        let found = match record {
            SdrRange::FIRST => self.records.first().map(|_| 0),
            SdrRange::LAST => self.records.len().checked_sub(1),
            id => self.records.iter().position(|(known, _)| *known == id),
        };
        found.ok_or(CompletionCode::NOT_PRESENT)
    }

    fn next(&self, index: usize) -> u16 {
        let id = |index: usize| self.records.get(index).map(|(id, _)| *id);
        let end = match self.quirks.end {
            SdrEnd::Nothing => SdrRange::LAST,
            SdrEnd::Itself => id(index).unwrap_or(SdrRange::LAST),
            SdrEnd::First => id(0).unwrap_or(SdrRange::LAST),
            SdrEnd::Absent => 0x7eee,
        };
        id(index + 1).unwrap_or(end)
    }

    /// A record as it is read, with all its lies.
    fn stored(&self, index: usize) -> Vec<u8> {
        let record = self.records.get(index).map(|(_, record)| record.clone());
        let mut record = record.unwrap_or_default();
        if let [low, _, _, _, length, ..] = record.as_mut_slice() {
            if self.quirks.foreign_ids {
                *low ^= 0x80;
            }
            *length = length.saturating_add(self.quirks.overstated_length);
        }
        record
    }
}
