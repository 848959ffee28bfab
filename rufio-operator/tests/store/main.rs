//! What every store promises, in one table: kept by the store in memory and by the one over a real kube-apiserver.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod apiserver;
mod contract;
mod kube;
mod memory;
