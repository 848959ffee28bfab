//! The BMC's logical devices, each a procedure of several commands over a [`Client`](crate::Client).
