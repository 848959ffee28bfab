//! Home Assistant as a provider: a switch entity that gives a machine its power.
//!
//! | Operation | What is sent |
//! |---|---|
//! | open | `GET /api/states/<entity>`, which must have the attribute `friendly_name` |
//! | power status | `GET /api/states/<entity>` |
//! | power on, power off | `POST /api/services/<domain>/turn_on` or `turn_off` with `{"entity_id":"<entity>"}` |
//! | boot set | nothing: a switch has no boot device, and Jobs that set one still succeed, as with Rufio |
//!
//! A socket can neither ask an operating system to shut down nor reset: `soft`, `cycle` and `reset` are not supported.
//!
//! What a switch powers needs time. [`HomeAssistantBuilder::operation_delay`] says how long: until then the state is
//! `powering-on` or `powering-off`, and the next switching waits, or is refused as busy where it would wait for more than 10 s.
//! Nobody else waits.

mod builder;
mod session;
mod wire;

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bmc_core::http::HttpClient;
use bmc_core::{Effect, PowerState, Provider, Session};
use bytes::Bytes;
use http::Request;
use tokio::time::Instant;

use crate::error::Error;

pub use builder::HomeAssistantBuilder;
use session::HomeAssistantSession;
use wire::Switch;

/// A machine behind a switch of Home Assistant.
///
/// ```
/// use std::time::Duration;
/// use bmc_rpc::home_assistant::HomeAssistantProvider;
///
/// let provider = HomeAssistantProvider::builder("http://homeassistant.local:8123", "switch.socket_1")
///     .token("a long-lived access token")
///     .operation_delay(Duration::from_secs(5))
///     .build()?;
/// # Ok::<(), bmc_rpc::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct HomeAssistantProvider {
    client: Arc<Client>,
}

impl HomeAssistantProvider {
    /// Starts without a token and without a delay. `url` is where the user interface is; `/api` is appended.
    pub fn builder(url: impl Into<String>, entity: impl Into<String>) -> HomeAssistantBuilder {
        HomeAssistantBuilder::new(url.into(), entity.into())
    }
}

#[async_trait]
impl Provider for HomeAssistantProvider {
    fn name(&self) -> &'static str {
        "homeassistant"
    }

    async fn open(&self, deadline: Instant) -> Result<Arc<dyn Session>, bmc_core::Error> {
        match self.client.state(deadline).await {
            Ok(_) => Ok(Arc::new(HomeAssistantSession::new(Arc::clone(
                &self.client,
            )))),
            Err(error) => Err(bmc_core::Error::from(error).with_effect(Effect::None)),
        }
    }
}

/// One switch.
#[derive(Debug)]
struct Client {
    http: HttpClient,
    switch: Switch,
    timeout: std::time::Duration,
    delay: std::time::Duration,
    settling: Mutex<Option<Settling>>,
}

/// The machine is on its way to a state.
#[derive(Clone, Copy, Debug)]
struct Settling {
    to: PowerState,
    until: Instant,
}

impl Settling {
    /// What the machine is meanwhile.
    fn state(self) -> PowerState {
        match self.to {
            PowerState::On => PowerState::PoweringOn,
            _ => PowerState::PoweringOff,
        }
    }
}

impl Client {
    /// The switch's state.
    async fn state(&self, deadline: Instant) -> Result<PowerState, Error> {
        let answer = self.send(self.switch.get_state(), deadline).await?;
        self.switch.read_state(&answer)
    }

    async fn turn(&self, on: bool, deadline: Instant) -> Result<(), Error> {
        let answer = self.send(self.switch.turn(on), deadline).await?;
        wire::read_turned(&answer)
    }

    async fn send(
        &self,
        request: Request<Bytes>,
        deadline: Instant,
    ) -> Result<http::Response<Bytes>, Error> {
        let deadline = deadline.min(Instant::now() + self.timeout);
        Ok(self.http.send(request, deadline).await?)
    }

    /// Where the machine is on its way to, and until when.
    fn settling(&self) -> Option<Settling> {
        let settling = *self.settling.lock().unwrap_or_else(PoisonError::into_inner);
        settling.filter(|settling| settling.until > Instant::now())
    }

    fn settle(&self, to: PowerState) -> Option<Settling> {
        let until = Instant::now() + self.delay;
        self.set_settling(Some(Settling { to, until }))
    }

    /// Gives what it was before.
    fn set_settling(&self, settling: Option<Settling>) -> Option<Settling> {
        let mut current = self.settling.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut current, settling)
    }
}
