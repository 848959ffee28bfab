//! Messages to other controllers, §6.13 and §22.7.

mod send_message;

pub use send_message::{Forwarded, SendMessage};
