//! What each target answered, as lines for people or as JSON.

mod json;

use std::io::{self, Write};
use std::time::Duration;

use bmc_core::Effect;

use super::args::Format;
use super::command::{Answer, Ended, Failure};

/// Prints results as they come: answers to `out`, failures to `err` as text, and everything to `out` as JSON.
pub struct Printer<O, E> {
    format: Format,
    command: &'static str,
    is_alone: bool,
    out: O,
    err: E,
    all_well: bool,
}

impl<O: Write, E: Write> Printer<O, E> {
    pub fn new(format: Format, command: &'static str, is_alone: bool, out: O, err: E) -> Self {
        Self {
            format,
            command,
            is_alone,
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
            (Format::Text, Ok(answer)) => self.lines(label, &answer.text),
            (Format::Text, Err(failure)) => writeln!(self.err, "{label}: {}", explain(failure)),
        };
        self.all_well &= written.is_ok() && ended.result.is_ok();
    }

    /// Reports an answer of a target that goes on; `false` when nobody reads it.
    pub fn tell(&mut self, label: &str, answer: &Answer) -> bool {
        let written = match self.format {
            Format::Json => writeln!(self.out, "{}", json::event(label, self.command, answer)),
            Format::Text => self.lines(label, &answer.text),
        };
        let is_read = written.and_then(|()| self.out.flush()).is_ok();
        self.all_well &= is_read;
        is_read
    }

    /// Each line says whose it is, unless there is one BMC with a table.
    fn lines(&mut self, label: &str, text: &str) -> io::Result<()> {
        let is_table = text.contains('\n');
        for line in text.lines() {
            match is_table && self.is_alone {
                true => writeln!(self.out, "{line}")?,
                false => writeln!(self.out, "{label}: {line}")?,
            }
        }
        Ok(())
    }

    /// Whether every target succeeded and its line was written.
    pub fn all_well(mut self) -> bool {
        self.all_well && self.out.flush().is_ok()
    }
}

fn explain(failure: &Failure) -> String {
    let doubt = match failure.effect {
        Effect::None => "",
        Effect::Unknown => " (the command may have been carried out)",
    };
    format!("{}: {}{doubt}", failure.kind, failure.message)
}
