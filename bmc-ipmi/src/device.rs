//! The BMC's logical devices, each a procedure of several commands over a [`Client`](crate::Client).

mod dcmi;
mod sdr_repository;
mod sensors;

pub use dcmi::{Dcmi, DcmiInfo};
pub use sdr_repository::{SdrCache, SdrRecords, SdrRepository};
pub use sensors::Sensors;
