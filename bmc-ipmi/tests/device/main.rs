//! The BMC's logical devices through a real client, against the simulated BMC.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod identity;
mod setup;
