//! The messages of IPMI over LAN, one a file: types, encoding and decoding. No I/O.
//!
//! Section numbers ("§") are those of the IPMI v2.0 specification, revision 1.1.
//!
//! | File | Message | § |
//! |---|---|---|
//! | [`rmcp`] | RMCP header | 13.1.3 |
//! | [`asf`] | ASF presence ping and pong | 13.2.3 |
//! | [`session_v15`], [`auth_type`] | IPMI v1.5 session header | 13.6 |
//! | [`session`] | RMCP+ (v2.0) session header | 13.6 |
//! | [`payload`] | payload types | 13.27.3 |
//! | [`lan`] | IPMI LAN request and response | 13.8 |
//! | [`open_session`] | RMCP+ Open Session Request and Response | 13.17, 13.18 |
//! | [`rakp1`] … [`rakp4`] | RAKP Messages 1 to 4 | 13.20 to 13.23 |
//! | [`sol`] | SOL payload header | 15.9 |
//! | [`refusal`] | the error forms of those responses | 13.18 to 13.23 |
//! | [`status`] | RMCP+ status codes | 13.24 |
//! | [`algorithm`] | authentication, integrity and confidentiality algorithms | 13.28 |
//! | [`netfn`], [`completion`], [`privilege`] | code tables | 5.1, 5.2, 6.8 |
//! | [`entity`], [`sensor_type`], [`event_type`], [`threshold`] | what sensors belong to, watch and say | 39, 42, 35 |
//! | [`timestamp`] | the time of events and of changes | 37 |
//!
//! Values of code tables are open newtypes: an unknown value survives decoding and encoding.

pub mod algorithm;
pub mod asf;
pub mod auth_code;
pub mod auth_type;
pub mod completion;
pub mod entity;
pub mod event_type;
pub mod lan;
pub mod netfn;
pub mod open_session;
pub mod payload;
pub mod privilege;
pub mod rakp1;
pub mod rakp2;
pub mod rakp3;
pub mod rakp4;
pub mod refusal;
pub mod rmcp;
pub mod sensor_type;
pub mod session;
pub mod session_v15;
pub mod sol;
pub mod status;
pub mod threshold;
pub mod timestamp;
pub mod username;

pub use algorithm::{AuthenticationAlgorithm, ConfidentialityAlgorithm, IntegrityAlgorithm};
pub use asf::{PresencePing, PresencePong};
pub use auth_code::AuthCode;
pub use auth_type::AuthType;
pub use completion::CompletionCode;
pub use entity::{Entity, EntityId};
pub use event_type::EventType;
pub use lan::{LanRequest, LanResponse};
pub use netfn::NetFn;
pub use open_session::{OpenSessionAccepted, OpenSessionRequest, OpenSessionResponse};
pub use payload::PayloadType;
pub use privilege::{Privilege, Role};
pub use rakp1::Rakp1;
pub use rakp2::{Rakp2, Rakp2Accepted};
pub use rakp3::Rakp3;
pub use rakp4::{Rakp4, Rakp4Accepted};
pub use refusal::Refusal;
pub use rmcp::{RmcpClass, RmcpHeader};
pub use sensor_type::SensorType;
pub use session::SessionHeader;
pub use session_v15::SessionV15;
pub use sol::{SolFlags, SolHeader};
pub use status::Status;
pub use threshold::{RawThresholds, Severity, Threshold, ThresholdMask};
pub use timestamp::Timestamp;
pub use username::Username;
