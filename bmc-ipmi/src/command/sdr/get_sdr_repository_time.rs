//! Get SDR Repository Time, §33.17.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, Timestamp};

/// Asks for the clock by which the repository dates its changes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSdrRepositoryTime;

without_data!(GetSdrRepositoryTime, "Get SDR Repository Time");

impl Command for GetSdrRepositoryTime {
    type Response = SdrRepositoryTime;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x28;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The clock of the repository.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SdrRepositoryTime {
    /// Now.
    pub time: Timestamp,
}

impl Wire for SdrRepositoryTime {
    const NAME: &'static str = "Get SDR Repository Time response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let time = Timestamp(r.u32_le("time")?);
        Ok(Self { time })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.time.0);
    }
}
