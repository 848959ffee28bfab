//! What the example programs share: reading durations and passwords.
//!
//! The programs themselves: `bmc` (one command against real BMCs), `virtual-bmc` (simulated BMCs to try it on) and
//! `quickstart` (both ends in one process). Start each with `cargo run --release --example NAME -- --help`.

pub mod duration;
pub mod password;

/// The code of README.md compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
