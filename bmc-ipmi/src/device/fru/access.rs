//! Reading and writing the memory of a FRU device in parts that it can take.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::client::Client;
use crate::command::{FruAccess, ReadFruData, WriteFruData};
use crate::error::Error;
use crate::wire::CompletionCode;

use super::DeviceError;

/// Reads and writes parts, as large as the BMC has shown that it can take.
#[derive(Debug)]
pub(super) struct Access {
    client: Client,
    device: u8,
    unit: usize,
    /// Bytes to read or write at once.
    chunk: usize,
}

/// Bytes that every BMC should take in one message.
const CHUNK: usize = 32;
/// Bytes that pass through an IPMB in one message.
const BRIDGED_CHUNK: usize = 16;
/// Pause before a busy device is asked again.
const PAUSE: Duration = Duration::from_millis(20);

impl Access {
    pub(super) fn new(client: &Client, device: u8, access: FruAccess) -> Self {
        Self {
            client: client.clone(),
            device,
            unit: access.unit().into(),
            chunk: match client.target().bridge() {
                None => CHUNK,
                Some(_) => BRIDGED_CHUNK,
            },
        }
    }

    /// At most `wanted` bytes from `offset` on, which is a multiple of the unit; none at the end of the device.
    pub(super) async fn read(
        &mut self,
        offset: usize,
        wanted: usize,
        deadline: Instant,
    ) -> Result<Vec<u8>, Error> {
        loop {
            let units = self.chunk.min(wanted).div_ceil(self.unit);
            let read = ReadFruData {
                device: self.device,
                offset: self.units(offset),
                count: u8::try_from(units).unwrap_or(u8::MAX),
            };
            let error = match self.client.execute(&read, deadline).await {
                Ok(mut part) => {
                    // The count is wrong on BMCs that mix up bytes and words; the data is what it is.
                    let whole = part.data.len() / self.unit * self.unit;
                    part.data.truncate(whole.min(units * self.unit).min(wanted));
                    return Ok(part.data);
                }
                Err(error) => error,
            };
            match error.completion() {
                Some(CompletionCode::OUT_OF_RANGE) if offset > 0 => return Ok(Vec::new()),
                Some(ReadFruData::BUSY) => pause(deadline).await?,
                _ => self.shrink(error)?,
            }
        }
    }

    /// Writes all of `data`.
    pub(super) async fn write(
        &mut self,
        offset: usize,
        data: &[u8],
        deadline: Instant,
    ) -> Result<(), Error> {
        let mut written = 0;
        while let Some(rest) = data.get(written..).filter(|rest| !rest.is_empty()) {
            let part = rest.get(..self.chunk).unwrap_or(rest);
            let write = WriteFruData {
                device: self.device,
                offset: self.units(offset + written),
                data: part.to_vec(),
            };
            let error = match self.client.execute(&write, deadline).await {
                // A count of 0 or too much is no count.
                Ok(done) if (1..=part.len() / self.unit).contains(&done.count.into()) => {
                    written += usize::from(done.count) * self.unit;
                    continue;
                }
                Ok(_) => {
                    written += part.len();
                    continue;
                }
                Err(error) => error,
            };
            match error.completion() {
                Some(WriteFruData::BUSY) => pause(deadline).await?,
                _ => self.shrink(error)?,
            }
        }
        Ok(())
    }

    /// Goes on with smaller parts if the BMC could not take this one.
    fn shrink(&mut self, error: Error) -> Result<(), Error> {
        let too_long = matches!(
            error.completion(),
            Some(
                CompletionCode::TRUNCATED
                    | CompletionCode::INVALID_LENGTH
                    | CompletionCode::LENGTH_EXCEEDED
                    | CompletionCode::CANNOT_RETURN_LENGTH
                    | CompletionCode::UNSPECIFIED
            )
        );
        if !too_long || self.chunk <= self.unit {
            return Err(error);
        }
        self.chunk /= 2;
        Ok(())
    }

    fn units(&self, bytes: usize) -> u16 {
        u16::try_from(bytes / self.unit).unwrap_or(u16::MAX)
    }
}

async fn pause(deadline: Instant) -> Result<(), Error> {
    let until = Instant::now() + PAUSE;
    if until >= deadline {
        return Err(DeviceError::Busy("FRU device").into());
    }
    sleep_until(until).await;
    Ok(())
}
