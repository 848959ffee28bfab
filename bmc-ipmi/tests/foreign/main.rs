//! The simulated BMC against clients that are no part of this project: ipmitool, FreeIPMI's programs, go-ipmi's
//! goipmi and pyghmi.
//!
//! `.ci/peers/install openipmi goipmi pyghmi` gets them, `peers` finds them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr
)]

mod administration;
#[path = "../support/alerts.rs"]
mod alerts;
mod console;
mod event_log;
mod fru;
mod goipmi;
#[path = "../device/inventory.rs"]
mod inventory;
mod ipmipower;
mod ipmitool;
mod lan;
mod pyghmi;
mod record_samples;
mod sensors;
#[path = "../support/spoken.rs"]
mod spoken;
mod suites;
mod tool;
