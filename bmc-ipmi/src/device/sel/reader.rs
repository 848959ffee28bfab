//! Reading single entries.

use tokio::time::Instant;

use crate::client::Client;
use crate::codec::Wire;
use crate::command::{GetSelEntry, SelEntryPart, SelReservation};
use crate::error::Error;
use crate::record::sel::SelRecord;
use crate::wire::CompletionCode;

use super::{DeviceError, PAUSES, RENEWALS, pause, reserve};

/// Reads entries whole, or in parts where the BMC cannot give more at once.
#[derive(Debug)]
pub(super) struct Reader {
    client: Client,
    reservation: Option<SelReservation>,
    /// Bytes to ask for at once.
    chunk: u8,
}

/// Asks for less when even this many bytes are too many.
const SMALLEST_CHUNK: u8 = 1;

impl Reader {
    pub(super) fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
            reservation: None,
            chunk: GetSelEntry::ALL,
        }
    }

    /// An entry and the ID of the next one; `None` if there is no such entry.
    pub(super) async fn read(
        &mut self,
        id: u16,
        deadline: Instant,
    ) -> Result<Option<(SelRecord, u16)>, Error> {
        let mut renewals = 0;
        let mut bytes: Vec<u8> = Vec::with_capacity(SelRecord::LENGTH);
        loop {
            let error = match self.part(id, bytes.len(), deadline).await {
                Ok(part) if part.data.is_empty() => {
                    // Nothing behind FFFFh is how some BMCs say that the log is empty.
                    return match bytes.as_slice() {
                        [] if part.next == GetSelEntry::LAST => Ok(None),
                        _ => Ok(SelRecord::from_bytes(&bytes)
                            .map(|record| Some((record, part.next)))?),
                    };
                }
                Ok(part) => {
                    bytes.extend(part.data);
                    bytes.truncate(SelRecord::LENGTH);
                    if bytes.len() == SelRecord::LENGTH {
                        return Ok(Some((SelRecord::from_bytes(&bytes)?, part.next)));
                    }
                    continue;
                }
                Err(error) => error,
            };
            match error.completion() {
                Some(CompletionCode::NOT_PRESENT | CompletionCode::OUT_OF_RANGE)
                    if bytes.is_empty() =>
                {
                    return Ok(None);
                }
                Some(CompletionCode::RESERVATION_CANCELLED) => {
                    renewals += 1;
                    if renewals > RENEWALS {
                        return Err(DeviceError::Unsteady("SEL").into());
                    }
                    self.reservation = Some(reserve(&self.client, deadline).await?);
                    bytes.clear();
                }
                Some(GetSelEntry::ERASE_IN_PROGRESS) => {
                    pause(PAUSES[1], deadline).await?;
                    bytes.clear();
                }
                Some(
                    CompletionCode::TRUNCATED
                    | CompletionCode::INVALID_LENGTH
                    | CompletionCode::LENGTH_EXCEEDED
                    | CompletionCode::CANNOT_RETURN_LENGTH
                    | CompletionCode::UNSPECIFIED,
                ) if self.chunk > SMALLEST_CHUNK => self.chunk = self.chunk.min(16) / 2,
                _ => return Err(error),
            }
        }
    }

    async fn part(
        &mut self,
        record_id: u16,
        offset: usize,
        deadline: Instant,
    ) -> Result<SelEntryPart, Error> {
        // Only what does not begin at 0 needs a reservation.
        let reservation = match self.reservation {
            None if offset > 0 => reserve(&self.client, deadline).await?,
            reservation => reservation.unwrap_or_default(),
        };
        if offset > 0 {
            self.reservation = Some(reservation);
        }
        let offset = u8::try_from(offset).unwrap_or(u8::MAX);
        let left = u8::try_from(SelRecord::LENGTH).unwrap_or(u8::MAX) - offset.min(16);
        let count = match self.chunk {
            GetSelEntry::ALL => GetSelEntry::ALL,
            chunk => chunk.min(left),
        };
        let read = GetSelEntry {
            reservation,
            record_id,
            offset,
            count,
        };
        self.client.execute(&read, deadline).await
    }
}
