//! The unit tests inside the programs: `cargo test` builds an example either to be run or to be tested, not both.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../bmc/main.rs"]
mod bmc;
#[path = "../virtual-bmc/main.rs"]
mod virtual_bmc;
