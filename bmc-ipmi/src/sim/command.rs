//! What the BMC does with each command: a room for each chapter of the specification.

mod app;
mod channel;
mod chassis;
mod dcmi;
mod event;
mod fru;
mod lan;
mod message;
mod sdr;
mod sel;
mod sensor;
mod session;
mod sol;
mod user;
mod watchdog;
