//! The clients against peers in Python that follow only the wire description, and the consumers of the recipes.
//!
//! Needs `python3`, `openssl` and `sh`. Without them a test says so and passes, unless `CI` is set.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing
)]

mod home_assistant;
mod peers;
mod recipes;
mod webhook;
