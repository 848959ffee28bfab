//! The BMC's logical devices, each a procedure of several commands over a [`Client`](crate::Client).

mod dcmi;
mod sdr_repository;
mod sensors;

pub use dcmi::{Dcmi, DcmiInfo};
pub use sdr_repository::{SdrCache, SdrRecords, SdrRepository};
pub use sensors::Sensors;
mod error;
mod fru;
mod sel;

pub use error::DeviceError;
pub use fru::{FruStorage, LocatedFru};
pub use sel::{MarkerError, Sel, SelEntries, SelMarker, SelPage};
