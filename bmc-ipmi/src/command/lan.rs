//! LAN configuration, §23.

mod get_ip_statistics;
mod get_lan_configuration;
mod ipv6;
mod parameter;
mod parts;
mod set_lan_configuration;
mod setting;
mod suspend_arps;

pub use get_ip_statistics::{GetIpStatistics, IpStatistics};
pub use get_lan_configuration::GetLanConfiguration;
pub use ipv6::{Ipv6Address, Ipv6AddressStatus, Ipv6Limits, Ipv6Source};
pub use parameter::LanParameter;
pub use parts::{
    AlertDestination, AlertDestinationAddress, AlertDestinationVlan, BadPasswordThreshold,
    InvalidMacAddress, Ipv4Source, MacAddress, VlanId,
};
pub use set_lan_configuration::SetLanConfiguration;
pub use setting::LanSetting;
pub use suspend_arps::{ArpSuspension, SuspendArps};
