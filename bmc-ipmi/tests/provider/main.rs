//! bmc-core's capabilities over IPMI, against simulated BMCs on loopback.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod arguments;
mod bmc_control;
mod boot;
mod console;
mod event_log;
#[path = "../support/events.rs"]
mod events;
mod identify;
mod inventory;
mod power;
mod raw;
mod sensors;
mod setup;
mod users;
