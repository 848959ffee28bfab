//! The capabilities of a session.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bmc_core::{
    ActionId, BootControl, BootMode, BootOverride, BootReading, Effect, Error as CoreError,
    ErrorKind, MediaKind, MediaSource, Persistence, PowerAction, PowerControl, PowerState, Session,
    VirtualMedia,
};
use serde_json::Value;
use tokio::time::Instant;

use crate::client::Client;
use crate::dot_path::kind;
use crate::error::Error;
use crate::payload::{Call, Response};

/// A consumer that has answered `ping`. There is no state on the wire.
#[derive(Clone, Debug)]
pub(super) struct RpcSession {
    client: Arc<Client>,
    action: Option<ActionId>,
    closed: Arc<AtomicBool>,
}

impl RpcSession {
    pub(super) fn new(client: Arc<Client>) -> Self {
        Self {
            client,
            action: None,
            closed: Arc::default(),
        }
    }

    async fn call(&self, call: Call) -> Result<Response, Error> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::Closed);
        }
        let deadline = Instant::now() + self.client.timeout;
        self.client.call(call, self.action, deadline).await
    }

    async fn change(&self, call: Call) -> Result<(), CoreError> {
        self.call(call).await.map(drop).map_err(CoreError::from)
    }
}

#[async_trait]
impl Session for RpcSession {
    fn power(&self) -> Option<&dyn PowerControl> {
        Some(self)
    }

    fn boot(&self) -> Option<&dyn BootControl> {
        Some(self)
    }

    fn media(&self) -> Option<&dyn VirtualMedia> {
        Some(self)
    }

    fn for_action(&self, id: ActionId) -> Option<Arc<dyn Session>> {
        let action = Some(id);
        Some(Arc::new(Self {
            action,
            ..self.clone()
        }))
    }

    fn is_alive(&self) -> bool {
        !self.closed.load(Ordering::Acquire)
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }
}

#[async_trait]
impl PowerControl for RpcSession {
    async fn power_state(&self) -> Result<PowerState, CoreError> {
        let answered = self.call(Call::GetPowerState).await;
        let state = answered.and_then(|response| match response.result {
            Some(Value::String(state)) => Ok(power_state(&state)),
            other => Err(Error::Result {
                method: "getPowerState",
                found: other.as_ref().map_or("missing", kind),
            }),
        });
        state.map_err(|error| CoreError::from(error).with_effect(Effect::None))
    }

    async fn set_power(&self, action: PowerAction) -> Result<(), CoreError> {
        let state = action.as_str().to_owned();
        self.change(Call::SetPowerState { state }).await
    }
}

#[async_trait]
impl BootControl for RpcSession {
    async fn boot_override(&self) -> Result<BootReading, CoreError> {
        self.cannot_read("a webhook cannot be asked for the boot override")
    }

    async fn set_boot_override(&self, wanted: BootOverride) -> Result<(), CoreError> {
        self.change(Call::SetBootDevice {
            device: wanted.device.as_str().to_owned(),
            persistent: wanted.persistence == Persistence::Persistent,
            efi_boot: wanted.mode == BootMode::Efi,
        })
        .await
    }
}

#[async_trait]
impl VirtualMedia for RpcSession {
    async fn media(&self, _: MediaKind) -> Result<Option<MediaSource>, CoreError> {
        self.cannot_read("a webhook cannot be asked for the virtual medium")
    }

    async fn insert_media(&self, kind: MediaKind, source: &MediaSource) -> Result<(), CoreError> {
        self.change(Call::SetVirtualMedia {
            media_url: source.expose().to_owned(),
            kind: kind.as_str().to_owned(),
        })
        .await
    }

    async fn eject_media(&self, kind: MediaKind) -> Result<(), CoreError> {
        self.change(Call::SetVirtualMedia {
            media_url: String::new(),
            kind: kind.as_str().to_owned(),
        })
        .await
    }
}

impl RpcSession {
    fn cannot_read<T>(&self, message: &'static str) -> Result<T, CoreError> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::Closed.into());
        }
        Err(CoreError::new(ErrorKind::Unsupported, message))
    }
}

/// Consumers say `on` or `off` by contract; what else they say is no usable answer, and no failure either.
fn power_state(text: &str) -> PowerState {
    text.trim().parse().unwrap_or(PowerState::Unknown)
}
