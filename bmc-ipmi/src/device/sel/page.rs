//! What is new in the log.

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{GetSelEntry, GetSelInfo};
use crate::error::Error;
use crate::record::sel::SelRecord;

use super::reader::Reader;
use super::{SelEntries, SelMarker};

/// A part of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct SelPage {
    /// The entries, oldest first.
    pub records: Vec<SelRecord>,
    /// The place behind the last of them.
    pub marker: SelMarker,
    /// Whether there are more.
    pub more: bool,
    /// Whether the place to go on from was gone: these entries are from the begin of the log, and some before them may
    /// have been missed.
    pub restarted: bool,
}

pub(super) async fn read(
    client: &Client,
    marker: Option<&SelMarker>,
    limit: usize,
    deadline: Instant,
) -> Result<SelPage, Error> {
    // Before the entries: what is added meanwhile makes the next answer differ from this one.
    let info = client.execute(&GetSelInfo, deadline).await?;
    let last = marker.and_then(|marker| marker.last);
    if let Some(marker) = marker.filter(|marker| marker.info == Some(info)) {
        return Ok(SelPage {
            records: Vec::new(),
            marker: *marker,
            more: false,
            restarted: false,
        });
    }
    let first = match last {
        None => Some(GetSelEntry::FIRST),
        Some(last) => behind(client, &last, deadline).await?,
    };
    let restarted = first.is_none();
    let mut records = Vec::new();
    let mut more = false;
    let first = first.unwrap_or(GetSelEntry::FIRST);
    if first != GetSelEntry::LAST && info.entries > 0 {
        let mut entries = SelEntries::new(client, first);
        while records.len() < limit {
            match entries.next(deadline).await? {
                Some(record) => records.push(record),
                None => break,
            }
        }
        more = entries.has_next();
    }
    let marker = SelMarker {
        info: (!more).then_some(info),
        last: records
            .last()
            .copied()
            .or_else(|| last.filter(|_| !restarted)),
    };
    Ok(SelPage {
        records,
        marker,
        more,
        restarted,
    })
}

/// The ID behind an entry; `None` if the log no longer has it.
async fn behind(
    client: &Client,
    last: &SelRecord,
    deadline: Instant,
) -> Result<Option<u16>, Error> {
    let read = Reader::new(client).read(last.id, deadline).await?;
    let next = read
        .filter(|(record, _)| record == last)
        .map(|(_, next)| next);
    Ok(next.map(|next| match next {
        // An entry behind which comes itself, or the alias of the first, is the last.
        GetSelEntry::FIRST => GetSelEntry::LAST,
        next if next == last.id => GetSelEntry::LAST,
        next => next,
    }))
}
