//! Why the host started last, by Get System Restart Cause.

use async_trait::async_trait;
use bmc_core::{Error as CoreError, Restart, RestartCause, RestartRecord};

use super::session::IpmiSession;
use crate::command::{GetSystemRestartCause, RestartCause as Code};

#[async_trait]
impl RestartRecord for IpmiSession {
    async fn last_restart(&self) -> Result<Restart, CoreError> {
        let record = self.read(&GetSystemRestartCause).await?;
        Ok(Restart {
            cause: cause(record.cause),
            time: None,
        })
    }
}

fn cause(code: Code) -> RestartCause {
    match code {
        Code::CHASSIS_CONTROL => RestartCause::Command,
        Code::RESET_BUTTON => RestartCause::ResetButton,
        Code::POWER_BUTTON => RestartCause::PowerButton,
        Code::WATCHDOG => RestartCause::Watchdog,
        Code::OEM => RestartCause::Oem,
        Code::POLICY_ALWAYS_ON | Code::POLICY_PREVIOUS => RestartCause::PowerRestored,
        Code::PEF_RESET | Code::PEF_POWER_CYCLE => RestartCause::Event,
        Code::SOFT_RESET => RestartCause::Software,
        Code::REAL_TIME_CLOCK => RestartCause::Clock,
        _ => RestartCause::Unknown,
    }
}
