//! The system event log of the simulated BMC.

use std::time::Duration;

use tokio::time::Instant;

use crate::codec::Wire;
use crate::command::{
    AddSelEntry, DeleteSelEntry, ErasureProgress, GetSelEntry, SelAllocationInfo, SelEntryPart,
    SelErasure, SelInfo, SelReservation, SelTimeUtcOffset,
};
use crate::record::sel::{SelBody, SelRecord, SystemEvent};
use crate::wire::{CompletionCode, Timestamp};

/// The system event log: its entries, its clock, and how it misbehaves.
#[derive(Clone, Debug)]
pub struct SimEventLog {
    /// How many entries there can be. Default: 512.
    pub capacity: u16,
    /// How long an erasure takes. Default: no time.
    pub erase_time: Duration,
    /// Most bytes of a record in one answer; a request for more is refused with CAh. Default: all sixteen.
    pub read_limit: u8,
    /// Cancels the reservation after so many reads, as an event does that comes in between. Default: never.
    pub cancel_after_reads: Option<u32>,
    /// How it lies about the next entry. Default: not.
    pub lie: Option<NextEntryLie>,
    /// The next so many commands are refused with C0h.
    pub busy: u32,
    records: Vec<SelRecord>,
    next_id: u16,
    reservation: SelReservation,
    is_reserved: bool,
    last_addition: Timestamp,
    last_erase: Timestamp,
    overflowed: bool,
    erasing_until: Option<Instant>,
    clock: (Timestamp, Instant),
    utc_offset: SelTimeUtcOffset,
}

/// How a BMC lies about the entry behind one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NextEntryLie {
    /// The next entry is the entry itself.
    Itself,
    /// Behind the last entry comes the first.
    First,
    /// Each entry has another behind it, for ever.
    Endless,
}

/// 2024-01-01 00:00.
const START: Timestamp = Timestamp(1_704_067_200);

impl SimEventLog {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            capacity: 512,
            erase_time: Duration::ZERO,
            read_limit: 16,
            cancel_after_reads: None,
            lie: None,
            busy: 0,
            records: Vec::new(),
            next_id: 1,
            reservation: SelReservation(0),
            is_reserved: false,
            last_addition: Timestamp(0),
            last_erase: Timestamp(0),
            overflowed: false,
            erasing_until: None,
            clock: (START, now),
            utc_offset: SelTimeUtcOffset::UNSPECIFIED,
        }
    }

    /// The entries, oldest first.
    pub fn records(&self) -> &[SelRecord] {
        &self.records
    }

    /// Adds an entry as the BMC itself does: with the next ID, and the time that `body` has. `None`: the log is full.
    pub fn push(&mut self, body: SelBody) -> Option<u16> {
        if self.records.len() >= self.capacity.into() {
            self.overflowed = true;
            return None;
        }
        let id = self.next_id;
        // 0000h and FFFFh are aliases.
        self.next_id = if id >= 0xfffe { 1 } else { id + 1 };
        self.records.push(SelRecord { id, body });
        self.is_reserved = false;
        if let Some(time) = self.records.last().and_then(SelRecord::timestamp) {
            self.last_addition = time;
        }
        Some(id)
    }

    /// The time of the clock.
    pub fn time(&self, now: Instant) -> Timestamp {
        let (set, at) = self.clock;
        let passed = now.saturating_duration_since(at).as_secs();
        Timestamp(
            set.0
                .saturating_add(u32::try_from(passed).unwrap_or(u32::MAX)),
        )
    }

    /// Sets the clock.
    pub fn set_time(&mut self, now: Instant, time: Timestamp) {
        self.clock = (time, now);
    }

    /// What the clock is said to be ahead of UTC.
    pub fn utc_offset(&self) -> SelTimeUtcOffset {
        self.utc_offset
    }

    pub(crate) fn set_utc_offset(&mut self, offset: SelTimeUtcOffset) {
        self.utc_offset = offset;
    }

    /// The ID of the newest entry.
    pub(crate) fn last_id(&self) -> Option<u16> {
        self.records.last().map(|record| record.id)
    }

    /// Refuses a command if the log is busy, and ends an erasure whose time has come.
    pub(crate) fn begin(&mut self, now: Instant) -> Result<(), CompletionCode> {
        if self.erasing_until.is_some_and(|until| now >= until) {
            self.erasing_until = None;
        }
        if self.busy > 0 {
            self.busy -= 1;
            return Err(CompletionCode::NODE_BUSY);
        }
        Ok(())
    }

    pub(crate) fn info(&self) -> SelInfo {
        let length = u16::try_from(self.records.len()).unwrap_or(u16::MAX);
        let free = self.capacity.saturating_sub(length);
        let overflow = if self.overflowed {
            SelInfo::OVERFLOW
        } else {
            0
        };
        SelInfo {
            version: 0x51,
            entries: length,
            free_bytes: free.saturating_mul(16),
            last_addition: self.last_addition,
            last_erase: self.last_erase,
            operations: overflow | SelInfo::DELETE | SelInfo::RESERVE | SelInfo::ALLOCATION_INFO,
        }
    }

    pub(crate) fn allocation(&self) -> SelAllocationInfo {
        let length = u16::try_from(self.records.len()).unwrap_or(u16::MAX);
        let free = self.capacity.saturating_sub(length);
        SelAllocationInfo {
            units: self.capacity,
            unit_size: 16,
            free_units: free,
            largest_free: free,
            maximum_record: 1,
        }
    }

    pub(crate) fn reserve(&mut self) -> Result<SelReservation, CompletionCode> {
        self.require_idle()?;
        // 0 is no reservation.
        self.reservation.0 = self.reservation.0.checked_add(1).unwrap_or(1);
        self.is_reserved = true;
        Ok(self.reservation)
    }

    pub(crate) fn read(&mut self, read: GetSelEntry) -> Result<SelEntryPart, CompletionCode> {
        self.require_idle()?;
        if read.offset != 0 {
            self.require_reservation(read.reservation)?;
        }
        let index = self.find(read.record_id)?;
        let record = self.records.get(index);
        let record = record.ok_or(CompletionCode::NOT_PRESENT)?;
        let bytes = record.to_bytes();
        let rest = bytes.get(read.offset.into()..);
        let rest = rest.ok_or(CompletionCode::OUT_OF_RANGE)?;
        let count = match read.count {
            GetSelEntry::ALL => rest.len(),
            count => usize::from(count).min(rest.len()),
        };
        if count > self.read_limit.into() {
            return Err(CompletionCode::CANNOT_RETURN_LENGTH);
        }
        let next = self.records.get(index + 1).map(|next| next.id);
        let part = SelEntryPart {
            next: match (self.lie, next) {
                (Some(NextEntryLie::Itself), _) => record.id,
                (Some(NextEntryLie::First), None) => self.records.first().map_or(0, |r| r.id),
                (Some(NextEntryLie::Endless), None) => record.id.wrapping_add(1),
                (_, Some(next)) => next,
                (_, None) => GetSelEntry::LAST,
            },
            data: rest.iter().take(count).copied().collect(),
        };
        if let Some(left) = &mut self.cancel_after_reads {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.cancel_after_reads = None;
                self.is_reserved = false;
            }
        }
        Ok(part)
    }

    pub(crate) fn add(&mut self, now: Instant, record: &[u8; 16]) -> Result<u16, CompletionCode> {
        self.require_idle()?;
        let record = SelRecord::from_bytes(record).map_err(|_| AddSelEntry::UNSUPPORTED_TYPE)?;
        let mut body = record.body;
        match &mut body {
            SelBody::System(SystemEvent { timestamp, .. })
            | SelBody::TimestampedOem { timestamp, .. } => *timestamp = self.time(now),
            SelBody::Oem { record_type, .. } if *record_type < 0xe0 => {
                return Err(AddSelEntry::UNSUPPORTED_TYPE);
            }
            SelBody::Oem { .. } => {}
        }
        let id = self.push(body).ok_or(CompletionCode::OUT_OF_SPACE)?;
        self.last_addition = self.time(now);
        Ok(id)
    }

    pub(crate) fn delete(
        &mut self,
        now: Instant,
        delete: DeleteSelEntry,
    ) -> Result<u16, CompletionCode> {
        self.require_idle()?;
        self.require_reservation(delete.reservation)?;
        let index = self.find(delete.record_id)?;
        let id = self.records.remove(index).id;
        self.is_reserved = false;
        self.last_erase = self.time(now);
        Ok(id)
    }

    pub(crate) fn clear(
        &mut self,
        now: Instant,
        reservation: SelReservation,
        erasure: SelErasure,
    ) -> Result<ErasureProgress, CompletionCode> {
        let progress = |log: &Self| match log.erasing_until {
            Some(_) => ErasureProgress::IN_PROGRESS,
            None => ErasureProgress::COMPLETE,
        };
        if erasure == SelErasure::STATUS {
            return Ok(progress(self));
        }
        if erasure != SelErasure::START {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        self.require_idle()?;
        self.require_reservation(reservation)?;
        self.records.clear();
        self.overflowed = false;
        self.is_reserved = false;
        self.last_erase = self.time(now);
        if !self.erase_time.is_zero() {
            self.erasing_until = Some(now + self.erase_time);
        }
        Ok(progress(self))
    }

    fn find(&self, id: u16) -> Result<usize, CompletionCode> {
        let index = match id {
            GetSelEntry::FIRST => (!self.records.is_empty()).then_some(0),
            GetSelEntry::LAST => self.records.len().checked_sub(1),
            id => self.records.iter().position(|record| record.id == id),
        };
        let lie = self.lie == Some(NextEntryLie::Endless);
        let index = index.or_else(|| self.records.len().checked_sub(1).filter(|_| lie));
        index.ok_or(CompletionCode::NOT_PRESENT)
    }

    fn require_idle(&self) -> Result<(), CompletionCode> {
        match self.erasing_until {
            Some(_) => Err(GetSelEntry::ERASE_IN_PROGRESS),
            None => Ok(()),
        }
    }

    fn require_reservation(&self, reservation: SelReservation) -> Result<(), CompletionCode> {
        if self.is_reserved && reservation == self.reservation {
            Ok(())
        } else {
            Err(CompletionCode::RESERVATION_CANCELLED)
        }
    }
}
