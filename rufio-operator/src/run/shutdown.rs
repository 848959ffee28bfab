//! The way down: the first signal asks, the second insists.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::sleep;

/// Asks everything to stop. Dropping it asks too.
#[derive(Debug)]
pub struct Trigger(watch::Sender<bool>);

/// Knows whether it is time to stop. Clones watch the same trigger.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

/// Why work was cut off before its end.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum CutOff {
    /// A second signal came.
    #[error("stopped at once by a second signal")]
    Insisted,
    /// The way down took too long.
    #[error("not everything could be finished within {0:?}")]
    TooSlow(Duration),
}

/// Carries out `work`. The first signal fires the trigger; from then on `work` has `grace` to end, or until the next signal.
pub async fn supervise<T>(
    work: impl Future<Output = T>,
    trigger: Trigger,
    mut signal: impl AsyncFnMut(),
    grace: Duration,
) -> Result<T, CutOff> {
    let mut work = pin!(work);
    tokio::select! {
        biased;
        result = &mut work => return Ok(result),
        () = signal() => {}
    }
    tracing::info!("stopping");
    trigger.fire();
    tokio::select! {
        biased;
        result = &mut work => Ok(result),
        () = signal() => Err(CutOff::Insisted),
        () = sleep(grace) => Err(CutOff::TooSlow(grace)),
    }
}

/// A trigger and what it triggers.
pub fn channel() -> (Trigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (Trigger(sender), Shutdown(receiver))
}

impl Trigger {
    /// Asks everything to stop.
    pub fn fire(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Whether it is time to stop.
    pub fn is_requested(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }

    /// Waits until it is time to stop.
    pub fn requested(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut receiver = self.0.clone();
        async move {
            // An error means that the trigger is gone, which asks as well.
            let _ = receiver.wait_for(|stop| *stop).await;
        }
    }
}

/// SIGTERM and SIGINT, one after the other.
#[derive(Debug)]
pub struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Takes the signals over from the system, which would end the process at once.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tokio::time::Instant;

    use super::*;

    const GRACE: Duration = Duration::from_secs(9);

    /// A signal at each of these seconds, then none.
    async fn supervised(signals: &[u64], takes: u64) -> (Result<&'static str, CutOff>, Duration) {
        let began = Instant::now();
        let (trigger, shutdown) = channel();
        let work = async move {
            shutdown.requested().await;
            assert!(shutdown.is_requested());
            sleep(Duration::from_secs(takes)).await;
            "ended"
        };
        let mut times = signals.iter();
        let signal = async || match times.next() {
            Some(at) => tokio::time::sleep_until(began + Duration::from_secs(*at)).await,
            None => std::future::pending().await,
        };
        let result = supervise(work, trigger, signal, GRACE).await;
        (result, began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_signal_asks_the_second_insists_and_time_is_limited() {
        let seconds = Duration::from_secs;
        assert_eq!(supervised(&[5], 3).await, (Ok("ended"), seconds(8)));
        assert_eq!(
            supervised(&[5, 6], 3).await,
            (Err(CutOff::Insisted), seconds(6))
        );
        assert_eq!(
            supervised(&[5], 60).await,
            (Err(CutOff::TooSlow(GRACE)), seconds(14))
        );
    }

    #[tokio::test]
    async fn work_that_ends_by_itself_needs_no_signal() {
        let (trigger, _shutdown) = channel();
        let result = supervise(async { 7 }, trigger, async || (), GRACE).await;
        assert_eq!(result, Ok(7));
    }

    #[tokio::test]
    async fn a_dropped_trigger_asks_too() {
        let (trigger, shutdown) = channel();
        assert!(!shutdown.is_requested());
        drop(trigger);
        assert!(shutdown.is_requested());
        shutdown.requested().await;
    }

    #[tokio::test]
    async fn both_signals_arrive() {
        let mut signals = Signals::new().unwrap();
        for name in ["-TERM", "-INT"] {
            let pid = std::process::id().to_string();
            let sent = Command::new("kill").args([name, &pid]).status().unwrap();
            assert!(sent.success());
            signals.next().await;
        }
    }
}
