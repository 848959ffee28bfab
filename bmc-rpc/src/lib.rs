//! Power and boot of machines by signed webhooks, and by Home Assistant.
//!
//! Not everything that can be switched has a BMC: power sockets, hypervisors, smart plugs, a relay on a shelf. What they
//! have is somebody who can write twenty lines that answer HTTP. This crate asks those twenty lines. It speaks the `rpc`
//! protocol of bmclib and Tinkerbell Rufio, whose consumers it serves without a change, and repairs what is wrong with it.
//!
//! ```text
//!  Bmc ──> RpcProvider ── POST, JSON, HMAC ──> consumer ──> PDU, hypervisor, plug     [server: verify the request]
//!      └─> HomeAssistantProvider ── REST ──> Home Assistant ──> switch entity
//! ```
//!
//! ```no_run
//! use bmc_core::{Bmc, BootDevice, BootOverride, PowerAction};
//! use bmc_rpc::{Algorithm, Keys, RpcProvider};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let provider = RpcProvider::builder("https://consumer.example/hook", "vm-7")
//!     .keys(Keys::new().secret(Algorithm::Sha256, bmc_core::Secret::new(std::fs::read("secret")?)))
//!     .build()?;
//! let bmc = Bmc::builder().provider(provider).build();
//! bmc.set_boot_override(BootOverride::once(BootDevice::Pxe)).await?;
//! bmc.set_power(PowerAction::On).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # On the wire
//!
//! One HTTP request a call. The body is compact JSON, its members in this order:
//!
//! | Method | Body | Result |
//! |---|---|---|
//! | `ping`, once a session | `{"id":1,"host":"vm-7","method":"ping"}` | not looked at |
//! | `getPowerState` | `{"id":2,"host":"vm-7","method":"getPowerState"}` | `"on"` or `"off"` |
//! | `setPowerState` | `…,"params":{"state":"on"}}`, or `off`, `soft`, `cycle`, `reset` | not looked at |
//! | `setBootDevice` | `…,"params":{"device":"pxe","persistent":false,"efiBoot":true}}` | not looked at |
//! | `setVirtualMedia` | `…,"params":{"mediaUrl":"http://…/a.iso","kind":"CD"}}`; an empty URL ejects | not looked at |
//!
//! A header carries the time, and one for each algorithm the signatures: the hexadecimal HMAC of the body followed by the
//! values of the signed headers, for each secret, joined by commas. See [`Scheme`].
//!
//! ```text
//! X-BMCLIB-Timestamp: 2023-11-14T22:13:20Z
//! X-BMCLIB-Signature-256: sha256=999d2e13…746b,sha256=9c307f48…cc4d
//! ```
//!
//! The answer is any status from 200 to 299 and `{"id":2,"host":"vm-7","result":"on"}`; `id` and `host` may be missing, and
//! so may the whole body where no result is asked for. `"error":{"code":1,"message":"why"}` says that nothing was done. Upper
//! and lower case are the same in the names of members.
//!
//! The `id` names the action. It is the same when an action is sent again (see [`bmc_core::ForAction`]), so that a consumer
//! that has done it can answer without doing it twice.
//!
//! # Where it differs from bmclib
//!
//! | | bmclib 2.3 | here |
//! |---|---|---|
//! | several signed headers | in random order, so that signatures fail at random | in the configured order |
//! | timestamp | in local time, not signed unless configured | UTC, signed |
//! | unknown algorithm, missing or empty secret | sent unsigned, or signed with nothing | refused when built |
//! | status 201, 202, 204; chunked or packed answers | failures | successes |
//! | an `error` in the answer to `ping` | ignored | the session is refused |
//! | `id` or `host` of another request | ignored | an error |
//! | redirect | followed, POST becomes GET | an error |
//! | static headers of HTTP itself, of the timestamp or of signatures | left out, or sent twice | refused when built |
//! | logs | all headers, with tokens and signatures | neither headers nor bodies |
//! | `setVirtualMedia` | defined, never sent | sent |
//! | `id` | beyond 2^53, which JavaScript rounds | exact everywhere |
//!
//! # Rufio's fields
//!
//! | `providerOptions.rpc` | Here |
//! |---|---|
//! | `consumerURL` | [`RpcProvider::builder`] |
//! | `logNotificationsDisabled` | [`log_notifications`](RpcProviderBuilder::log_notifications), negated |
//! | `request.httpMethod` | [`http_method`](RpcProviderBuilder::http_method) |
//! | `request.httpContentType` | [`http_content_type`](RpcProviderBuilder::http_content_type) |
//! | `request.staticHeaders` | [`static_headers`](RpcProviderBuilder::static_headers) |
//! | `request.timestampHeader` | [`Scheme::timestamp_header`] |
//! | `request.timestampFormat` | [`Scheme::timestamp_format`] |
//! | `signature.headerName` | [`Scheme::signature_header`] |
//! | `signature.appendAlgoToHeaderDisabled` | [`Scheme::algorithm_in_header`], negated |
//! | `signature.includedPayloadHeaders` | [`Scheme::signed_headers`] |
//! | `hmac.prefixSigDisabled` | [`Scheme::algorithm_in_signature`], negated |
//! | `hmac.secrets` | [`Keys::named`] |
//! | `experimental.customRequestPayload`, `experimental.dotPath` | [`custom_payload`](RpcProviderBuilder::custom_payload) |
//!
//! [`Scheme::rufio`] is what Rufio sends whatever is configured; fields that Rufio ignores work here.
//!
//! | `providerOptions.homeassistant` | Here |
//! |---|---|
//! | `switchEntityID` | [`HomeAssistantProvider::builder`](home_assistant::HomeAssistantProvider::builder) |
//! | `powerOperationDelaySeconds` | [`operation_delay`](home_assistant::HomeAssistantBuilder::operation_delay) |
//!
//! # Features
//!
//! | Feature | Default | What it adds |
//! |---|---|---|
//! | `server` | no | [`server`]: verify requests and drop repeats, for consumers in Rust |
//! | `sim` | no | [`sim`]: simulated peers on TCP |
//! | `fuzzing` | no | the entry points of the fuzz targets |
//!
//! How to write a consumer in shell, Python or Rust: [`recipes`].

mod algorithm;
mod client;
mod config;
pub mod dot_path;
mod error;
mod exchange;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
pub mod home_assistant;
mod payload;
mod provider;
pub mod recipes;
mod scheme;
#[cfg(feature = "server")]
pub mod server;
mod sign;
#[cfg(feature = "sim")]
pub mod sim;
mod timestamp;

pub use algorithm::{Algorithm, Keys};
pub use config::ConfigError;
pub use error::Error;
pub use payload::{Call, Failure, InvalidRequest, InvalidResponse, Request, Response};
pub use provider::{RpcProvider, RpcProviderBuilder};
pub use scheme::Scheme;
pub use sign::Signer;
pub use timestamp::Layout;
