//! The system event log, §31.

mod entries;
mod marker;
mod page;
mod reader;

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::client::Client;
use crate::codec::Wire;
use crate::command::{
    AddSelEntry, ClearSel, DeleteSelEntry, ErasureProgress, GetSelAllocationInfo, GetSelEntry,
    GetSelInfo, GetSelTime, GetSelTimeUtcOffset, ReserveSel, SelAllocationInfo, SelErasure,
    SelInfo, SelReservation, SelTimeUtcOffset, SetSelTime, SetSelTimeUtcOffset,
};
use crate::error::Error;
use crate::record::sel::{SelBody, SelRecord};
use crate::wire::{CompletionCode, Timestamp};

use super::error::DeviceError;
use reader::Reader;

pub use entries::SelEntries;
pub use marker::{MarkerError, SelMarker};
pub use page::SelPage;

/// The system event log of a BMC.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::{sync::Arc, time::Duration};
/// # use bmc_core::{Credentials, Endpoint};
/// # use bmc_ipmi::{Client, Login, Transport, proto::Known};
/// # use tokio::time::Instant;
/// use bmc_ipmi::device::Sel;
///
/// # #[cfg(feature = "sim")] {
/// # let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
/// # let deadline = Instant::now() + Duration::from_secs(5);
/// # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
/// let sel = Sel::new(&client);
/// let mut entries = sel.entries();
/// while let Some(record) = entries.next(deadline).await? {
///     println!("{:04x} {}", record.id, record.describe(&())); // sensors give names: see `SensorLookup`
/// }
/// // Later: only what is new.
/// let marker = sel.entries_after(None, 1000, deadline).await?.marker;
/// let page = sel.entries_after(Some(&marker), 1000, deadline).await?;
/// assert!(page.records.is_empty());
/// # }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Sel {
    client: Client,
}

/// How often a reservation is renewed before the log is given up as one that never rests.
const RENEWALS: u32 = 8;
/// First and longest pause between questions about an erasure.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(500)];

impl Sel {
    /// The log of the client's target.
    pub fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
        }
    }

    /// How full the log is and when it changed.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn info(&self, deadline: Instant) -> Result<SelInfo, Error> {
        self.client.execute(&GetSelInfo, deadline).await
    }

    /// In what units the log's memory is given out. Optional for BMCs.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn allocation_info(&self, deadline: Instant) -> Result<SelAllocationInfo, Error> {
        self.client.execute(&GetSelAllocationInfo, deadline).await
    }

    /// The entries in the order of the log, oldest first, each read when it is asked for.
    pub fn entries(&self) -> SelEntries {
        SelEntries::new(&self.client, GetSelEntry::FIRST)
    }

    /// All entries in the order of the log.
    ///
    /// # Errors
    /// As [`SelEntries::next`].
    pub async fn read(&self, deadline: Instant) -> Result<Vec<SelRecord>, Error> {
        let mut entries = self.entries();
        let mut records = Vec::new();
        while let Some(record) = entries.next(deadline).await? {
            records.push(record);
        }
        Ok(records)
    }

    /// One entry; `None` if there is none with this ID.
    ///
    /// # Errors
    /// As [`SelEntries::next`].
    pub async fn entry(&self, id: u16, deadline: Instant) -> Result<Option<SelRecord>, Error> {
        let read = Reader::new(&self.client).read(id, deadline).await?;
        Ok(read.map(|(record, _)| record))
    }

    /// At most `limit` entries behind `marker`, or from the begin of the log where there is no marker.
    ///
    /// Costs one exchange if nothing was added, and two more than there are new entries otherwise: cheap enough to ask
    /// again and again.
    ///
    /// # Errors
    /// As [`SelEntries::next`].
    pub async fn entries_after(
        &self,
        marker: Option<&SelMarker>,
        limit: usize,
        deadline: Instant,
    ) -> Result<SelPage, Error> {
        page::read(&self.client, marker, limit, deadline).await
    }

    /// Adds an entry and gives its ID. The BMC sets the time of records that have one.
    ///
    /// Sent once. Without an answer the entry may have been added.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`AddSelEntry::UNSUPPORTED_TYPE`] if the BMC does not take such records.
    pub async fn add(&self, body: SelBody, deadline: Instant) -> Result<u16, Error> {
        let bytes = SelRecord { id: 0, body }.to_bytes();
        let record = bytes.try_into().unwrap_or_default();
        let added = self
            .client
            .execute(&AddSelEntry { record }, deadline)
            .await?;
        Ok(added.record_id)
    }

    /// Deletes an entry. That it is not there is success.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`DeviceError::Unsteady`] if the log changes all the time.
    pub async fn delete(&self, record_id: u16, deadline: Instant) -> Result<(), Error> {
        for _ in 0..RENEWALS {
            let reservation = reserve(&self.client, deadline).await?;
            let delete = DeleteSelEntry {
                reservation,
                record_id,
            };
            let Err(error) = self.client.execute(&delete, deadline).await else {
                return Ok(());
            };
            match error.completion() {
                Some(CompletionCode::NOT_PRESENT) => return Ok(()),
                Some(CompletionCode::RESERVATION_CANCELLED) => {}
                Some(DeleteSelEntry::ERASE_IN_PROGRESS) => pause(PAUSES[1], deadline).await?,
                _ => return Err(error),
            }
        }
        Err(DeviceError::Unsteady("SEL").into())
    }

    /// Deletes all entries and waits until that is done.
    ///
    /// Starts an erasure once for each reservation. Where an answer was lost and the log was erased since, it is not
    /// erased again.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`DeviceError::Unsteady`] if the log changes all the time.
    pub async fn clear(&self, deadline: Instant) -> Result<(), Error> {
        let before = self.info(deadline).await?;
        for _ in 0..RENEWALS {
            let reservation = reserve(&self.client, deadline).await?;
            let start = ClearSel {
                reservation,
                erasure: SelErasure::START,
            };
            let error = match self.client.execute(&start, deadline).await {
                Ok(ErasureProgress::IN_PROGRESS) => {
                    return self.erased(reservation, deadline).await;
                }
                Ok(_) => return Ok(()),
                Err(error) => error,
            };
            match error.completion() {
                Some(GetSelEntry::ERASE_IN_PROGRESS) => {
                    return self.erased(reservation, deadline).await;
                }
                Some(CompletionCode::RESERVATION_CANCELLED) => {
                    let now = self.info(deadline).await?;
                    if now.last_erase != before.last_erase {
                        return Ok(());
                    }
                }
                _ => return Err(error),
            }
        }
        Err(DeviceError::Unsteady("SEL").into())
    }

    /// The time of the log's clock.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn time(&self, deadline: Instant) -> Result<Timestamp, Error> {
        Ok(self.client.execute(&GetSelTime, deadline).await?.0)
    }

    /// Sets the log's clock; sent once.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn set_time(&self, time: Timestamp, deadline: Instant) -> Result<(), Error> {
        self.client.execute(&SetSelTime(time), deadline).await
    }

    /// How far the log's clock is ahead of UTC. Optional for BMCs.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn utc_offset(&self, deadline: Instant) -> Result<SelTimeUtcOffset, Error> {
        self.client.execute(&GetSelTimeUtcOffset, deadline).await
    }

    /// Says how far the log's clock is ahead of UTC.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn set_utc_offset(
        &self,
        offset: SelTimeUtcOffset,
        deadline: Instant,
    ) -> Result<(), Error> {
        let set = SetSelTimeUtcOffset(offset);
        self.client.execute(&set, deadline).await
    }

    /// Waits until an erasure is done.
    async fn erased(&self, reservation: SelReservation, deadline: Instant) -> Result<(), Error> {
        let mut status = ClearSel {
            reservation,
            erasure: SelErasure::STATUS,
        };
        let [mut wait, longest] = PAUSES;
        loop {
            pause(wait, deadline).await?;
            wait = (wait * 2).min(longest);
            match self.client.execute(&status, deadline).await {
                Ok(ErasureProgress::IN_PROGRESS) => {}
                Ok(_) => return Ok(()),
                Err(error) => match error.completion() {
                    Some(GetSelEntry::ERASE_IN_PROGRESS) => {}
                    Some(CompletionCode::RESERVATION_CANCELLED) => {
                        status.reservation = match reserve(&self.client, deadline).await {
                            Ok(reservation) => reservation,
                            Err(error) if is_erasing(&error) => continue,
                            Err(error) => return Err(error),
                        };
                    }
                    _ => return Err(error),
                },
            }
        }
    }
}

/// A reservation; 0 from BMCs that have none to give.
async fn reserve(client: &Client, deadline: Instant) -> Result<SelReservation, Error> {
    loop {
        let error = match client.execute(&ReserveSel, deadline).await {
            Ok(reservation) => return Ok(reservation),
            Err(error) => error,
        };
        match error.completion() {
            Some(CompletionCode::INVALID_COMMAND) => return Ok(SelReservation::default()),
            Some(GetSelEntry::ERASE_IN_PROGRESS) => pause(PAUSES[1], deadline).await?,
            _ => return Err(error),
        }
    }
}

fn is_erasing(error: &Error) -> bool {
    error.completion() == Some(GetSelEntry::ERASE_IN_PROGRESS)
}

/// Waits, but not beyond the deadline.
async fn pause(wait: Duration, deadline: Instant) -> Result<(), Error> {
    let until = Instant::now() + wait;
    if until >= deadline {
        return Err(DeviceError::Busy("SEL").into());
    }
    sleep_until(until).await;
    Ok(())
}
