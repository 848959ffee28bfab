//! Running it: with a cluster, or without.

pub mod local;
