//! The simulated BMC in virtual time, driven by a console written out by hand: every refusal, limit and fault.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod abilities;
mod console;
mod faults;
mod handshake;
mod server;
mod session;
