//! Running it: with a cluster, or without.

pub mod leader;
pub mod local;
pub mod shutdown;
