//! The task behind a stream: its time-outs, its keep-alive and its end.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::activation::deactivate;
use super::shared::{Phase, Shared};
use crate::client::{Attached, Client};
use crate::command::GetDeviceId;
use crate::device::SolEnd;
use crate::error::Error;

/// How long a session that does not answer may be silent.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long characters may take to leave at a shutdown.
const FAREWELL: Duration = Duration::from_secs(10);

type Pulse = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// Runs until SOL has ended, and ends it when the user wants that.
pub(super) async fn drive(
    client: Client,
    attached: Arc<Attached>,
    shared: Arc<Shared>,
    keep_alive: Duration,
) {
    let mut pulse: Option<Pulse> = None;
    let mut next_pulse = Instant::now() + keep_alive;
    let mut farewell = None;
    loop {
        let look = shared.look();
        if look.has_ended {
            return;
        }
        if look.phase == Phase::ShuttingDown {
            farewell.get_or_insert_with(|| Instant::now() + FAREWELL);
        }
        let is_late = farewell.is_some_and(|until| until <= Instant::now());
        if look.phase == Phase::Abandoned || farewell.is_some() && (look.is_flushed || is_late) {
            // Nothing can be done about a BMC that does not want to.
            let _ = deactivate(&client, Instant::now() + PATIENCE).await;
            shared.finish(SolEnd::ShutDown);
            return;
        }
        if pulse.is_none() && (look.is_doubtful || next_pulse <= Instant::now()) {
            pulse = Some(Box::pin(ask(client.clone())));
        }
        let timeout = look.timeout.map(Instant::from_std);
        let next = [timeout, farewell, pulse.is_none().then_some(next_pulse)];
        let next = next.into_iter().flatten().min();
        tokio::select! {
            biased;
            () = shared.wanted() => {}
            answer = beat(&mut pulse) => {
                pulse = None;
                next_pulse = Instant::now() + keep_alive;
                if let Err(error) = answer {
                    shared.finish(SolEnd::Lost(error));
                }
            }
            () = sleep_until(next.unwrap_or(next_pulse)), if next.is_some() => {
                attached.on_timeout(Instant::now().into_std());
            }
        }
    }
}

/// Asks whether the session exists. A refusal is an answer.
async fn ask(client: Client) -> Result<(), Error> {
    match client
        .execute(&GetDeviceId, Instant::now() + PATIENCE)
        .await
    {
        Err(error) if error.completion().is_none() => Err(error),
        _ => Ok(()),
    }
}

async fn beat(pulse: &mut Option<Pulse>) -> Result<(), Error> {
    match pulse {
        Some(pulse) => pulse.await,
        None => pending().await,
    }
}
