//! The LAN channel's configuration.

mod ipv4;
mod transaction;

use std::net::{Ipv4Addr, Ipv6Addr};

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{
    ArpSuspension, GetIpStatistics, GetLanConfiguration, IpStatistics, Ipv6Address,
    Ipv6AddressStatus, Ipv6Source, LanParameter, LanSetting, SuspendArps, VlanId,
};
use crate::error::Error;
use crate::wire::{CompletionCode, Privilege};

pub use ipv4::Ipv4Plan;

/// Settings of one parameter that are read at most.
const MAX_SETS: u8 = 16;

/// The configuration of a LAN channel.
///
/// What changes the way to the BMC can end its session: silence after such a change is
/// [`Effect::Unknown`](bmc_core::Effect). Where the BMC stays, every change is read back. A BMC that is being configured
/// by somebody else is busy.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::{sync::Arc, time::Duration};
/// # use bmc_core::{Credentials, Endpoint};
/// # use bmc_ipmi::{Client, Login, Transport, proto::Known};
/// use bmc_ipmi::command::THIS_CHANNEL;
/// use bmc_ipmi::device::{Ipv4Plan, LanConfiguration};
/// use tokio::time::Instant;
///
/// # let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
/// # let deadline = Instant::now() + Duration::from_secs(5);
/// # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
/// let lan = LanConfiguration::new(&client, THIS_CHANNEL)?;
/// for setting in lan.read(deadline).await? {
///     println!("{}: {setting:?}", setting.parameter().name());
/// }
/// let plan = Ipv4Plan::fixed([192, 0, 2, 17], 24, Some([192, 0, 2, 1].into()))?;
/// lan.set_ipv4(&plan, deadline).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct LanConfiguration {
    client: Client,
    channel: u8,
}

impl LanConfiguration {
    /// The configuration of a channel; [`THIS_CHANNEL`](crate::command::THIS_CHANNEL) is that of the session.
    ///
    /// # Errors
    /// There is no such channel.
    pub fn new(client: &Client, channel: u8) -> Result<Self, Error> {
        if channel > 15 {
            return Err(invalid(
                "channel",
                format!("{channel} does not exist: use 0 to 15"),
            ));
        }
        Ok(Self {
            client: client.clone(),
            channel,
        })
    }

    /// Reads one parameter; `set` is 0 where there is one setting only. `None`: the BMC does not have it.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn get(
        &self,
        parameter: LanParameter,
        set: u8,
        deadline: Instant,
    ) -> Result<Option<LanSetting>, Error> {
        let command = GetLanConfiguration::new(self.channel, parameter, set);
        match self.client.execute(&command, deadline).await {
            // Data that cannot be read are data all the same.
            Ok(answer) => Ok(Some(answer.read(parameter).unwrap_or(LanSetting::Other {
                parameter,
                data: answer.data,
            }))),
            Err(error) if error.completion().is_some_and(is_absent) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads all that the BMC has of the parameters that the specification names, in order of their numbers.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn read(&self, deadline: Instant) -> Result<Vec<LanSetting>, Error> {
        let mut all = Vec::new();
        for parameter in LanParameter::ALL {
            for set in 0..sets(*parameter, &all) {
                match self.get(*parameter, set, deadline).await? {
                    Some(setting) => all.push(setting),
                    None => break,
                }
            }
        }
        Ok(all)
    }

    /// The highest privilege with each cipher suite that the BMC has; [`Privilege::HIGHEST`] (0): it cannot be used.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn cipher_suites(&self, deadline: Instant) -> Result<Vec<(u8, Privilege)>, Error> {
        let suites = self.get(LanParameter::CIPHER_SUITES, 0, deadline).await?;
        let privileges = LanParameter::CIPHER_SUITE_PRIVILEGES;
        let privileges = self.get(privileges, 0, deadline).await?;
        match (suites, privileges) {
            (
                Some(LanSetting::CipherSuites(suites)),
                Some(LanSetting::CipherSuitePrivileges(privileges)),
            ) => Ok(suites.into_iter().zip(privileges).collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// Writes one parameter, whatever it is, and reads it back where it can be read.
    ///
    /// # Errors
    /// As [`Client::execute`]; the BMC does not keep it.
    pub async fn set(&self, setting: LanSetting, deadline: Instant) -> Result<(), Error> {
        self.transact(&[setting], deadline).await
    }

    /// Configures the IPv4 address. What is already so is not written.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub async fn set_ipv4(&self, plan: &Ipv4Plan, deadline: Instant) -> Result<(), Error> {
        self.transact(&plan.settings(), deadline).await
    }

    /// Configures the default gateway.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub async fn set_gateway(&self, gateway: Ipv4Addr, deadline: Instant) -> Result<(), Error> {
        self.set(LanSetting::Gateway(gateway), deadline).await
    }

    /// Puts the channel on a VLAN, or with `None` on none.
    ///
    /// # Errors
    /// As [`set`](Self::set); the VLAN cannot exist.
    pub async fn set_vlan(&self, id: Option<u16>, deadline: Instant) -> Result<(), Error> {
        let vlan = match id {
            None => VlanId::NONE,
            Some(id @ 1..=4094) => VlanId { enabled: true, id },
            Some(id) => {
                return Err(invalid(
                    "VLAN",
                    format!("{id} is not possible: use 1 to 4094"),
                ));
            }
        };
        self.set(LanSetting::VlanId(vlan), deadline).await
    }

    /// Configures a static IPv6 address, or with `None` disables it. `set` is its number, from 0.
    ///
    /// # Errors
    /// As [`set`](Self::set); the prefix is longer than 128 bits.
    pub async fn set_ipv6(
        &self,
        set: u8,
        address: Option<(Ipv6Addr, u8)>,
        deadline: Instant,
    ) -> Result<(), Error> {
        let (address, prefix_length) = address.unwrap_or((Ipv6Addr::UNSPECIFIED, 0));
        if prefix_length > 128 {
            let text = format!("{prefix_length} is not possible: use 0 to 128");
            return Err(invalid("prefix length", text));
        }
        let setting = LanSetting::Ipv6StaticAddress(Ipv6Address {
            set,
            enabled: !address.is_unspecified(),
            source: Ipv6Source::STATIC,
            address,
            prefix_length,
            status: Ipv6AddressStatus::ACTIVE,
        });
        self.set(setting, deadline).await
    }

    /// Reads the counters of datagrams, and with `clear` sets them to zero.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn statistics(&self, clear: bool, deadline: Instant) -> Result<IpStatistics, Error> {
        let command = GetIpStatistics {
            channel: self.channel,
            clear,
        };
        self.client.execute(&command, deadline).await
    }

    /// Suspends ARPs of the BMC, or lets them go on; says which are suspended now.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn suspend_arps(
        &self,
        suspended: ArpSuspension,
        deadline: Instant,
    ) -> Result<ArpSuspension, Error> {
        let command = SuspendArps {
            channel: self.channel,
            suspended,
        };
        self.client.execute(&command, deadline).await
    }
}

/// Whether a refusal to read says that there is nothing to read.
fn is_absent(code: CompletionCode) -> bool {
    matches!(
        code,
        GetLanConfiguration::UNSUPPORTED
            | CompletionCode::OUT_OF_RANGE
            | CompletionCode::NOT_PRESENT
            | CompletionCode::INVALID_DATA_FIELD
    )
}

/// How many settings of a parameter there are, by what was read before.
fn sets(parameter: LanParameter, known: &[LanSetting]) -> u8 {
    if !parameter.has_sets() {
        return 1;
    }
    let count = known.iter().find_map(|setting| match (parameter, setting) {
        (
            LanParameter::DESTINATION
            | LanParameter::DESTINATION_ADDRESS
            | LanParameter::DESTINATION_VLAN,
            // Number 0 is a further one, for one alert only.
            LanSetting::DestinationCount(count),
        ) => Some(count + 1),
        (LanParameter::IPV6_STATIC_ADDRESS, LanSetting::Ipv6Limits(limits)) => {
            Some(limits.static_addresses)
        }
        (LanParameter::IPV6_DYNAMIC_ADDRESS, LanSetting::Ipv6Limits(limits)) => {
            Some(limits.dynamic_addresses)
        }
        (
            LanParameter::IPV6_DYNAMIC_ROUTER
            | LanParameter::IPV6_DYNAMIC_ROUTER_MAC
            | LanParameter::IPV6_DYNAMIC_ROUTER_PREFIX_LENGTH
            | LanParameter::IPV6_DYNAMIC_ROUTER_PREFIX,
            LanSetting::Ipv6DynamicRouterCount(count),
        ) => Some(*count),
        _ => None,
    });
    count.unwrap_or(0).min(MAX_SETS)
}

fn invalid(field: &'static str, reason: String) -> Error {
    Error::InvalidInput { field, reason }
}
