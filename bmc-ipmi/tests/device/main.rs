//! The BMC's logical devices through a real client, against the simulated BMC.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../support/alerts.rs"]
mod alerts;
mod bridging;
mod chassis;
mod dcmi;
#[path = "../support/events.rs"]
mod events;
mod fru;
mod identify;
mod identity;
mod inventory;
mod lan;
mod pef;
mod reset;
mod sdr_repository;
mod sel;
mod sensors;
mod setup;
mod sol;
mod sol_configuration;
mod users;
mod watchdog;
