//! Walking through the log.

use std::collections::BTreeSet;

use tokio::time::Instant;

use crate::client::Client;
use crate::command::GetSelEntry;
use crate::error::Error;
use crate::record::sel::SelRecord;

use super::reader::Reader;

/// The entries of a log, one after another.
///
/// Whatever the BMC says about the next entry, the walk ends: at the end of the log, at an entry that is gone, and where
/// an entry comes for the second time.
#[derive(Debug)]
pub struct SelEntries {
    reader: Reader,
    next: Option<u16>,
    /// IDs that were asked for. Not those of the records: some BMCs put others there.
    seen: BTreeSet<u16>,
    last: Option<SelRecord>,
}

impl SelEntries {
    pub(super) fn new(client: &Client, first: u16) -> Self {
        Self {
            reader: Reader::new(client),
            next: Some(first),
            seen: BTreeSet::new(),
            last: None,
        }
    }

    /// The next entry; `None` at the end of the log, and then always.
    ///
    /// Waits while the log is being erased. May be dropped at any time; the entry is then read again.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`DeviceError::Unsteady`](crate::device::DeviceError::Unsteady) if the log changes so fast
    /// that no entry can be read in parts.
    pub async fn next(&mut self, deadline: Instant) -> Result<Option<SelRecord>, Error> {
        let Some(id) = self.next else {
            return Ok(None);
        };
        let read = self.reader.read(id, deadline).await?;
        // The same entry under another ID is a walk that leads nowhere.
        let Some((record, next)) = read.filter(|(record, _)| self.last != Some(*record)) else {
            self.next = None;
            return Ok(None);
        };
        self.last = Some(record);
        self.seen.insert(match id {
            GetSelEntry::FIRST => record.id,
            id => id,
        });
        let is_end = matches!(next, GetSelEntry::FIRST | GetSelEntry::LAST);
        self.next = Some(next).filter(|next| !is_end && !self.seen.contains(next));
        Ok(Some(record))
    }

    /// Whether there may be another entry.
    pub(super) fn has_next(&self) -> bool {
        self.next.is_some()
    }
}
