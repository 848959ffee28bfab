//! The consumer's side: for authors of webhooks that switch machines.
//!
//! * [`Verifier`] tells whether a request comes from somebody who knows a secret, and is fresh. A function over headers and
//!   bytes, and with [`Verifier::layer`] a tower layer for axum and its kin.
//! * [`Request`](crate::Request) and [`Response`](crate::Response) are what the bodies hold.
//! * [`Repeats`] remembers what was done, so that a request that comes twice is carried out once.
//!
//! ```
//! use std::time::{Duration, SystemTime};
//!
//! use bmc_rpc::server::{Begin, Repeats, Verifier};
//! use bmc_rpc::{Algorithm, Call, Keys, Request, Response, Scheme};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let verifier = Verifier::builder(Keys::new().secret(Algorithm::Sha256, "superSecret1"))
//!     .scheme(Scheme::rufio())
//!     .build()?;
//! let repeats = Repeats::default();
//!
//! // What the web framework hands over:
//! let body = br#"{"id":1700000000000000001,"host":"10.0.0.5","method":"ping"}"#;
//! let mut headers = http::HeaderMap::new();
//! headers.insert("x-rufio-timestamp", "2023-11-14T22:13:20Z".parse()?);
//! headers.insert(
//!     "x-rufio-signature-256",
//!     "sha256=999d2e13b0e1d8de013bf765951721228cc24698e017a9d3f9f5513bbdee746b".parse()?,
//! );
//! # let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_003);
//!
//! verifier.verify(&headers, body, now)?;
//! let request = Request::from_json(body)?;
//! let (status, response) = match repeats.begin(&request, now) {
//!     Begin::Again(response) => (200, response),
//!     // With status 200 an error would promise that nothing is done.
//!     Begin::Running => (503, Response::failure(&request, 503, "this action is under way")),
//!     Begin::Full => (429, Response::failure(&request, 429, "too many actions")),
//!     Begin::First(turn) => {
//!         let response = match &request.call {
//!             Call::Ping => Response::done(&request),
//!             other => Response::failure(&request, 501, format!("no method {}", other.method())),
//!         };
//!         turn.end(&response);
//!         (200, response)
//!     }
//! };
//! assert_eq!((status, response), (200, Response::done(&request)));
//! # Ok(())
//! # }
//! ```

mod layer;
mod repeats;
mod verifier;

pub use layer::{Verify, VerifyLayer};
pub use repeats::{Begin, Repeats, Turn};
pub use verifier::{Verifier, VerifierBuilder, VerifyError};
