//! Operations on the boot override.

use async_trait::async_trait;

use super::{Argument, Operation, Repeat, answer};
use crate::capability::{BootDevice, BootOverride, BootReading};
use crate::error::Error;
use crate::provider::Session;

/// Reads the boot override.
#[derive(Clone, Copy, Debug)]
pub struct GetBootOverride;

/// Sets the boot override.
#[derive(Clone, Copy, Debug)]
pub struct SetBootOverride(pub BootOverride);

#[async_trait]
impl Operation for GetBootOverride {
    type Output = BootReading;

    fn name(&self) -> &'static str {
        "boot get"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<BootReading, Error>> {
        Some(session.boot()?.boot_override().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<BootReading>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for SetBootOverride {
    type Output = ();

    fn name(&self) -> &'static str {
        match self.0.device {
            BootDevice::None => "boot clear",
            _ => "boot set",
        }
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    fn argument(&self) -> Option<Argument<'_>> {
        Some(Argument::BootOverride(self.0))
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.boot()?.set_boot_override(self.0).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let reading = answer(session.boot()?.boot_override().await)?;
        Some(reading.map(|reading| {
            let reached = match self.0.device {
                BootDevice::None => !reading.valid || reading.settings.device == BootDevice::None,
                _ => reading.valid && reading.settings == self.0,
            };
            reached.then_some(())
        }))
    }
}
