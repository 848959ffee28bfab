//! The clients against peers in Python that follow only the wire description, and the consumers of the recipes.
//!
//! Needs `python3`, `openssl` and `jq`, see `peers`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod home_assistant;
mod recipes;
mod webhook;
