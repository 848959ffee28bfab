//! `bmc sel`.

mod watch;

use async_trait::async_trait;
use bmc_core::{ClearEvents, Event, EventLogInfo, EventPage, GetEventLog, GetEvents};
use clap::Subcommand;

use super::super::table::{or_na, table};
use super::{Answer, Call, Ended, Failure, Request, Targets};

use watch::Watch;

#[derive(Debug, Subcommand)]
pub enum Sel {
    /// How full the log is and when it changed
    Info(Targets),
    /// The events, oldest first
    List(List),
    /// Delete all events
    Clear(Targets),
    /// Print events as they come, until interrupted
    Watch(Watch),
}

#[derive(Debug, clap::Args)]
pub struct List {
    /// The newest N events only
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    #[command(flatten)]
    of: Targets,
}

/// More events than any log holds.
const ALL: usize = 1 << 20;

#[async_trait(?Send)]
impl Request for Sel {
    fn name(&self) -> &'static str {
        match self {
            Self::Info(_) => "sel info",
            Self::List(_) => "sel list",
            Self::Watch(_) => "sel watch",
            Self::Clear(_) => "sel clear",
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Info(of) | Self::Clear(of) => &of.targets,
            Self::List(list) => &list.of.targets,
            Self::Watch(watch) => watch.targets(),
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        match self {
            Self::Info(_) => {
                call.ask(GetEventLog, |info| {
                    Answer::new("eventLog", info, about(&info))
                })
                .await
            }
            Self::List(list) => call.ask(from_the_begin(), |page| list.answer(page)).await,
            Self::Clear(_) => call.ask(ClearEvents, |()| Answer::accepted()).await,
            Self::Watch(watch) => watch.run(call).await,
        }
    }

    fn interrupted(&self) -> Result<Answer, Failure> {
        match self {
            Self::Watch(_) => watch::watched(),
            _ => Err(Failure::interrupted()),
        }
    }
}

impl List {
    fn answer(&self, mut page: EventPage) -> Answer {
        let last = self.last.unwrap_or(ALL);
        let events = page
            .events
            .split_off(page.events.len().saturating_sub(last));
        Answer::new("events", &events, words(&events))
    }
}

fn from_the_begin() -> GetEvents {
    GetEvents {
        after: None,
        limit: ALL,
    }
}

fn about(info: &EventLogInfo) -> String {
    let lines = [
        format!("entries      : {}", info.entries),
        format!("free         : {}", or_na(info.free)),
        format!("last added   : {}", or_na(info.last_added)),
        format!("last cleared : {}", or_na(info.last_cleared)),
        format!("overflow     : {}", info.overflow),
    ];
    lines.join("\n")
}

fn words(events: &[Event]) -> String {
    let header = ["id", "time", "source", "event", "", "severity"];
    table(header, events.iter().map(cells))
}

fn cells(event: &Event) -> [String; 6] {
    let asserted = match event.asserted {
        Some(true) => "asserted",
        Some(false) => "deasserted",
        None => "",
    };
    let source = event.source.as_ref().or(event.kind.as_ref());
    [
        event.id.clone(),
        or_na(event.time),
        source.cloned().unwrap_or_default(),
        event.text.clone(),
        asserted.to_owned(),
        event
            .severity
            .map(|severity| severity.to_string())
            .unwrap_or_default(),
    ]
}

/// One event as a line of its own.
fn line(event: &Event) -> String {
    let cells = cells(event);
    let cells = cells.iter().filter(|cell| !cell.is_empty());
    cells.cloned().collect::<Vec<_>>().join(" | ")
}
