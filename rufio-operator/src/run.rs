//! Running it: with a cluster, or without.

pub mod admin;
mod behaviour;
pub mod cluster;
pub mod leader;
pub mod local;
pub mod shutdown;
