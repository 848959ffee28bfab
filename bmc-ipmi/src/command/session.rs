//! What opens, raises and closes a session, §22.

mod activate_session;
pub mod cipher_suite_records;
mod close_session;
mod get_channel_auth_capabilities;
mod get_channel_cipher_suites;
mod get_session_challenge;
mod get_session_info;
mod set_session_privilege_level;

pub use activate_session::{ActivateSession, ActivatedSession};
pub use close_session::CloseSession;
pub use get_channel_auth_capabilities::{ChannelAuthCapabilities, GetChannelAuthCapabilities};
pub use get_channel_cipher_suites::{ChannelCipherSuites, GetChannelCipherSuites};
pub use get_session_challenge::{GetSessionChallenge, SessionChallenge};
pub use get_session_info::{ActiveSession, ConsoleAddress, GetSessionInfo, SessionInfo};
pub use set_session_privilege_level::SetSessionPrivilegeLevel;
