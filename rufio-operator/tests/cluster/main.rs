//! The program against a real kube-apiserver and BMCs that nobody here wrote.
//!
//! Needs the programs that `.ci/peers/install` gets; without them the tests say so and pass, except where `CI` is set.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod apiserver;
mod crash;
mod election;
mod failures;
mod golden;
mod install;
mod lease;
mod operator;
mod race;
#[path = "../support/relay.rs"]
mod relay;
mod rights;
mod walkthrough;
mod webhook;
