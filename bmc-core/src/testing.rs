//! For tests of providers and of programs that use them: a BMC in memory and the suite that every provider must pass.
//!
//! [`memory::MemoryBmc`] needs no network and obeys tokio's paused clock. [`conformance::all`] is what a provider of
//! yours should run against a BMC, or a simulation of one, that may be switched at will.

pub mod conformance;
pub mod memory;
