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
        for line in text.lines().map(harmless) {
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

/// What a BMC says must not command the terminal.
fn harmless(line: &str) -> String {
    line.replace(char::is_control, "\u{fffd}")
}

fn explain(failure: &Failure) -> String {
    let doubt = match failure.effect {
        Effect::None => "",
        Effect::Unknown => " (the command may have been carried out)",
    };
    let message = harmless(&failure.message);
    format!("{}: {message}{doubt}", failure.kind)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use bmc_core::Report;

    use super::*;

    #[test]
    fn a_bmc_cannot_command_the_terminal() {
        let mut out = Vec::new();
        let mut printer = Printer::new(Format::Text, "info", false, &mut out, Vec::new());
        let ended = Ended {
            report: Report {
                operation: "info",
                attempts: Vec::new(),
            },
            result: Ok(Answer::new(
                "info",
                BTreeMap::<u8, u8>::new(),
                "a\x1b[2Jb\nc\u{9b}d",
            )),
        };
        printer.report("x", &ended, Duration::ZERO);
        let shown = String::from_utf8(out).unwrap();
        assert_eq!(shown, "x: a\u{fffd}[2Jb\nx: c\u{fffd}d\n");
    }
}
