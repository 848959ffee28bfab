//! The reading of all sensors as an operation.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::Sensor;
use crate::error::Error;
use crate::provider::Session;

/// Reads every sensor once.
#[derive(Clone, Copy, Debug)]
pub struct GetSensors;

#[async_trait]
impl Operation for GetSensors {
    type Output = Vec<Sensor>;

    fn name(&self) -> &'static str {
        "sensors"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    fn is_sweep(&self) -> bool {
        true
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<Vec<Sensor>, Error>> {
        Some(session.sensors()?.sensors().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<Vec<Sensor>>, Error>> {
        None
    }
}
