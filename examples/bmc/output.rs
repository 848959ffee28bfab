//! One line a target.

mod json;

use std::io::Write;
use std::time::Duration;

use bmc_core::{BmcIdentity, BootReading, Effect};

use super::args::Format;
use super::command::{Answer, Ended, Failure};

/// Prints results as they come: answers to `out`, failures to `err` as text, and everything to `out` as JSON.
pub struct Printer<O, E> {
    format: Format,
    command: &'static str,
    out: O,
    err: E,
    all_well: bool,
}

impl<O: Write, E: Write> Printer<O, E> {
    pub fn new(format: Format, command: &'static str, out: O, err: E) -> Self {
        Self {
            format,
            command,
            out,
            err,
            all_well: true,
        }
    }

    /// Reports one target. A reader that went away does not stop the commands that were asked for.
    pub fn report(&mut self, label: &str, ended: &Ended, elapsed: Duration) {
        let written = match (self.format, &ended.result) {
            (Format::Json, _) => {
                let line = json::line(label, self.command, ended, elapsed);
                writeln!(self.out, "{line}")
            }
            (Format::Text, Ok(answer)) => writeln!(self.out, "{label}: {}", text(answer)),
            (Format::Text, Err(failure)) => writeln!(self.err, "{label}: {}", explain(failure)),
        };
        self.all_well &= written.is_ok() && ended.result.is_ok();
    }

    /// Whether every target succeeded and its line was written.
    pub fn all_well(mut self) -> bool {
        self.all_well && self.out.flush().is_ok()
    }
}

fn text(answer: &Answer) -> String {
    match answer {
        Answer::Power(state) => state.to_string(),
        Answer::Accepted => "accepted".into(),
        Answer::Boot(reading) => boot(reading),
        Answer::Info(identity) => info(identity),
    }
}

fn boot(reading: &BootReading) -> String {
    if reading.valid {
        reading.settings.to_string()
    } else {
        "none".into()
    }
}

fn info(identity: &BmcIdentity) -> String {
    let known = [
        ("protocol", &identity.protocol),
        ("manufacturer", &identity.manufacturer),
        ("product", &identity.product),
        ("firmware", &identity.firmware),
    ];
    let words = known
        .iter()
        .filter_map(|(name, value)| Some(format!("{name} {}", value.as_deref()?)));
    words.collect::<Vec<_>>().join(", ")
}

fn explain(failure: &Failure) -> String {
    let doubt = match failure.effect {
        Effect::None => "",
        Effect::Unknown => " (the command may have been carried out)",
    };
    format!("{}: {}{doubt}", failure.kind, failure.message)
}
