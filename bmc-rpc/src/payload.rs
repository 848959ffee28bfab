//! The JSON that goes back and forth, both directions of it.

mod request;
mod response;

pub use request::{Call, InvalidRequest, Request};
pub use response::{Failure, InvalidResponse, Response};
