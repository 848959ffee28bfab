//! The BMC's watchdog.

use std::time::Duration;

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{
    ExpirationFlags, GetWatchdogTimer, PretimeoutInterrupt, ResetWatchdogTimer, SetWatchdogTimer,
    TimeoutAction, TimerUse, WatchdogTimer,
};
use crate::error::Error;

/// The BMC's watchdog timer, which acts upon the host unless somebody starts it anew in time.
///
/// ```no_run
/// # async fn example(client: bmc_ipmi::Client) -> Result<(), bmc_ipmi::Error> {
/// use std::time::Duration;
/// use bmc_ipmi::command::TimeoutAction;
/// use bmc_ipmi::device::{Watchdog, WatchdogSettings};
/// use tokio::time::Instant;
///
/// let deadline = Instant::now() + Duration::from_secs(10);
/// let watchdog = Watchdog::new(&client);
/// let settings = WatchdogSettings::new(Duration::from_secs(300), TimeoutAction::POWER_CYCLE);
/// watchdog.start(&settings, deadline).await?;
/// watchdog.reset(deadline).await?; // and again, every few minutes
/// watchdog.stop(deadline).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Watchdog {
    client: Client,
}

/// What a watchdog shall do, and when.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WatchdogSettings {
    timeout: Duration,
    action: TimeoutAction,
    timer_use: TimerUse,
    warning: Option<(PretimeoutInterrupt, Duration)>,
    is_logged: bool,
}

/// The longest time that the timer can hold.
const LONGEST: Duration = Duration::from_millis(100 * u16::MAX as u64);

impl WatchdogSettings {
    /// Does `action` after `timeout`, in the name of the operating system, and logs it.
    pub fn new(timeout: Duration, action: TimeoutAction) -> Self {
        Self {
            timeout,
            action,
            timer_use: TimerUse::SMS_OS,
            warning: None,
            is_logged: true,
        }
    }

    /// In whose name.
    #[must_use]
    pub fn timer_use(self, timer_use: TimerUse) -> Self {
        Self { timer_use, ..self }
    }

    /// Interrupts the host so long before the time is over.
    #[must_use]
    pub fn warning(self, interrupt: PretimeoutInterrupt, before: Duration) -> Self {
        let warning = Some((interrupt, before));
        Self { warning, ..self }
    }

    /// Keeps expirations out of the event log.
    #[must_use]
    pub fn without_log(self) -> Self {
        let is_logged = false;
        Self { is_logged, ..self }
    }

    fn command(&self) -> Result<SetWatchdogTimer, Error> {
        if self.timeout.is_zero() || self.timeout > LONGEST {
            return Err(invalid(
                "watchdog timeout",
                "must be from 0.1 s to 6553.5 s",
            ));
        }
        let (interrupt, before) = self.warning.unwrap_or_default();
        if before > self.timeout {
            return Err(invalid(
                "watchdog warning",
                "must not be longer than the timeout",
            ));
        }
        let seconds = before.as_millis().div_ceil(1000);
        let pretimeout = u8::try_from(seconds)
            .map_err(|_| invalid("watchdog warning", "must be 255 s at most"))?;
        let units = self
            .timeout
            .as_millis()
            .div_ceil(WatchdogTimer::UNIT.as_millis());
        Ok(SetWatchdogTimer {
            timer_use: self.timer_use,
            keep_running: false,
            without_log: !self.is_logged,
            action: self.action,
            interrupt,
            pretimeout,
            clear: ExpirationFlags::of(self.timer_use),
            countdown: u16::try_from(units).unwrap_or(u16::MAX),
        })
    }
}

impl Watchdog {
    /// The watchdog of the client's target.
    pub fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
        }
    }

    /// Reads the timer.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn read(&self, deadline: Instant) -> Result<WatchdogTimer, Error> {
        self.client.execute(&GetWatchdogTimer, deadline).await
    }

    /// Sets the timer and starts it.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for times that the timer cannot hold: nothing was sent. Else as [`Client::execute`].
    pub async fn start(&self, settings: &WatchdogSettings, deadline: Instant) -> Result<(), Error> {
        let command = settings.command()?;
        self.client.execute(&command, deadline).await?;
        self.reset(deadline).await
    }

    /// Starts the timer anew, so that it does nothing for another timeout.
    ///
    /// # Errors
    /// As [`Client::execute`]; the code is [`ResetWatchdogTimer::UNINITIALIZED`] if the timer was never set.
    pub async fn reset(&self, deadline: Instant) -> Result<(), Error> {
        self.client.execute(&ResetWatchdogTimer, deadline).await
    }

    /// Stops the timer; its settings stay.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn stop(&self, deadline: Instant) -> Result<(), Error> {
        let timer = self.read(deadline).await?;
        let command = SetWatchdogTimer {
            timer_use: timer.timer_use,
            keep_running: false,
            without_log: timer.without_log,
            action: timer.action,
            interrupt: timer.interrupt,
            pretimeout: timer.pretimeout,
            clear: ExpirationFlags::NONE,
            countdown: timer.countdown,
        };
        self.client.execute(&command, deadline).await
    }
}

fn invalid(field: &'static str, reason: &str) -> Error {
    let reason = reason.to_owned();
    Error::InvalidInput { field, reason }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn times_that_do_not_fit_are_refused() {
        let seconds = Duration::from_secs;
        let settings = |timeout| WatchdogSettings::new(timeout, TimeoutAction::HARD_RESET);
        let text = |settings: WatchdogSettings| settings.command().unwrap_err().to_string();
        let refused = "watchdog timeout must be from 0.1 s to 6553.5 s";
        assert_eq!(text(settings(Duration::ZERO)), refused);
        assert_eq!(text(settings(seconds(6554))), refused);
        let nmi = PretimeoutInterrupt::NMI;
        assert_eq!(
            text(settings(seconds(5)).warning(nmi, seconds(6))),
            "watchdog warning must not be longer than the timeout"
        );
        assert_eq!(
            text(settings(seconds(6000)).warning(nmi, seconds(256))),
            "watchdog warning must be 255 s at most"
        );
        assert_eq!(settings(LONGEST).command().unwrap().countdown, u16::MAX);
        // What does not fit exactly comes later rather than sooner.
        let command = settings(Duration::from_millis(150)).command().unwrap();
        assert_eq!(command.countdown, 2);
    }
}
