//! `bmc sdr`.

use async_trait::async_trait;
use bmc_ipmi::device::SdrRepository;
use bmc_ipmi::record::sdr::{Sdr as Record, SdrBody};
use serde::Serialize;

use super::super::table::{or_na, table};
use super::controller::Controller;
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, clap::Args)]
pub struct Sdr {
    #[command(flatten)]
    controller: Controller,
    #[command(flatten)]
    of: Targets,
}

/// A record in a few words.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    id: u16,
    #[serde(rename = "type")]
    kind: String,
    name: Option<String>,
    /// The sensor's number on its owner.
    number: Option<u8>,
    sensor_type: Option<String>,
}

#[async_trait(?Send)]
impl Request for Sdr {
    fn name(&self) -> &'static str {
        "sdr"
    }

    fn targets(&self) -> &[String] {
        &self.of.targets
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        call.ask_ipmi(self.name(), async |client, deadline| {
            let client = client.at(self.controller.target());
            let repository = SdrRepository::new(&client);
            let found = repository.records(deadline).await?;
            let lines: Vec<_> = found.records.iter().map(line).collect();
            Ok(Answer::new("records", &lines, words(&lines)))
        })
        .await
    }
}

fn line(record: &Record) -> Line {
    let sensor = match &record.body {
        SdrBody::Full(sensor) => Some((sensor.sensor.key.number, sensor.sensor.sensor_type)),
        SdrBody::Compact(sensor) => Some((sensor.sensor.key.number, sensor.sensor.sensor_type)),
        SdrBody::EventOnly(sensor) => Some((sensor.key.number, sensor.sensor_type)),
        _ => None,
    };
    Line {
        id: record.id,
        kind: record.body.kind().to_string(),
        name: record.body.name(),
        number: sensor.map(|(number, _)| number),
        sensor_type: sensor.map(|(_, sensor_type)| sensor_type.to_string()),
    }
}

fn words(lines: &[Line]) -> String {
    let rows = lines.iter().map(|line| {
        [
            format!("{:04x}h", line.id),
            line.kind.clone(),
            line.name.clone().unwrap_or_default(),
            or_na(line.number.map(|number| format!("{number:02x}h"))),
            line.sensor_type.clone().unwrap_or_default(),
        ]
    });
    table(["record", "type", "name", "sensor", "watches"], rows)
}
