//! SOL: its configuration, §26, and its activation, §24.1 and §24.2.

mod activate_payload;
mod deactivate_payload;
mod get_sol_configuration;
mod set_sol_configuration;
mod setting;

pub use activate_payload::{ActivatePayload, ActivatedPayload, SolActivation};
pub use deactivate_payload::DeactivatePayload;
pub use get_sol_configuration::GetSolConfiguration;
pub use set_sol_configuration::SetSolConfiguration;
pub use setting::{SolAuthentication, SolBitRate, SolParameter, SolSetting};
