//! The watchdog: it counts down, interrupts the host, and acts upon it.

use std::time::Duration;

use tokio::time::Instant;

use crate::command::{
    ExpirationFlags, PretimeoutInterrupt, ResetWatchdogTimer, SetWatchdogTimer, TimeoutAction,
    WatchdogTimer,
};
use crate::wire::CompletionCode;

/// A watchdog timer.
#[derive(Clone, Debug, Default)]
pub(super) struct Watchdog {
    /// `None`: never set.
    settings: Option<SetWatchdogTimer>,
    /// When it expires, if it runs.
    expires: Option<Instant>,
    /// Whether the host was interrupted.
    has_interrupted: bool,
    expired: ExpirationFlags,
    expirations: u32,
}

/// What the watchdog does to the host.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Bite {
    Interrupt(PretimeoutInterrupt),
    Act(TimeoutAction),
}

impl Watchdog {
    /// Executes Set Watchdog Timer.
    pub(super) fn set(
        &mut self,
        now: Instant,
        command: SetWatchdogTimer,
    ) -> Result<(), CompletionCode> {
        if duration(command.countdown) < Duration::from_secs(command.pretimeout.into()) {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        let runs_on = command.keep_running && self.expires.is_some();
        self.expires = runs_on.then(|| now + duration(command.countdown));
        self.has_interrupted = false;
        self.expired = ExpirationFlags::new(self.expired.value() & !command.clear.value());
        self.settings = Some(command);
        Ok(())
    }

    /// Executes Reset Watchdog Timer.
    pub(super) fn start(&mut self, now: Instant) -> Result<(), CompletionCode> {
        let settings = self.settings.ok_or(ResetWatchdogTimer::UNINITIALIZED)?;
        self.expires = Some(now + duration(settings.countdown));
        self.has_interrupted = false;
        Ok(())
    }

    pub(super) fn stop(&mut self) {
        self.expires = None;
    }

    /// Times that it has expired.
    pub(super) fn expirations(&self) -> u32 {
        self.expirations
    }

    /// Executes Get Watchdog Timer.
    pub(super) fn read(&self, now: Instant) -> WatchdogTimer {
        let settings = self.settings.unwrap_or_default();
        let left = match self.expires {
            Some(at) => {
                let left = at.saturating_duration_since(now).as_millis();
                let units = left.div_ceil(WatchdogTimer::UNIT.as_millis());
                u16::try_from(units).unwrap_or(u16::MAX)
            }
            None if self.expired == ExpirationFlags::NONE => settings.countdown,
            None => 0,
        };
        WatchdogTimer {
            timer_use: settings.timer_use,
            is_running: self.expires.is_some(),
            without_log: settings.without_log,
            action: settings.action,
            interrupt: settings.interrupt,
            pretimeout: settings.pretimeout,
            expired: self.expired,
            countdown: settings.countdown,
            left: Some(left),
        }
    }

    /// The next thing that it does by `now`, and when.
    pub(super) fn next(&mut self, now: Instant) -> Option<(Instant, Bite)> {
        let (settings, expires) = (self.settings?, self.expires?);
        let interrupt = settings.interrupt;
        if interrupt != PretimeoutInterrupt::NONE && !self.has_interrupted {
            let at = expires - Duration::from_secs(settings.pretimeout.into());
            if at <= now {
                self.has_interrupted = true;
                return Some((at, Bite::Interrupt(interrupt)));
            }
        }
        if expires > now {
            return None;
        }
        self.expires = None;
        self.expirations += 1;
        let flag = ExpirationFlags::of(settings.timer_use);
        self.expired = ExpirationFlags::new(self.expired.value() | flag.value());
        Some((expires, Bite::Act(settings.action)))
    }
}

fn duration(units: u16) -> Duration {
    WatchdogTimer::UNIT * units.into()
}
