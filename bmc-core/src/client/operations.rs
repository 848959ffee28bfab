//! The operations of this crate as methods.

use super::Bmc;
use crate::capability::{
    BmcIdentity, BmcReset, BootOverride, BootReading, Component, ConsoleOptions, ConsoleStream,
    EventLogInfo, EventMarker, EventPage, IdentifyAction, IdentifyLight, MediaKind, MediaSource,
    PowerAction, PowerState, Restart, Sensor, User, UserSettings,
};
use crate::operation::{
    ClearEvents, DeleteUser, EjectVirtualMedia, GetBootOverride, GetEventLog, GetEvents,
    GetIdentifyLight, GetIdentity, GetInventory, GetLastRestart, GetPowerState, GetSensors,
    GetUsers, GetVirtualMedia, OpenConsole, ResetBmc, SendNmi, SetBootOverride, SetIdentify,
    SetPower, SetUser, SetUserEnabled, SetVirtualMedia,
};
use crate::report::{Exhausted, Outcome};

impl Bmc {
    /// Reads the power state.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn power_state(&self) -> Result<Outcome<PowerState>, Exhausted> {
        self.run(GetPowerState).await
    }

    /// Sends a power action.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn set_power(&self, action: PowerAction) -> Result<Outcome<()>, Exhausted> {
        self.run(SetPower(action)).await
    }

    /// Reads the boot override.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn boot_override(&self) -> Result<Outcome<BootReading>, Exhausted> {
        self.run(GetBootOverride).await
    }

    /// Sets the boot override.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn set_boot_override(&self, wanted: BootOverride) -> Result<Outcome<()>, Exhausted> {
        self.run(SetBootOverride(wanted)).await
    }

    /// Reads what is inserted in a drive of virtual media.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn virtual_media(
        &self,
        kind: MediaKind,
    ) -> Result<Outcome<Option<MediaSource>>, Exhausted> {
        self.run(GetVirtualMedia(kind)).await
    }

    /// Inserts a virtual medium.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn set_virtual_media(
        &self,
        kind: MediaKind,
        source: MediaSource,
    ) -> Result<Outcome<()>, Exhausted> {
        self.run(SetVirtualMedia { kind, source }).await
    }

    /// Ejects a virtual medium.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn eject_virtual_media(&self, kind: MediaKind) -> Result<Outcome<()>, Exhausted> {
        self.run(EjectVirtualMedia(kind)).await
    }

    /// Sends a non-maskable interrupt.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn send_nmi(&self) -> Result<Outcome<()>, Exhausted> {
        self.run(SendNmi).await
    }

    /// Reads the BMC's identity.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn identity(&self) -> Result<Outcome<BmcIdentity>, Exhausted> {
        self.run(GetIdentity).await
    }

    /// Reads what the BMC noted when the host started last.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn last_restart(&self) -> Result<Outcome<Restart>, Exhausted> {
        self.run(GetLastRestart).await
    }

    /// Restarts the BMC itself.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn reset_bmc(&self, reset: BmcReset) -> Result<Outcome<()>, Exhausted> {
        self.run(ResetBmc(reset)).await
    }

    /// Reads how full the event log is and when it changed.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn event_log(&self) -> Result<Outcome<EventLogInfo>, Exhausted> {
        self.run(GetEventLog).await
    }

    /// Reads at most `limit` events, from the begin of the log or behind `after`. To watch the log, go on from each page's marker.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn events(
        &self,
        after: Option<EventMarker>,
        limit: usize,
    ) -> Result<Outcome<EventPage>, Exhausted> {
        self.run(GetEvents { after, limit }).await
    }

    /// Deletes all events.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn clear_events(&self) -> Result<Outcome<()>, Exhausted> {
        self.run(ClearEvents).await
    }

    /// Reads every sensor once.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn sensors(&self) -> Result<Outcome<Vec<Sensor>>, Exhausted> {
        self.run(GetSensors).await
    }

    /// Lists the machine's components.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn inventory(&self) -> Result<Outcome<Vec<Component>>, Exhausted> {
        self.run(GetInventory).await
    }

    /// Lists the BMC's users.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn users(&self) -> Result<Outcome<Vec<User>>, Exhausted> {
        self.run(GetUsers).await
    }

    /// Changes or creates a user.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn set_user(&self, wanted: UserSettings) -> Result<Outcome<User>, Exhausted> {
        self.run(SetUser(wanted)).await
    }

    /// Lets a user log in, or no longer.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn set_user_enabled(
        &self,
        id: impl Into<String>,
        enabled: bool,
    ) -> Result<Outcome<()>, Exhausted> {
        let id = id.into();
        self.run(SetUserEnabled { id, enabled }).await
    }

    /// Deletes a user.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn delete_user(&self, id: impl Into<String>) -> Result<Outcome<()>, Exhausted> {
        self.run(DeleteUser { id: id.into() }).await
    }

    /// Opens the host's serial console. It stays open when this handle is closed.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn open_console(
        &self,
        options: ConsoleOptions,
    ) -> Result<Outcome<Box<dyn ConsoleStream>>, Exhausted> {
        self.run(OpenConsole(options)).await
    }

    /// Reads the identify light.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn identify_light(&self) -> Result<Outcome<IdentifyLight>, Exhausted> {
        self.run(GetIdentifyLight).await
    }

    /// Switches the identify light.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn set_identify(&self, wanted: IdentifyAction) -> Result<Outcome<()>, Exhausted> {
        self.run(SetIdentify(wanted)).await
    }
}
