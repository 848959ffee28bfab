//! Progress on standard error: live on a terminal, plain lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::board::Board;

/// How progress is shown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ProgressMode {
    /// Live on a terminal, lines elsewhere.
    #[default]
    Auto,
    /// A line for each change.
    Lines,
    /// Not at all.
    Silent,
}

/// Shows progress.
pub(super) enum Progress {
    Live(ProgressBar),
    Lines,
    Silent,
}

impl Progress {
    pub(super) fn new(mode: ProgressMode) -> Self {
        match mode {
            ProgressMode::Auto if io::stderr().is_terminal() => Self::live(),
            ProgressMode::Auto | ProgressMode::Lines => Self::Lines,
            ProgressMode::Silent => Self::Silent,
        }
    }

    /// Shows a line that stays.
    pub(super) fn line(&self, text: &str) {
        match self {
            Self::Live(bar) => bar.println(text),
            // Nobody is left to tell when standard error is gone.
            Self::Lines => drop(writeln!(io::stderr(), "{text}")),
            Self::Silent => {}
        }
    }

    /// Brings the live view up to date.
    pub(super) fn show(&self, board: &Board) {
        let Self::Live(bar) = self else { return };
        let (machines, work) = (board.machines(), board.work());
        bar.set_length(u64::try_from(machines.total + work.total).unwrap_or(u64::MAX));
        bar.set_position(u64::try_from(machines.done + work.done).unwrap_or(u64::MAX));
        let mut under_way = board.under_way();
        let mut doing: Vec<String> = under_way.by_ref().take(SHOWN).collect();
        let more = under_way.count();
        if more > 0 {
            doing.push(format!("and {more} more"));
        }
        bar.set_message(doing.join(", "));
    }

    /// Takes the live view away.
    pub(super) fn finish(&self) {
        if let Self::Live(bar) = self {
            bar.finish_and_clear();
        }
    }

    fn live() -> Self {
        let bar = ProgressBar::new(0);
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} [{bar:24}] {pos}/{len} {wide_msg}")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Self::Live(bar)
    }
}

/// How many running Tasks the live view names.
const SHOWN: usize = 3;
