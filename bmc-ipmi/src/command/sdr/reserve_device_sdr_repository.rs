//! Reserve Device SDR Repository, §35.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::SdrReservation;
use crate::wire::{NetFn, Privilege};

/// Asks for a number that is valid until the device's records change.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReserveDeviceSdrRepository;

without_data!(ReserveDeviceSdrRepository, "Reserve Device SDR Repository");

impl Command for ReserveDeviceSdrRepository {
    type Response = SdrReservation;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x22;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}
