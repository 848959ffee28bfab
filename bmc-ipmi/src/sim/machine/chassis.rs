//! Settings of the chassis, and the hours that the machine has been on.

use std::time::Duration;

use tokio::time::Instant;

use super::{Machine, PowerChange};
use crate::command::{PohCounter, PowerRestorePolicy, RestartCause, SetFrontPanelEnables};
use crate::wire::CompletionCode;

/// Settings of the chassis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chassis {
    pub(super) policy: PowerRestorePolicy,
    pub(super) buttons: SetFrontPanelEnables,
    pub(super) cycle_interval: Duration,
    /// Hours before the machine was simulated.
    pub(super) hours: u32,
}

impl Default for Chassis {
    fn default() -> Self {
        Self {
            policy: PowerRestorePolicy::UNKNOWN,
            buttons: SetFrontPanelEnables::default(),
            cycle_interval: Duration::ZERO,
            hours: 0,
        }
    }
}

impl Machine {
    /// What happens when mains power comes back.
    pub fn power_restore_policy(&self) -> PowerRestorePolicy {
        self.chassis.policy
    }

    /// Which buttons of the front panel have no effect.
    pub fn disabled_buttons(&self) -> SetFrontPanelEnables {
        self.chassis.buttons
    }

    /// Mains power fails and comes back: the policy decides. An unknown policy is "previous state".
    pub fn lose_mains(&mut self, now: Instant) {
        let was_on = self.power();
        self.pending.clear();
        self.switch(now, false, RestartCause::UNKNOWN);
        match self.chassis.policy {
            PowerRestorePolicy::ALWAYS_ON => self.switch(now, true, RestartCause::POLICY_ALWAYS_ON),
            PowerRestorePolicy::ALWAYS_OFF => {}
            _ => self.switch(now, was_on, RestartCause::POLICY_PREVIOUS),
        }
    }

    /// Begins the power-on hours at `hours`.
    pub fn set_power_on_hours(&mut self, hours: u32) {
        self.chassis.hours = hours;
    }

    pub(in crate::sim) fn set_policy(
        &mut self,
        policy: PowerRestorePolicy,
    ) -> Result<(), CompletionCode> {
        match policy {
            PowerRestorePolicy::QUERY => {}
            PowerRestorePolicy::ALWAYS_OFF
            | PowerRestorePolicy::PREVIOUS
            | PowerRestorePolicy::ALWAYS_ON => self.chassis.policy = policy,
            _ => return Err(CompletionCode::INVALID_DATA_FIELD),
        }
        Ok(())
    }

    pub(in crate::sim) fn set_buttons(&mut self, buttons: SetFrontPanelEnables) {
        self.chassis.buttons = buttons;
    }

    pub(in crate::sim) fn set_cycle_interval(&mut self, seconds: u8) {
        self.chassis.cycle_interval = Duration::from_secs(seconds.into());
    }

    /// The power-on hours counter at `now`.
    pub(in crate::sim) fn poh_counter(&self, now: Instant) -> PohCounter {
        let hours = time_on(self.power_changes(), now).as_secs() / 3600;
        let hours = u32::try_from(hours).unwrap_or(u32::MAX);
        PohCounter {
            minutes_per_count: 60,
            count: self.chassis.hours.saturating_add(hours),
        }
    }
}

/// For how long a machine with these changes has been on.
fn time_on(changes: &[PowerChange], now: Instant) -> Duration {
    let mut total = Duration::ZERO;
    let mut since = None;
    for change in changes {
        match (since, change.on) {
            (None, true) => since = Some(change.at),
            (Some(begin), false) => {
                total += change.at.saturating_duration_since(begin);
                since = None;
            }
            _ => {}
        }
    }
    total + since.map_or(Duration::ZERO, |begin| now.saturating_duration_since(begin))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::command::ChassisControl;

    #[test]
    fn the_policy_decides_after_a_power_failure() {
        let now = Instant::now();
        for (policy, on_before, on_after, cause) in [
            (
                PowerRestorePolicy::ALWAYS_ON,
                false,
                true,
                RestartCause::POLICY_ALWAYS_ON,
            ),
            (
                PowerRestorePolicy::PREVIOUS,
                true,
                true,
                RestartCause::POLICY_PREVIOUS,
            ),
            (
                PowerRestorePolicy::PREVIOUS,
                false,
                false,
                RestartCause::UNKNOWN,
            ),
            (
                PowerRestorePolicy::ALWAYS_OFF,
                true,
                false,
                RestartCause::UNKNOWN,
            ),
        ] {
            let mut machine = Machine::new(now, on_before, Duration::ZERO);
            machine.set_policy(policy).unwrap();
            machine.lose_mains(now);
            assert_eq!(
                (machine.power(), machine.restart_cause()),
                (on_after, cause)
            );
        }
        let mut machine = Machine::new(now, true, Duration::ZERO);
        let unknown = PowerRestorePolicy::new(5);
        assert_eq!(
            machine.set_policy(unknown),
            Err(CompletionCode::INVALID_DATA_FIELD)
        );
    }

    #[test]
    fn hours_count_while_the_machine_is_on() {
        let start = Instant::now();
        let hours = |hours: u64| start + Duration::from_secs(3600 * hours);
        let mut machine = Machine::new(start, true, Duration::ZERO);
        machine.set_power_on_hours(100);
        machine.set_power(hours(2), false);
        machine.set_power(hours(5), true);
        assert_eq!(machine.poh_counter(hours(6)).count, 103);
    }

    #[test]
    fn a_cycle_keeps_off_for_its_interval() {
        let start = Instant::now();
        let mut machine = Machine::new(start, true, Duration::ZERO);
        machine.set_cycle_interval(7);
        machine.control(start, ChassisControl::POWER_CYCLE).unwrap();
        machine.advance(start + Duration::from_secs(6));
        assert!(!machine.power());
        machine.advance(start + Duration::from_secs(7));
        assert!(machine.power());
    }
}
