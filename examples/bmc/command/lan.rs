//! `bmc lan`.

use std::error::Error;
use std::net::Ipv4Addr;

use async_trait::async_trait;
use bmc_ipmi::Client;
use bmc_ipmi::command::{LanSetting, THIS_CHANNEL};
use bmc_ipmi::device::{Ipv4Plan, LanConfiguration};
use bmc_ipmi::wire::Privilege;
use clap::Subcommand;
use serde::Serialize;
use tokio::time::Instant;

use super::super::table::or_na;
use super::ipmi::Result;
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum Lan {
    /// Addresses, gateway, VLAN and cipher suites of the channel that the command arrives on
    Show(Targets),
    /// Change the IPv4 address; the BMC may be gone from this one afterwards
    Ip(Ip),
    /// Put the channel on a VLAN
    Vlan(Vlan),
}

#[derive(Debug, clap::Args)]
pub struct Ip {
    /// `dhcp`, or an address with the length of its network's prefix, such as 192.0.2.17/24
    #[arg(value_name = "ADDRESS/PREFIX", value_parser = address)]
    address: Address,
    /// The default gateway; without it, it stays as it is
    #[arg(long)]
    gateway: Option<Ipv4Addr>,
    #[command(flatten)]
    of: Targets,
}

#[derive(Debug, clap::Args)]
pub struct Vlan {
    /// 1 to 4094, or `off`
    #[arg(value_name = "ID", value_parser = vlan)]
    id: VlanWord,
    #[command(flatten)]
    of: Targets,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Address {
    Dhcp,
    Fixed(Ipv4Addr, u8),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum VlanWord {
    Off,
    Id(u16),
}

#[async_trait(?Send)]
impl Request for Lan {
    fn name(&self) -> &'static str {
        match self {
            Self::Show(_) => "lan show",
            Self::Ip(_) => "lan ip",
            Self::Vlan(_) => "lan vlan",
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Show(of) => &of.targets,
            Self::Ip(ip) => &ip.of.targets,
            Self::Vlan(vlan) => &vlan.of.targets,
        }
    }

    fn prepare(&mut self) -> std::result::Result<(), Box<dyn Error>> {
        match self {
            Self::Ip(ip) if ip.address == Address::Dhcp && ip.gateway.is_some() => {
                Err("--gateway cannot be used with dhcp, which brings its own".into())
            }
            Self::Ip(ip) => Ok(ip.plan().map(drop)?),
            Self::Show(_) | Self::Vlan(_) => Ok(()),
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        let ask = async |client: &Client, deadline| self.ask(client, deadline).await;
        call.ask_ipmi(self.name(), ask).await
    }
}

impl Lan {
    async fn ask(&self, client: &Client, deadline: Instant) -> Result<Answer> {
        let lan = LanConfiguration::new(client, THIS_CHANNEL)?;
        match self {
            Self::Show(_) => return show(&lan, deadline).await,
            Self::Ip(ip) => lan.set_ipv4(&ip.plan()?, deadline).await?,
            Self::Vlan(vlan) => {
                let id = match vlan.id {
                    VlanWord::Off => None,
                    VlanWord::Id(id) => Some(id),
                };
                lan.set_vlan(id, deadline).await?;
            }
        }
        Ok(Answer::accepted())
    }
}

impl Ip {
    fn plan(&self) -> Result<Ipv4Plan> {
        match self.address {
            Address::Dhcp => Ok(Ipv4Plan::DHCP),
            Address::Fixed(address, prefix) => Ipv4Plan::fixed(address, prefix, self.gateway),
        }
    }
}

/// What people ask a LAN channel for.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    source: Option<String>,
    address: Option<String>,
    mask: Option<String>,
    mac: Option<String>,
    gateway: Option<String>,
    vlan: Option<u16>,
    ipv6: Vec<String>,
    cipher_suites: Vec<Suite>,
}

/// A cipher suite and the highest privilege with it.
#[derive(Debug, Serialize)]
struct Suite {
    id: u8,
    privilege: Option<String>,
}

async fn show(lan: &LanConfiguration, deadline: Instant) -> Result<Answer> {
    let mut shown = Shown::default();
    for setting in lan.read(deadline).await? {
        shown.note(&setting);
    }
    let suites = lan.cipher_suites(deadline).await?;
    shown.cipher_suites = suites.into_iter().map(suite).collect();
    Ok(Answer::new("lan", &shown, shown.words()))
}

impl Shown {
    fn note(&mut self, setting: &LanSetting) {
        match setting {
            LanSetting::Ipv4Source(source) => self.source = Some(source.to_string()),
            LanSetting::Ipv4Address(address) => self.address = Some(address.to_string()),
            LanSetting::SubnetMask(mask) => self.mask = Some(mask.to_string()),
            LanSetting::MacAddress(mac) => self.mac = Some(mac.to_string()),
            LanSetting::Gateway(gateway) => self.gateway = Some(gateway.to_string()),
            LanSetting::VlanId(vlan) => self.vlan = vlan.enabled.then_some(vlan.id),
            LanSetting::Ipv6StaticAddress(ipv6) | LanSetting::Ipv6DynamicAddress(ipv6)
                if !ipv6.address.is_unspecified() =>
            {
                self.ipv6
                    .push(format!("{}/{}", ipv6.address, ipv6.prefix_length));
            }
            _ => {}
        }
    }

    fn words(&self) -> String {
        let vlan = self.vlan.map_or_else(|| "off".into(), |id| id.to_string());
        let suites = self
            .cipher_suites
            .iter()
            .map(|suite| match &suite.privilege {
                Some(privilege) => format!("{} ({privilege})", suite.id),
                None => format!("{} (not used)", suite.id),
            });
        let mut lines = vec![
            format!("source        : {}", or_na(self.source.as_ref())),
            format!("address       : {}", or_na(self.address.as_ref())),
            format!("mask          : {}", or_na(self.mask.as_ref())),
            format!("MAC address   : {}", or_na(self.mac.as_ref())),
            format!("gateway       : {}", or_na(self.gateway.as_ref())),
            format!("VLAN          : {vlan}"),
        ];
        lines.extend(
            self.ipv6
                .iter()
                .map(|address| format!("IPv6 address  : {address}")),
        );
        lines.push(format!(
            "cipher suites : {}",
            suites.collect::<Vec<_>>().join(", ")
        ));
        lines.join("\n")
    }
}

fn suite((id, privilege): (u8, Privilege)) -> Suite {
    let can_be_used = privilege != Privilege::HIGHEST;
    Suite {
        id,
        privilege: can_be_used.then(|| privilege.to_string()),
    }
}

fn address(text: &str) -> std::result::Result<Address, String> {
    if text.eq_ignore_ascii_case("dhcp") {
        return Ok(Address::Dhcp);
    }
    let form = || format!("{text:?} is not of the form 192.0.2.17/24, nor is it dhcp");
    let (address, prefix) = text.split_once('/').ok_or_else(form)?;
    let address = address.parse().map_err(|_| form())?;
    let prefix = prefix.parse().map_err(|_| form())?;
    Ok(Address::Fixed(address, prefix))
}

fn vlan(text: &str) -> std::result::Result<VlanWord, String> {
    if text.eq_ignore_ascii_case("off") {
        return Ok(VlanWord::Off);
    }
    match text.parse() {
        Ok(id @ 1..=4094) => Ok(VlanWord::Id(id)),
        _ => Err(format!("{text:?} is not a VLAN: use 1 to 4094, or off")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_vlans_are_read() {
        let fixed = Address::Fixed([192, 0, 2, 17].into(), 24);
        assert_eq!(address("192.0.2.17/24"), Ok(fixed));
        assert_eq!(address("DHCP"), Ok(Address::Dhcp));
        for wrong in ["192.0.2.17", "192.0.2/24", "192.0.2.17/x", "2001:db8::1/64"] {
            assert!(
                address(wrong).unwrap_err().contains("192.0.2.17/24"),
                "{wrong}"
            );
        }
        assert_eq!(
            (vlan("off"), vlan("7")),
            (Ok(VlanWord::Off), Ok(VlanWord::Id(7)))
        );
        for wrong in ["0", "4095", "blue"] {
            assert!(vlan(wrong).unwrap_err().contains("1 to 4094"), "{wrong}");
        }
    }
}
