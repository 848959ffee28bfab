//! Reserve SDR Repository, §33.11.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks for a number that is valid until the repository changes; reading a part of a record needs it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReserveSdrRepository;

without_data!(ReserveSdrRepository, "Reserve SDR Repository");

impl Command for ReserveSdrRepository {
    type Response = SdrReservation;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x22;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A number that is valid until the repository changes or somebody else asks for one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SdrReservation {
    /// The number.
    pub id: u16,
}

impl Wire for SdrReservation {
    const NAME: &'static str = "Reserve SDR Repository response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let id = r.u16_le("reservation ID")?;
        Ok(Self { id })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.id);
    }
}
