//! `bmc dcmi`.

use async_trait::async_trait;
use bmc_ipmi::Client;
use bmc_ipmi::command::{PowerLimit, PowerLimitAction, PowerLimitStatus, PowerReading};
use bmc_ipmi::device::Dcmi as Device;
use bmc_ipmi::wire::EntityId;
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use tokio::time::Instant;

use super::super::table::{or_na, table};
use super::ipmi::Result;
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum Dcmi {
    /// How much power the machine takes
    Power(Targets),
    /// Read or change the limit of power
    #[command(subcommand)]
    Limit(Limit),
    /// Temperatures of air inlets, processors and baseboards
    Temperatures(Targets),
    /// Read the asset tag, or set it
    AssetTag(AssetTag),
}

#[derive(Debug, Subcommand)]
pub enum Limit {
    /// Read the limit
    Get(Targets),
    /// Change the limit; it is kept once it is on
    Set(SetLimit),
    /// Keep the limit
    On(Targets),
    /// Keep it no longer
    Off(Targets),
}

#[derive(Debug, clap::Args)]
pub struct SetLimit {
    /// The limit
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    watts: u16,
    /// Milliseconds in which power must come below it
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    correction: u32,
    /// Seconds between looks
    #[arg(long, value_name = "S", default_value_t = 1)]
    sampling: u16,
    /// What happens if it cannot be kept
    #[arg(long, value_enum, default_value_t = Beyond::Log)]
    beyond: Beyond,
    #[command(flatten)]
    of: Targets,
}

#[derive(Debug, clap::Args)]
pub struct AssetTag {
    /// The new tag
    #[arg(long, value_name = "TEXT")]
    set: Option<String>,
    #[command(flatten)]
    of: Targets,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Beyond {
    /// Nothing
    Nothing,
    /// An event is logged
    Log,
    /// The machine is switched off
    PowerOff,
}

#[async_trait(?Send)]
impl Request for Dcmi {
    fn name(&self) -> &'static str {
        match self {
            Self::Power(_) => "dcmi power",
            Self::Limit(Limit::Get(_)) => "dcmi limit get",
            Self::Limit(Limit::Set(_)) => "dcmi limit set",
            Self::Limit(Limit::On(_)) => "dcmi limit on",
            Self::Limit(Limit::Off(_)) => "dcmi limit off",
            Self::Temperatures(_) => "dcmi temperatures",
            Self::AssetTag(_) => "dcmi asset-tag",
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Power(of)
            | Self::Limit(Limit::Get(of) | Limit::On(of) | Limit::Off(of))
            | Self::Temperatures(of) => &of.targets,
            Self::Limit(Limit::Set(set)) => &set.of.targets,
            Self::AssetTag(tag) => &tag.of.targets,
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        let ask = async |client: &Client, deadline| self.ask(&Device::new(client), deadline).await;
        call.ask_ipmi(self.name(), ask).await
    }
}

impl Dcmi {
    async fn ask(&self, dcmi: &Device, deadline: Instant) -> Result<Answer> {
        match self {
            Self::Power(_) => Ok(power(&dcmi.power(None, deadline).await?)),
            Self::Limit(Limit::Get(_)) => Ok(limit(&dcmi.power_limit(deadline).await?)),
            Self::Limit(Limit::Set(set)) => {
                dcmi.set_power_limit(set.limit(), deadline).await?;
                Ok(Answer::accepted())
            }
            Self::Limit(switch) => {
                let active = matches!(switch, Limit::On(_));
                dcmi.activate_power_limit(active, deadline).await?;
                Ok(Answer::accepted())
            }
            Self::Temperatures(_) => temperatures(dcmi, deadline).await,
            Self::AssetTag(tag) => {
                if let Some(text) = &tag.set {
                    dcmi.set_asset_tag(text, deadline).await?;
                }
                let text = dcmi.asset_tag(deadline).await?;
                Ok(Answer::new("assetTag", &text, text.as_str()))
            }
        }
    }
}

impl SetLimit {
    fn limit(&self) -> PowerLimit {
        PowerLimit {
            action: match self.beyond {
                Beyond::Nothing => PowerLimitAction::NONE,
                Beyond::Log => PowerLimitAction::LOG,
                Beyond::PowerOff => PowerLimitAction::POWER_OFF,
            },
            watts: self.watts,
            correction_ms: self.correction,
            sampling_s: self.sampling,
        }
    }
}

fn power(reading: &PowerReading) -> Answer {
    let lines = [
        format!("current  : {} W", reading.current),
        format!("minimum  : {} W", reading.minimum),
        format!("maximum  : {} W", reading.maximum),
        format!("average  : {} W", reading.average),
        format!("period   : {} s", reading.period / 1000),
        format!(
            "measured : {}",
            if reading.is_active() { "yes" } else { "no" }
        ),
    ];
    let json = json!({
        "current": reading.current,
        "minimum": reading.minimum,
        "maximum": reading.maximum,
        "average": reading.average,
        "periodMs": reading.period,
        "active": reading.is_active(),
    });
    Answer::new("watts", json, lines.join("\n"))
}

fn limit(status: &PowerLimitStatus) -> Answer {
    let limit = status.limit.as_ref();
    let watts = limit.map(|limit| limit.watts);
    let correction = limit.map(|limit| limit.correction_ms);
    let sampling = limit.map(|limit| limit.sampling_s);
    let beyond = limit.map(|limit| match limit.action {
        PowerLimitAction::NONE => "nothing".into(),
        PowerLimitAction::LOG => "log".into(),
        PowerLimitAction::POWER_OFF => "power-off".into(),
        PowerLimitAction(other) => format!("{other:02x}h"),
    });
    let lines = [
        format!("active     : {}", if status.active { "yes" } else { "no" }),
        format!(
            "limit      : {}",
            or_na(watts.map(|watts| format!("{watts} W")))
        ),
        format!(
            "correction : {}",
            or_na(correction.map(|time| format!("{time} ms")))
        ),
        format!(
            "sampling   : {}",
            or_na(sampling.map(|time| format!("{time} s")))
        ),
        format!("beyond     : {}", or_na(beyond.as_ref())),
    ];
    let json = json!({
        "active": status.active,
        "watts": watts,
        "correctionMs": correction,
        "samplingS": sampling,
        "beyond": beyond,
    });
    Answer::new("powerLimit", json, lines.join("\n"))
}

/// What DCMI can tell the temperatures of.
const PLACES: [(&str, EntityId); 3] = [
    ("air inlet", EntityId::DCMI_AIR_INLET),
    ("processor", EntityId::DCMI_PROCESSOR),
    ("baseboard", EntityId::DCMI_BASEBOARD),
];

async fn temperatures(dcmi: &Device, deadline: Instant) -> Result<Answer> {
    let (mut rows, mut json) = (Vec::new(), Vec::new());
    for (place, entity) in PLACES {
        for seen in dcmi.temperatures(entity, deadline).await? {
            let (instance, celsius) = (seen.instance, seen.celsius);
            rows.push([place.into(), instance.to_string(), format!("{celsius} °C")]);
            json.push(json!({ "entity": place, "instance": instance, "celsius": celsius }));
        }
    }
    let text = table(["entity", "instance", "temperature"], rows);
    Ok(Answer::new("temperatures", json, text))
}
