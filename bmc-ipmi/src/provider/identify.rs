//! The identify light by Chassis Identify, read back by Get Chassis Status.

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{Error as CoreError, ErrorKind, Identify, IdentifyAction, IdentifyLight};

use super::session::IpmiSession;
use crate::command::{ChassisIdentify, ChassisStatus, GetChassisStatus};

#[async_trait]
impl Identify for IpmiSession {
    async fn identify_light(&self) -> Result<IdentifyLight, CoreError> {
        let status = self.read(&GetChassisStatus).await?;
        light(&status).ok_or_else(|| {
            let message = "BMC does not tell the state of the identify light";
            CoreError::new(ErrorKind::Unsupported, message)
        })
    }

    async fn set_identify(&self, wanted: IdentifyAction) -> Result<(), CoreError> {
        self.change(&command_for(wanted)?).await?;
        match self
            .read(&GetChassisStatus)
            .await
            .ok()
            .as_ref()
            .and_then(light)
        {
            // How long it shows is the BMC's affair; some tell a light for a time from others badly.
            Some(seen) if (seen == IdentifyLight::Off) != (wanted == IdentifyAction::Off) => {
                Err(CoreError::new(
                    ErrorKind::Rejected,
                    format!("BMC accepted it, but the identify light is {seen}"),
                ))
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn command_for(wanted: IdentifyAction) -> Result<ChassisIdentify, CoreError> {
    match wanted {
        IdentifyAction::Off => Ok(ChassisIdentify::OFF),
        IdentifyAction::On => Ok(ChassisIdentify::Indefinitely),
        // The BMC counts whole seconds.
        IdentifyAction::For(time) => u8::try_from(time.as_secs())
            .ok()
            .filter(|seconds| *seconds > 0 && time == Duration::from_secs((*seconds).into()))
            .map(ChassisIdentify::Seconds)
            .ok_or_else(|| {
                CoreError::new(
                    ErrorKind::InvalidInput,
                    format!("identify time is {time:?}: IPMI allows 1 to 255 whole seconds"),
                )
            }),
    }
}

/// `None` where the BMC does not tell.
fn light(status: &ChassisStatus) -> Option<IdentifyLight> {
    let is_told = status.misc & ChassisStatus::IDENTIFY_VALID != 0;
    is_told.then_some(
        match status.misc & (ChassisStatus::IDENTIFY_TIMED | ChassisStatus::IDENTIFY_ON) {
            0 => IdentifyLight::Off,
            ChassisStatus::IDENTIFY_TIMED => IdentifyLight::Timed,
            _ => IdentifyLight::On,
        },
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn only_whole_seconds_that_fit_a_byte_can_be_asked_for() {
        let seconds = |s| command_for(IdentifyAction::For(Duration::from_secs(s)));
        assert_eq!(seconds(1).unwrap(), ChassisIdentify::Seconds(1));
        assert_eq!(seconds(255).unwrap(), ChassisIdentify::Seconds(255));
        for wrong in [
            Duration::ZERO,
            Duration::from_secs(256),
            Duration::from_millis(1500),
        ] {
            let error = command_for(IdentifyAction::For(wrong)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert!(error.to_string().contains("1 to 255"), "{error}");
        }
    }
}
