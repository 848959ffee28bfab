//! `bmc sensors`.

use async_trait::async_trait;
use bmc_core::{GetSensors, Sensor};

use super::super::table::{or_na, table};
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, clap::Args)]
pub struct Sensors {
    #[command(flatten)]
    of: Targets,
}

#[async_trait(?Send)]
impl Request for Sensors {
    fn name(&self) -> &'static str {
        "sensors"
    }

    fn targets(&self) -> &[String] {
        &self.of.targets
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        call.ask(GetSensors, |sensors| {
            Answer::new("sensors", &sensors, words(&sensors))
        })
        .await
    }
}

fn words(sensors: &[Sensor]) -> String {
    let header = [
        "name", "reading", "status", "lnr", "lc", "lnc", "unc", "uc", "unr",
    ];
    let rows = sensors.iter().map(|sensor| {
        let limits = &sensor.thresholds;
        [
            sensor.name.clone(),
            reading(sensor),
            sensor.status.to_string(),
            or_na(limits.lower_non_recoverable.map(short)),
            or_na(limits.lower_critical.map(short)),
            or_na(limits.lower_non_critical.map(short)),
            or_na(limits.upper_non_critical.map(short)),
            or_na(limits.upper_critical.map(short)),
            or_na(limits.upper_non_recoverable.map(short)),
        ]
    });
    table(header, rows)
}

fn reading(sensor: &Sensor) -> String {
    match (sensor.value, &sensor.unit) {
        (Some(value), Some(unit)) => format!("{} {unit}", short(value)),
        (Some(value), None) => short(value),
        (None, _) => sensor.states.join(", "),
    }
}

/// At most three decimals.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_short() {
        let texts = [0.0, 21.5, 1.0 / 3.0, 100.0, -0.25, 12_000.0].map(short);
        assert_eq!(texts, ["0", "21.5", "0.333", "100", "-0.25", "12000"]);
    }
}
