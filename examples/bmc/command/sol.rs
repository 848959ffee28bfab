//! `bmc sol`.

mod escape;
mod terminal;

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{ConsoleOptions, ConsoleStream, Effect, ErrorKind, OpenConsole, Outcome, Report};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep_until};

use examples::duration;

use super::{Answer, Call, Ended, Failure, Request};
use escape::{Escapes, Typed};
use terminal::Terminal;

/// What is typed goes to the host's serial console, what it prints comes here.
///
/// At the begin of a line: ~. ends, ~B sends a break, ~~ types a tilde, ~? lists these.
#[derive(Debug, clap::Args)]
pub struct Sol {
    /// Take the console away from whoever has it
    #[arg(long)]
    steal: bool,
    /// Stop after this time; without it, when the input ends
    #[arg(long = "for", value_name = "DURATION", value_parser = duration::positive)]
    time: Option<Duration>,
    /// One BMC
    #[arg(value_name = "TARGET")]
    target: String,
}

#[async_trait(?Send)]
impl Request for Sol {
    fn name(&self) -> &'static str {
        "sol"
    }

    fn targets(&self) -> &[String] {
        std::slice::from_ref(&self.target)
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        let options = ConsoleOptions { steal: self.steal };
        let opened = call
            .member
            .bmc
            .run_until(OpenConsole(options), call.deadline);
        let Outcome { value, report } = match opened.await {
            Ok(opened) => opened,
            Err(exhausted) => return exhausted.into(),
        };
        let end = self.time.map(|time| Instant::now() + time);
        ended(talk(value, end).await, report)
    }

    fn interrupted(&self) -> Result<Answer, Failure> {
        Ok(closed())
    }
}

/// Carries bytes both ways until somebody ends it.
async fn talk(mut console: Box<dyn ConsoleStream>, end: Option<Instant>) -> std::io::Result<()> {
    let terminal = Terminal::raw(end)?;
    let (mut keyboard, mut screen) = (tokio::io::stdin(), tokio::io::stdout());
    let (mut typed, mut printed) = ([0; 256], [0; 4096]);
    let mut escapes = Escapes::new(terminal.is_interactive());
    let mut is_typing = true;
    let outcome = loop {
        tokio::select! {
            biased;
            () = sleep_until(end.unwrap_or_else(Instant::now)), if end.is_some() => break Ok(()),
            read = console.read(&mut printed) => match read {
                Ok(0) => break Ok(()),
                Ok(length) => {
                    let shown = screen.write_all(printed.get(..length).unwrap_or_default()).await;
                    if let Err(error) = shown.and(screen.flush().await) {
                        break Err(error);
                    }
                }
                Err(error) => break Err(error),
            },
            read = keyboard.read(&mut typed), if is_typing => {
                let length = match read {
                    Ok(length) => length,
                    Err(error) => break Err(error),
                };
                is_typing = length > 0;
                if !is_typing && end.is_none() {
                    break Ok(());
                }
                match type_in(&mut console, &mut escapes, typed.get(..length).unwrap_or_default()).await {
                    Ok(true) => {}
                    Ok(false) => break Ok(()),
                    Err(error) => break Err(error),
                }
            }
        }
    };
    let closed = console.shutdown().await;
    drop(terminal);
    outcome.and(closed)
}

/// `false`: the escape to end was typed.
async fn type_in(
    console: &mut Box<dyn ConsoleStream>,
    escapes: &mut Escapes,
    keys: &[u8],
) -> std::io::Result<bool> {
    for &key in keys {
        match escapes.feed(key) {
            Typed::Nothing => {}
            Typed::Keys(keys) => console.write_all(&keys).await?,
            Typed::Break => console.send_break().await.map_err(std::io::Error::other)?,
            Typed::Help => terminal::print(escape::HELP),
            Typed::End => return Ok(false),
        }
    }
    console.flush().await.map(|()| true)
}

fn ended(talked: std::io::Result<()>, report: Report) -> Ended {
    let result = talked.map_err(|error| Failure {
        kind: ErrorKind::Unreachable,
        message: format!("console lost: {error}"),
        effect: Effect::Unknown,
    });
    Ended {
        report,
        result: result.map(|()| closed()),
    }
}

fn closed() -> Answer {
    Answer::new("closed", true, "")
}
