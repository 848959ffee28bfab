//! The identify light, the BMC's own reset and the record of the last restart in memory.

use async_trait::async_trait;

use super::MemorySession;
use crate::capability::{
    BmcControl, BmcReset, Identify, IdentifyAction, IdentifyLight, Restart, RestartCause,
    RestartRecord,
};
use crate::error::Error;
use crate::timestamp::Timestamp;

#[async_trait]
impl Identify for MemorySession {
    async fn identify_light(&self) -> Result<IdentifyLight, Error> {
        self.request(|host| host.light, |_| IdentifyLight::Off)
            .await
    }

    async fn set_identify(&self, wanted: IdentifyAction) -> Result<(), Error> {
        let set = self.request(
            |host| {
                host.counters.identify_sets += 1;
                host.light = wanted.goal();
            },
            |()| (),
        );
        set.await
    }
}

#[async_trait]
impl BmcControl for MemorySession {
    async fn reset_bmc(&self, _: BmcReset) -> Result<(), Error> {
        let reset = self.request(
            |host| {
                host.counters.bmc_resets += 1;
                host.sessions.clear();
            },
            |()| (),
        );
        reset.await?;
        // It notices by itself, unless the BMC lied.
        let _ = self.check();
        Ok(())
    }
}

#[async_trait]
impl RestartRecord for MemorySession {
    /// The time is the number of the start.
    async fn last_restart(&self) -> Result<Restart, Error> {
        let record = |restarts| Restart {
            cause: RestartCause::Command,
            time: Some(Timestamp::from_unix(i64::from(restarts))),
        };
        self.request(|host| record(host.restarts), |_| record(0))
            .await
    }
}
