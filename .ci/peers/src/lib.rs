//! Programs that are no part of this project, found, started and stopped for the tests of its crates.
//!
//! `.ci/peers/install` gets them and `RUFIO_PEERS` names where it puts them: `bin/` in that directory comes before
//! `PATH`. A program that is missing, as all are where `RUFIO_PEERS` is not set, makes a test a skip that is seen, and a
//! failure where `CI` is set. A program that is there and does not start is always a failure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bmc;
mod find;
mod kubernetes;
mod process;

pub use bmc::{Bmc, GoIpmi, IpmiSim, Pyghmi};
pub use find::{file, program, skip};
pub use kubernetes::Kubernetes;
pub use process::Process;
