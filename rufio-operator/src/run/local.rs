//! Local mode.

pub mod manifest;
