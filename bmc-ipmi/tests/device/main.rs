//! The BMC's logical devices through a real client, against the simulated BMC.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod bridging;
mod chassis;
mod dcmi;
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
