//! `bmc mc`.

use async_trait::async_trait;
use bmc_core::{BmcReset, Operation, ResetBmc};
use bmc_ipmi::command::{DeviceId, GetDeviceId};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::controller::Controller;
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum Mc {
    /// What a management controller is (IPMI)
    Info(Info),
    /// Restart the BMC itself; the host goes on
    Reset(Reset),
}

#[derive(Debug, clap::Args)]
pub struct Info {
    #[command(flatten)]
    controller: Controller,
    #[command(flatten)]
    of: Targets,
}

#[derive(Debug, clap::Args)]
pub struct Reset {
    #[arg(value_parser = how())]
    how: BmcReset,
    #[command(flatten)]
    of: Targets,
}

#[async_trait(?Send)]
impl Request for Mc {
    fn name(&self) -> &'static str {
        match self {
            Self::Info(_) => "mc info",
            Self::Reset(reset) => ResetBmc(reset.how).name(),
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Info(info) => &info.of.targets,
            Self::Reset(reset) => &reset.of.targets,
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        match self {
            Self::Info(info) => {
                call.ask_ipmi(self.name(), async |client, deadline| {
                    let client = client.at(info.controller.target());
                    Ok(about(&client.execute(&GetDeviceId, deadline).await?))
                })
                .await
            }
            Self::Reset(reset) => call.ask(ResetBmc(reset.how), |()| Answer::accepted()).await,
        }
    }
}

/// What [`DeviceId::support`] has a bit for, lowest first.
const SUPPORT: [&str; 8] = [
    "sensor device",
    "SDR repository device",
    "SEL device",
    "FRU inventory device",
    "IPMB event receiver",
    "IPMB event generator",
    "bridge",
    "chassis device",
];

fn about(device: &DeviceId) -> Answer {
    let supports: Vec<_> = (0..8)
        .zip(SUPPORT)
        .filter_map(|(bit, name)| (device.support >> bit & 1 == 1).then_some(name))
        .collect();
    let (major, minor) = device.ipmi();
    let ipmi = format!("{major}.{minor}");
    let revision = device.revision & 0x0f;
    let has_device_sdrs = device.revision & 0x80 != 0;
    let is_ready = device.firmware_major & 0x80 == 0;
    let lines = [
        format!("device ID         : {}", device.device_id),
        format!("device revision   : {revision}"),
        format!("firmware revision : {}", device.firmware()),
        format!("IPMI version      : {ipmi}"),
        format!("manufacturer ID   : {}", device.manufacturer),
        format!("product ID        : {0} ({0:#06x})", device.product),
        format!(
            "device available  : {}",
            if is_ready { "yes" } else { "no" }
        ),
        format!(
            "device SDRs       : {}",
            if has_device_sdrs { "yes" } else { "no" }
        ),
        format!("supports          : {}", supports.join(", ")),
    ];
    let json = json!({
        "deviceId": device.device_id,
        "deviceRevision": revision,
        "firmware": device.firmware(),
        "ipmi": ipmi,
        "manufacturerId": device.manufacturer,
        "productId": device.product,
        "available": is_ready,
        "deviceSdrs": has_device_sdrs,
        "supports": supports,
        "auxiliaryFirmware": device.auxiliary,
    });
    Answer::new("device", json, lines.join("\n"))
}

fn how() -> impl TypedValueParser<Value = BmcReset> {
    PossibleValuesParser::new(BmcReset::ALL.iter().map(|reset| reset.as_str()))
        .try_map(|word| word.parse::<BmcReset>())
}
