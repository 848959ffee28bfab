//! Watchdog timer commands.

use crate::command::{GetWatchdogTimer, ResetWatchdogTimer, SetWatchdogTimer, WatchdogTimer};
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn reset_watchdog(
        &mut self,
        call: Call,
        _: ResetWatchdogTimer,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.machine.watchdog().start(call.now)
    }

    pub(in crate::sim) fn set_watchdog(
        &mut self,
        call: Call,
        command: SetWatchdogTimer,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.machine.watchdog().set(call.now, command)
    }

    pub(in crate::sim) fn watchdog(
        &mut self,
        call: Call,
        _: GetWatchdogTimer,
    ) -> Result<WatchdogTimer, CompletionCode> {
        Ok(self.machine.watchdog().read(call.now))
    }
}
