//! Channel commands, §22.22 to §22.25.

mod channel_access;
mod get_channel_info;
mod set_channel_security_keys;

pub use channel_access::{
    AccessMode, AccessSource, ChannelAccess, GetChannelAccess, SetChannelAccess,
};
pub use get_channel_info::{
    ChannelInfo, ChannelMedium, ChannelProtocol, GetChannelInfo, SessionSupport,
};
pub use set_channel_security_keys::{
    ChannelKey, ChannelSecurityKeys, KeyLock, KeyOperation, SetChannelSecurityKeys,
};
