//! What the BMC does with each command: a room for each chapter of the specification.

mod app;
mod channel;
mod chassis;
mod message;
mod session;
mod user;
mod watchdog;
