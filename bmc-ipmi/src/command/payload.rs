//! Payload commands, §24: who may use which payloads, and which are active.

mod channel_payload;
mod payload_activation_status;
mod payload_instance_info;
mod user_payload_access;

pub use channel_payload::{
    ChannelPayloadSupport, ChannelPayloadVersion, GetChannelPayloadSupport,
    GetChannelPayloadVersion,
};
pub use payload_activation_status::{GetPayloadActivationStatus, PayloadActivationStatus};
pub use payload_instance_info::{GetPayloadInstanceInfo, PayloadInstanceInfo};
pub use user_payload_access::{GetUserPayloadAccess, PayloadAccess, SetUserPayloadAccess};
