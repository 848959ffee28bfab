//! Operations on the identify light.

use async_trait::async_trait;

use super::{Argument, Operation, Repeat, answer};
use crate::capability::{IdentifyAction, IdentifyLight};
use crate::error::Error;
use crate::provider::Session;

/// Reads the identify light.
#[derive(Clone, Copy, Debug)]
pub struct GetIdentifyLight;

/// Switches the identify light.
#[derive(Clone, Copy, Debug)]
pub struct SetIdentify(pub IdentifyAction);

#[async_trait]
impl Operation for GetIdentifyLight {
    type Output = IdentifyLight;

    fn name(&self) -> &'static str {
        "identify status"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<IdentifyLight, Error>> {
        Some(session.identify()?.identify_light().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<IdentifyLight>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for SetIdentify {
    type Output = ();

    fn name(&self) -> &'static str {
        match self.0 {
            IdentifyAction::Off => "identify off",
            IdentifyAction::For(_) | IdentifyAction::On => "identify on",
        }
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    fn argument(&self) -> Option<Argument<'_>> {
        Some(Argument::Identify(self.0))
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.identify()?.set_identify(self.0).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let light = answer(session.identify()?.identify_light().await)?;
        Some(light.map(|light| (light == self.0.goal()).then_some(())))
    }
}
