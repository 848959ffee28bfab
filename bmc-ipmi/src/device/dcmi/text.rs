//! The controller's name.

use tokio::time::Instant;

use crate::command::{GetMcIdString, SetMcIdString};
use crate::device::Dcmi;
use crate::device::dcmi::invalid;
use crate::error::Error;

/// Most bytes of a part.
pub(super) const PART: u8 = 16;
/// Most bytes of a name, with the zero byte at its end.
const MOST: u8 = 64;

impl Dcmi {
    /// The controller's name: by default the one that it asks a DHCP server for an address with.
    ///
    /// # Errors
    /// As [`Client::execute`](crate::Client::execute).
    pub async fn mc_id(&self, deadline: Instant) -> Result<String, Error> {
        let mut name = Vec::new();
        while let Some((offset, count)) = next_part(name.len(), MOST, MOST) {
            let command = GetMcIdString { offset, count };
            let part = self.client.execute(&command, deadline).await?;
            let is_last = part.data.is_empty();
            name.extend(part.data);
            if is_last || name.contains(&0) || name.len() >= part.total.into() {
                break;
            }
        }
        let end = name.iter().position(|byte| *byte == 0);
        name.truncate(end.unwrap_or(name.len()));
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    /// Changes the controller's name.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a name longer than 63 bytes, or with other characters than printable ASCII: nothing was
    /// sent. Else as [`Client::execute`](crate::Client::execute); the name may be written in part.
    pub async fn set_mc_id(&self, name: &str, deadline: Instant) -> Result<(), Error> {
        if name.len() >= MOST.into() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            let reason = "must be at most 63 printable ASCII characters without blanks";
            return Err(invalid("controller's name", reason));
        }
        let mut bytes = name.as_bytes().to_vec();
        bytes.push(0);
        for (offset, part) in parts(&bytes) {
            let data = part.to_vec();
            let command = SetMcIdString { offset, data };
            self.client.execute(&command, deadline).await?;
        }
        Ok(())
    }
}

/// Offset and length of the part to read next, if `received` bytes of `total` are there and `most` can be read.
pub(super) fn next_part(received: usize, total: u8, most: u8) -> Option<(u8, u8)> {
    let offset = u8::try_from(received).ok()?;
    let left = total.min(most).checked_sub(offset)?;
    (left > 0).then(|| (offset, left.min(PART)))
}

/// Text in parts to write one after the other; no text is one empty part.
pub(super) fn parts(text: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let size = usize::from(PART);
    let count = text.len().div_ceil(size).max(1);
    (0..count).filter_map(move |index| {
        let rest = text.get(index * size..)?;
        let offset = u8::try_from(index * size).ok()?;
        Some((offset, rest.get(..size).unwrap_or(rest)))
    })
}
