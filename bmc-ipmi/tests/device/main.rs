//! The BMC's logical devices through a real client, against the simulated BMC.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod bridging;
mod identify;
mod identity;
mod reset;
mod setup;
