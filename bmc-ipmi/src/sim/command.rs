//! What the BMC does with each command: a room for each chapter of the specification.

mod app;
mod chassis;
mod message;
mod session;
