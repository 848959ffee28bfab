//! Keys and codes of RMCP+ sessions: pure functions, no I/O, no randomness.
//!
//! | File | Subject | § |
//! |---|---|---|
//! | [`suite`] | cipher suites | 22.15.2 |
//! | [`rakp`] | codes and key of the handshake | 13.31 |
//! | [`keys`] | K1, K2 and their prepared forms | 13.32 |
//! | [`packet`] | sealing and opening a session's datagrams | 13.6, 13.28 |
//! | [`v15`] | AuthCodes of IPMI v1.5 | 22.17.1 |
//! | `integrity`, `confidentiality`, `mac` | the algorithms | 13.28.4, 13.28.5 |

mod confidentiality;
mod integrity;
pub mod keys;
mod mac;
pub mod packet;
pub mod rakp;
pub mod suite;
pub mod v15;

pub use keys::SessionKeys;
pub use packet::{OpenError, Opened, open, seal};
pub use rakp::RakpContext;
pub use suite::CipherSuite;
pub use v15::KeyedAuth;
