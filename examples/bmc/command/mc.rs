//! `bmc mc`.

use async_trait::async_trait;
use bmc_core::{BmcReset, ResetBmc};
use bmc_ipmi::Client;
use bmc_ipmi::command::{DeviceId, GetDeviceGuid, GetDeviceId, GetSelfTestResults, GetSystemGuid};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use tokio::time::Instant;

use super::super::table::or_na;
use super::controller::Controller;
use super::ipmi::Result;
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum Mc {
    /// What a management controller is (IPMI)
    Info(At),
    /// How its last self test ended (IPMI)
    Selftest(At),
    /// Its globally unique ID, and the host's (IPMI)
    Guid(At),
    /// Restart the BMC itself; the host goes on
    Reset(Reset),
}

#[derive(Debug, clap::Args)]
pub struct At {
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
            Self::Selftest(_) => "mc selftest",
            Self::Guid(_) => "mc guid",
            Self::Reset(reset) => match reset.how {
                BmcReset::Warm => "mc reset warm",
                _ => "mc reset cold",
            },
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Info(at) | Self::Selftest(at) | Self::Guid(at) => &at.of.targets,
            Self::Reset(reset) => &reset.of.targets,
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        match self {
            Self::Reset(reset) => call.ask(ResetBmc(reset.how), |()| Answer::accepted()).await,
            Self::Info(at) => at.ask(self.name(), call, info).await,
            Self::Selftest(at) => at.ask(self.name(), call, self_test).await,
            Self::Guid(at) => at.ask(self.name(), call, guids).await,
        }
    }
}

impl At {
    async fn ask(
        &self,
        name: &'static str,
        call: &Call<'_>,
        ask: impl AsyncFnOnce(Client, Instant) -> Result<Answer>,
    ) -> Ended {
        let target = self.controller.target();
        call.ask_ipmi(name, async |client, deadline| {
            ask(client.at(target), deadline).await
        })
        .await
    }
}

async fn info(client: Client, deadline: Instant) -> Result<Answer> {
    Ok(about(&client.execute(&GetDeviceId, deadline).await?))
}

async fn self_test(client: Client, deadline: Instant) -> Result<Answer> {
    let test = client.execute(&GetSelfTestResults, deadline).await?;
    let faults: Vec<_> = test.faults().collect();
    let mut lines = vec![test.result.to_string()];
    lines.extend(faults.iter().map(|fault| format!("  {fault}")));
    let json = json!({
        "passed": test.is_passed(),
        "result": test.result.to_string(),
        "detail": test.detail,
        "faults": faults,
    });
    Ok(Answer::new("selfTest", json, lines.join("\n")))
}

async fn guids(client: Client, deadline: Instant) -> Result<Answer> {
    let device = client.execute(&GetDeviceGuid, deadline).await;
    let system = client.execute(&GetSystemGuid, deadline).await;
    // Either may be missing, but not both.
    let (device, system) = match (device, system) {
        (Err(error), Err(_)) => return Err(error),
        (device, system) => (device.ok(), system.ok()),
    };
    let [device, system] = [device, system].map(|guid| guid.map(|guid| guid.to_string()));
    let lines = [
        format!("controller : {}", or_na(device.as_ref())),
        format!("host       : {}", or_na(system.as_ref())),
    ];
    let json = json!({ "controller": device, "host": system });
    Ok(Answer::new("guid", json, lines.join("\n")))
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
