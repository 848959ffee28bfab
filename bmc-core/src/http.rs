//! HTTP for the providers that speak it: one client with the limits that a BMC wants.
//!
//! An [`HttpClient`] sends a request once and reads the whole answer. It follows no redirect, repeats nothing, believes no
//! `Content-Length`, unpacks gzip, and stops at a deadline and at a size. Its errors name the origin of the peer and never
//! the rest of a URL, because that may hold a secret.
//!
//! Cheap to clone. BMCs with the same [`HttpOptions`] should share one client: it holds the root certificates.
//!
//! ```
//! use std::time::Duration;
//!
//! use bmc_core::TlsPolicy;
//! use bmc_core::http::HttpOptions;
//!
//! let client = HttpOptions::new()
//!     .tls(TlsPolicy::DangerousAcceptAny)
//!     .connect_timeout(Duration::from_secs(3))
//!     .build()?;
//! # Ok::<(), bmc_core::http::HttpConfigError>(())
//! ```

mod client;
mod error;
mod options;
mod tls;

pub use client::HttpClient;
pub use error::{Cause, HttpConfigError, HttpError};
pub use options::HttpOptions;
