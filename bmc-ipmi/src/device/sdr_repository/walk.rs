//! One pass over all records.

use std::collections::BTreeSet;

use tokio::time::Instant;

use crate::client::Client;
use crate::codec::Wire;
use crate::command::{
    DeviceId, GetDeviceSdr, GetSdr, ReserveDeviceSdrRepository, ReserveSdrRepository, SdrPart,
    SdrRange,
};
use crate::device::sdr_repository::{SdrRecords, is_absent};
use crate::error::Error;
use crate::record::Sdr;
use crate::wire::CompletionCode;

/// Where a controller keeps its records.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Source {
    Repository,
    Device,
}

/// A pass over all records. It learns how many bytes the BMC gives at once.
pub(super) struct Walk<'a> {
    client: &'a Client,
    source: Source,
    deadline: Instant,
    reservation: Option<u16>,
    /// Whether a whole record can be asked for.
    takes_whole: bool,
    /// Bytes of a part.
    part: u8,
}

/// More records than this are not real.
pub(super) const MOST_RECORDS: usize = 8192;
/// Bytes of the first part that is tried.
const FIRST_PART: u8 = 64;
/// Fewer bytes at once make no sense.
const LEAST_PART: u8 = 8;
/// A record is begun again so often after its reservation was lost.
const RENEWALS: u32 = 16;

impl Source {
    const HAS_REPOSITORY: u8 = 0x02;
    const HAS_SENSORS: u8 = 0x01;
    const HAS_DEVICE_SDRS: u8 = 0x80;

    /// Where the controller says that its records are.
    pub(super) fn of(device: &DeviceId) -> Option<Self> {
        if device.support & Self::HAS_REPOSITORY != 0 {
            return Some(Self::Repository);
        }
        let sensors = device.support & Self::HAS_SENSORS != 0;
        let records = device.revision & Self::HAS_DEVICE_SDRS != 0;
        (sensors && records).then_some(Self::Device)
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(client: &'a Client, source: Source, deadline: Instant) -> Self {
        Self {
            client,
            source,
            deadline,
            reservation: None,
            takes_whole: true,
            part: FIRST_PART,
        }
    }

    pub(super) async fn records(mut self) -> Result<SdrRecords, Error> {
        let mut records = Vec::new();
        let mut seen = BTreeSet::from([SdrRange::FIRST]);
        let mut next = SdrRange::FIRST;
        let is_complete = loop {
            let (bytes, following) = match self.record(next).await {
                Ok(record) => record,
                // An empty repository, or a BMC that does not know where its records end.
                Err(error) if error.completion().is_some_and(is_absent) => {
                    break records.is_empty();
                }
                // Some BMCs never get at their last record.
                Err(error)
                    if error.completion() == Some(CompletionCode::TIMEOUT)
                        && !records.is_empty() =>
                {
                    break false;
                }
                Err(error) => return Err(error),
            };
            if let Ok(record) = Sdr::from_prefix(&bytes) {
                // The first record comes round again under its own number.
                seen.insert(record.id);
                records.push(record);
            }
            if following == SdrRange::LAST {
                break true;
            }
            if records.len() >= MOST_RECORDS || !seen.insert(following) {
                break false;
            }
            next = following;
        };
        Ok(SdrRecords {
            records: records.into(),
            is_complete,
            is_cached: false,
        })
    }

    /// The bytes of a record and the ID of the next.
    async fn record(&mut self, id: u16) -> Result<(Vec<u8>, u16), Error> {
        let mut renewals = 0;
        loop {
            match self.record_at_once(id).await {
                Err(error)
                    if error.completion() == Some(CompletionCode::RESERVATION_CANCELLED)
                        && renewals < RENEWALS =>
                {
                    self.reservation = None;
                    renewals += 1;
                }
                result => return result,
            }
        }
    }

    /// As [`record`](Self::record), as long as the reservation holds.
    async fn record_at_once(&mut self, id: u16) -> Result<(Vec<u8>, u16), Error> {
        let first = self.beginning(id).await?;
        let mut bytes = first.data;
        while let Some(missing) = missing(&bytes) {
            let Some(offset) = u8::try_from(bytes.len()).ok() else {
                break;
            };
            let count = missing.min(self.part);
            match self.part(id, offset, count).await {
                Ok(part) if part.data.is_empty() => break,
                Ok(part) => {
                    let usable = part.data.iter().take(missing.into());
                    bytes.extend(usable);
                }
                Err(error) if error.completion().is_some_and(is_too_long) => self.shrink(error)?,
                // It is shorter than it says.
                Err(error) if error.completion().is_some_and(is_absent) => break,
                Err(error) => return Err(error),
            }
        }
        Ok((bytes, first.next))
    }

    /// The whole record, or what the BMC gives of it at first.
    async fn beginning(&mut self, id: u16) -> Result<SdrPart, Error> {
        if self.takes_whole {
            match self.get(SdrRange::whole(id)).await {
                Err(error) if error.completion().is_some_and(is_too_long) => {
                    self.takes_whole = false;
                }
                result => return result,
            }
        }
        let header = u8::try_from(Sdr::HEADER).unwrap_or(LEAST_PART);
        self.part(id, 0, header).await
    }

    async fn part(&mut self, record: u16, offset: u8, count: u8) -> Result<SdrPart, Error> {
        let reservation = match self.reservation {
            Some(reservation) => reservation,
            None => self.reserve().await?,
        };
        self.get(SdrRange {
            reservation,
            record,
            offset,
            count,
        })
        .await
    }

    fn shrink(&mut self, error: Error) -> Result<(), Error> {
        if self.part <= LEAST_PART {
            return Err(error);
        }
        self.part = (self.part / 2).max(LEAST_PART);
        Ok(())
    }

    async fn reserve(&mut self) -> Result<u16, Error> {
        let (client, deadline) = (self.client, self.deadline);
        let reservation = match self.source {
            Source::Repository => client.execute(&ReserveSdrRepository, deadline).await,
            Source::Device => client.execute(&ReserveDeviceSdrRepository, deadline).await,
        };
        let id = match reservation {
            Ok(reservation) => reservation.id,
            // Some BMCs have no reservations, and want none.
            Err(error) if error.completion() == Some(CompletionCode::INVALID_COMMAND) => 0,
            Err(error) => return Err(error),
        };
        self.reservation = Some(id);
        Ok(id)
    }

    async fn get(&self, range: SdrRange) -> Result<SdrPart, Error> {
        let (client, deadline) = (self.client, self.deadline);
        match self.source {
            Source::Repository => client.execute(&GetSdr(range), deadline).await,
            Source::Device => client.execute(&GetDeviceSdr(range), deadline).await,
        }
    }
}

/// How many bytes of a record are still to be read.
fn missing(bytes: &[u8]) -> Option<u8> {
    let length = match bytes.get(Sdr::HEADER - 1) {
        Some(length) => Sdr::HEADER + usize::from(*length),
        None => Sdr::HEADER,
    };
    let missing = length.saturating_sub(bytes.len());
    u8::try_from(missing).ok().filter(|missing| *missing > 0)
}

/// Whether a code may mean that too many bytes were asked for.
fn is_too_long(code: CompletionCode) -> bool {
    matches!(
        code,
        CompletionCode::TRUNCATED
            | CompletionCode::INVALID_LENGTH
            | CompletionCode::LENGTH_EXCEEDED
            | CompletionCode::CANNOT_RETURN_LENGTH
            | CompletionCode::UNSPECIFIED
    )
}
