//! How the IPv4 address is to be configured.

use std::net::Ipv4Addr;

use super::invalid;
use crate::command::{Ipv4Source, LanSetting};
use crate::error::Error;

/// How the IPv4 address is to be configured. Checked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ipv4Plan(Plan);

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Plan {
    Dhcp,
    Fixed {
        address: Ipv4Addr,
        mask: Ipv4Addr,
        gateway: Option<Ipv4Addr>,
    },
}

impl Ipv4Plan {
    /// By DHCP.
    pub const DHCP: Self = Self(Plan::Dhcp);

    /// A fixed address in a network with a prefix of so many bits; without a gateway, the gateway stays as it is.
    ///
    /// # Errors
    /// No host can have the address, or the gateway is not in the same network.
    pub fn fixed(
        address: impl Into<Ipv4Addr>,
        prefix_length: u8,
        gateway: Option<Ipv4Addr>,
    ) -> Result<Self, Error> {
        let address = address.into();
        let Some(host_bits) = 32_u32
            .checked_sub(prefix_length.into())
            .filter(|bits| *bits < 32)
        else {
            let text = format!("{prefix_length} is not possible: use 1 to 32");
            return Err(invalid("prefix length", text));
        };
        let mask = Ipv4Addr::from(u32::MAX << host_bits);
        let network = |address: Ipv4Addr| address & mask;
        let is_host = |address: Ipv4Addr| {
            let is_end =
                host_bits > 1 && (address == network(address) || address | !mask == address);
            !(address.is_unspecified() || address.is_loopback() || address.is_multicast() || is_end)
        };
        if !is_host(address) {
            let text = format!("{address}/{prefix_length} is not possible: no host can have it");
            return Err(invalid("IPv4 address", text));
        }
        if let Some(gateway) = gateway
            && (!is_host(gateway) || gateway == address || network(gateway) != network(address))
        {
            let text = format!(
                "{gateway} is not possible: it must be another host of the network of {address}/{prefix_length}"
            );
            return Err(invalid("gateway", text));
        }
        Ok(Self(Plan::Fixed {
            address,
            mask,
            gateway,
        }))
    }

    /// In the order of writing: what may cut the session comes last.
    pub(super) fn settings(&self) -> Vec<LanSetting> {
        match self.0 {
            Plan::Dhcp => vec![LanSetting::Ipv4Source(Ipv4Source::DHCP)],
            Plan::Fixed {
                address,
                mask,
                gateway,
            } => gateway
                .map(LanSetting::Gateway)
                .into_iter()
                .chain([
                    LanSetting::SubnetMask(mask),
                    LanSetting::Ipv4Address(address),
                    LanSetting::Ipv4Source(Ipv4Source::STATIC),
                ])
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn impossible_plans_are_refused_by_name() {
        let refused = |address: [u8; 4], length, gateway: Option<[u8; 4]>| {
            let error = Ipv4Plan::fixed(address, length, gateway.map(Into::into)).unwrap_err();
            error.to_string()
        };
        for (address, length) in [
            ([0, 0, 0, 0], 24),
            ([127, 0, 0, 1], 8),
            ([224, 0, 0, 1], 24),
            ([192, 0, 2, 0], 24),
            ([192, 0, 2, 255], 24),
        ] {
            assert!(refused(address, length, None).contains("IPv4 address"));
        }
        for gateway in [[192, 0, 3, 1], [192, 0, 2, 7], [192, 0, 2, 255]] {
            assert!(refused([192, 0, 2, 7], 24, Some(gateway)).contains("gateway"));
        }
        for length in [0, 33] {
            assert!(refused([192, 0, 2, 7], length, None).contains("prefix length"));
        }
        // Point to point, RFC 3021.
        assert!(Ipv4Plan::fixed([192, 0, 2, 0], 31, None).is_ok());
        let plan = Ipv4Plan::fixed([10, 1, 2, 3], 20, None).unwrap();
        assert_eq!(
            plan.settings()[0],
            LanSetting::SubnetMask([255, 255, 240, 0].into())
        );
    }
}
