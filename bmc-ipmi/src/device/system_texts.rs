//! Texts about the system that software leaves at the BMC.

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{GetSystemInfo, SetSystemInfo, SystemInfoParameter};
use crate::error::Error;
use crate::record::text;

/// Texts about the system, such as its name and its operating system: software on the host leaves them at the BMC.
///
/// A BMC without them refuses with a code of kind [`Unsupported`](bmc_core::ErrorKind::Unsupported), or with
/// [`GetSystemInfo::UNSUPPORTED`].
#[derive(Clone, Debug)]
pub struct SystemTexts {
    client: Client,
}

/// Text in the first block, behind its number, the encoding and the length.
const FIRST: usize = 14;
/// Text in each other block, behind its number.
const OTHER: usize = 16;
/// The length is one byte.
const LONGEST: usize = 255;
const LATIN_1: u8 = 0;
const UTF_8: u8 = 1;
const UCS_2: u8 = 2;

impl SystemTexts {
    /// The texts of the client's target.
    pub fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
        }
    }

    /// Reads a text; empty if nobody has left one.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn read(
        &self,
        parameter: SystemInfoParameter,
        deadline: Instant,
    ) -> Result<String, Error> {
        let mut bytes = Vec::new();
        let (mut encoding, mut length) = (LATIN_1, 0);
        for set in 0..=u8::MAX {
            let command = GetSystemInfo::block(parameter, set);
            let block = self.client.execute(&command, deadline).await?.data;
            let text = match (set, block.as_slice()) {
                (0, [_, first, second, text @ ..]) => {
                    (encoding, length) = (first & 0x0f, usize::from(*second));
                    text
                }
                (_, [_, text @ ..]) => text,
                _ => &[],
            };
            bytes.extend_from_slice(text);
            if bytes.len() >= length || text.is_empty() {
                break;
            }
        }
        bytes.truncate(length);
        Ok(decode(encoding, &bytes))
    }

    /// Leaves a text.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if it is longer than 255 bytes: nothing was sent. Else as [`Client::execute`].
    pub async fn write(
        &self,
        parameter: SystemInfoParameter,
        text: &str,
        deadline: Instant,
    ) -> Result<(), Error> {
        let length = u8::try_from(text.len()).map_err(|_| Error::InvalidInput {
            field: "text",
            reason: format!("is {} bytes long: {LONGEST} are allowed", text.len()),
        })?;
        let encoding = if text.is_ascii() { LATIN_1 } else { UTF_8 };
        let (first, rest) = text.as_bytes().split_at(text.len().min(FIRST));
        self.write_block(parameter, &[0, encoding, length], first, FIRST, deadline)
            .await?;
        for (number, block) in (1..=u8::MAX).zip(rest.chunks(OTHER)) {
            self.write_block(parameter, &[number], block, OTHER, deadline)
                .await?;
        }
        Ok(())
    }

    async fn write_block(
        &self,
        parameter: SystemInfoParameter,
        header: &[u8],
        text: &[u8],
        size: usize,
        deadline: Instant,
    ) -> Result<(), Error> {
        let mut data = header.to_vec();
        data.extend_from_slice(text);
        data.resize(header.len() + size, 0);
        let command = SetSystemInfo { parameter, data };
        self.client.execute(&command, deadline).await
    }
}

fn decode(encoding: u8, bytes: &[u8]) -> String {
    match encoding {
        UTF_8 => String::from_utf8_lossy(bytes).into_owned(),
        UCS_2 => text::utf16(bytes),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}
