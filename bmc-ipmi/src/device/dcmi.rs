//! Power, temperatures and names by the Data Center Manageability Interface, DCMI 1.5.

mod asset_tag;
mod paging;
mod text;

use tokio::time::Instant;

use crate::client::Client;
use crate::codec::Wire;
use crate::command::{
    ActivatePowerLimit, DcmiAccess, DcmiController, DcmiData, DcmiLog, DcmiParameter, DcmiPeriod,
    DcmiPeriods, DcmiSupport, DcmiVersion, GetDcmiCapabilities, GetDcmiConfiguration,
    GetPowerLimit, GetPowerReading, GetThermalLimit, PowerLimit, PowerLimitStatus, PowerReading,
    SetDcmiConfiguration, SetPowerLimit, SetThermalLimit, ThermalLimit,
};
use crate::error::Error;
use crate::wire::{Entity, EntityId};

/// What a BMC does by DCMI. A BMC without it refuses with a code of kind
/// [`Unsupported`](bmc_core::ErrorKind::Unsupported).
///
/// ```no_run
/// # async fn example(client: bmc_ipmi::Client) -> Result<(), bmc_ipmi::Error> {
/// use std::time::Duration;
/// use bmc_ipmi::device::Dcmi;
/// use tokio::time::Instant;
///
/// let deadline = Instant::now() + Duration::from_secs(10);
/// let dcmi = Dcmi::new(&client);
/// println!("{} W", dcmi.power(None, deadline).await?.current);
/// dcmi.set_asset_tag("RACK-07-U12", deadline).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Dcmi {
    client: Client,
}

/// What the BMC can do of DCMI.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DcmiInfo {
    /// Version of DCMI.
    pub version: DcmiVersion,
    /// Supported functions.
    pub support: DcmiSupport,
    /// The event log, and how often temperatures are read.
    pub log: Option<DcmiLog>,
    /// Who manages power.
    pub controller: Option<DcmiController>,
    /// Channels to reach the BMC by.
    pub access: Option<DcmiAccess>,
    /// The periods over which power can be averaged.
    pub periods: Vec<DcmiPeriod>,
}

impl Dcmi {
    /// DCMI of the client's target.
    pub fn new(client: &Client) -> Self {
        let client = client.clone();
        Self { client }
    }

    /// What the BMC can do.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn info(&self, deadline: Instant) -> Result<DcmiInfo, Error> {
        let first = self.capabilities(DcmiSupport::PARAMETER, deadline).await?;
        let periods: Option<DcmiPeriods> = self.optional(DcmiPeriods::PARAMETER, deadline).await?;
        Ok(DcmiInfo {
            version: first.version,
            support: DcmiSupport::from_prefix(&first.data)?,
            log: self.optional(DcmiLog::PARAMETER, deadline).await?,
            controller: self.optional(DcmiController::PARAMETER, deadline).await?,
            access: self.optional(DcmiAccess::PARAMETER, deadline).await?,
            periods: periods.map(|periods| periods.periods).unwrap_or_default(),
        })
    }

    /// How much power the machine takes; with a period of [`DcmiInfo::periods`] its statistics are of that.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn power(
        &self,
        period: Option<DcmiPeriod>,
        deadline: Instant,
    ) -> Result<PowerReading, Error> {
        self.client
            .execute(&GetPowerReading { period }, deadline)
            .await
    }

    /// The limit of power.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn power_limit(&self, deadline: Instant) -> Result<PowerLimitStatus, Error> {
        self.client.execute(&GetPowerLimit, deadline).await
    }

    /// Changes the limit of power. It is active only once [activated](Self::activate_power_limit).
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a limit of 0 W: nothing was sent. Else as [`Client::execute`].
    pub async fn set_power_limit(&self, limit: PowerLimit, deadline: Instant) -> Result<(), Error> {
        if limit.watts == 0 {
            return Err(invalid("power limit", "must be 1 W or more"));
        }
        let set = self.client.execute(&SetPowerLimit(limit), deadline).await;
        set.map(drop)
    }

    /// Makes the limit of power active, or not.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn activate_power_limit(&self, active: bool, deadline: Instant) -> Result<(), Error> {
        let command = ActivatePowerLimit { active };
        self.client.execute(&command, deadline).await.map(drop)
    }

    /// The limit of an air inlet's temperature.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for another entity: nothing was sent. Else as [`Client::execute`].
    pub async fn thermal_limit(
        &self,
        inlet: Entity,
        deadline: Instant,
    ) -> Result<ThermalLimit, Error> {
        let (entity, instance) = self::inlet(inlet)?;
        let command = GetThermalLimit { entity, instance };
        self.client.execute(&command, deadline).await
    }

    /// Changes the limit of an air inlet's temperature.
    ///
    /// # Errors
    /// As [`thermal_limit`](Self::thermal_limit).
    pub async fn set_thermal_limit(
        &self,
        inlet: Entity,
        limit: ThermalLimit,
        deadline: Instant,
    ) -> Result<(), Error> {
        let (entity, instance) = self::inlet(inlet)?;
        let command = SetThermalLimit {
            entity,
            instance,
            limit,
        };
        self.client.execute(&command, deadline).await.map(drop)
    }

    /// A parameter of DCMI's use of DHCP.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn configuration(
        &self,
        parameter: DcmiParameter,
        deadline: Instant,
    ) -> Result<DcmiData, Error> {
        let command = GetDcmiConfiguration { parameter, set: 0 };
        self.client.execute(&command, deadline).await
    }

    /// Changes a parameter of DCMI's use of DHCP.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn set_configuration(
        &self,
        parameter: DcmiParameter,
        data: impl Into<Vec<u8>>,
        deadline: Instant,
    ) -> Result<(), Error> {
        let command = SetDcmiConfiguration {
            parameter,
            set: 0,
            data: data.into(),
        };
        self.client.execute(&command, deadline).await.map(drop)
    }

    async fn capabilities(&self, parameter: u8, deadline: Instant) -> Result<DcmiData, Error> {
        let command = GetDcmiCapabilities { parameter };
        self.client.execute(&command, deadline).await
    }

    /// A parameter that a BMC may leave out or, as some do, cut short.
    async fn optional<T: Wire>(
        &self,
        parameter: u8,
        deadline: Instant,
    ) -> Result<Option<T>, Error> {
        match self.capabilities(parameter, deadline).await {
            Ok(capabilities) => Ok(T::from_prefix(&capabilities.data).ok()),
            Err(error) if error.completion().is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Entity and instance of an air inlet.
fn inlet(entity: Entity) -> Result<(EntityId, u8), Error> {
    match entity.id {
        EntityId::AIR_INLET | EntityId::DCMI_AIR_INLET => Ok((entity.id, entity.instance)),
        _ => Err(invalid("entity", "must be an air inlet, 37h or 40h")),
    }
}

fn invalid(field: &'static str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    Error::InvalidInput { field, reason }
}
