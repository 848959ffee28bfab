//! The machine behind the BMC: power, boot flags, and what has happened to them.

mod boot_options;
mod chassis;

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::command::{
    BootFlags, BootOption, BootParameter, ChassisControl, ChassisIdentify, PretimeoutInterrupt,
    RestartCause, TimeoutAction,
};
use crate::sim::identify::SimIdentifyLight;
use crate::sim::watchdog::{Bite, Watchdog};
use crate::wire::CompletionCode;

use boot_options::BootOptions;
use chassis::Chassis;

/// A machine: power that takes time to switch, and firmware that honours the boot flags.
#[derive(Clone, Debug)]
pub struct Machine {
    on: bool,
    power_delay: Duration,
    pending: VecDeque<(Instant, bool)>,
    pending_cause: RestartCause,
    restart_cause: RestartCause,
    identify: SimIdentifyLight,
    watchdog: Watchdog,
    changes: Vec<PowerChange>,
    boots: Vec<Boot>,
    counts: Counts,
    boot_options: BootOptions,
    chassis: Chassis,
}

/// A change of power that has happened.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PowerChange {
    /// When.
    pub at: Instant,
    /// The state since then.
    pub on: bool,
}

/// A start of the machine's firmware.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Boot {
    /// When.
    pub at: Instant,
    /// The flags that it honoured; `None` if they were not valid.
    pub flags: Option<BootFlags>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    cycles: u32,
    resets: u32,
    nmis: u32,
    soft_shutdowns: u32,
}

impl Machine {
    pub(crate) fn new(now: Instant, on: bool, power_delay: Duration) -> Self {
        let first = PowerChange { at: now, on };
        Self {
            on,
            power_delay,
            pending: VecDeque::new(),
            pending_cause: RestartCause::UNKNOWN,
            restart_cause: RestartCause::UNKNOWN,
            identify: SimIdentifyLight::Off,
            watchdog: Watchdog::default(),
            changes: if on { vec![first] } else { Vec::new() },
            boots: Vec::new(),
            counts: Counts::default(),
            boot_options: BootOptions::default(),
            chassis: Chassis::default(),
        }
    }

    /// Whether the machine is on.
    pub fn power(&self) -> bool {
        self.on
    }

    /// Switches the machine at once, as somebody at its power button would.
    pub fn set_power(&mut self, now: Instant, on: bool) {
        self.pending.clear();
        self.switch(now, on, RestartCause::POWER_BUTTON);
    }

    /// Changes of power so far, oldest first. A machine that was on at first has that as its first change.
    pub fn power_changes(&self) -> &[PowerChange] {
        &self.changes
    }

    /// Starts of the firmware so far, oldest first.
    pub fn boots(&self) -> &[Boot] {
        &self.boots
    }

    /// Power cycles accepted so far.
    pub fn cycles(&self) -> u32 {
        self.counts.cycles
    }

    /// Hard resets accepted so far.
    pub fn resets(&self) -> u32 {
        self.counts.resets
    }

    /// Diagnostic interrupts (NMI) accepted so far.
    pub fn nmis(&self) -> u32 {
        self.counts.nmis
    }

    /// Soft shutdowns accepted so far.
    pub fn soft_shutdowns(&self) -> u32 {
        self.counts.soft_shutdowns
    }

    /// The boot flags.
    pub fn boot_flags(&self) -> BootFlags {
        self.boot_options.flags
    }

    /// Why the firmware started last.
    pub fn restart_cause(&self) -> RestartCause {
        self.restart_cause
    }

    /// The identify light.
    pub fn identify(&self, now: Instant) -> SimIdentifyLight {
        self.identify.at(now)
    }

    pub(crate) fn set_identify(&mut self, now: Instant, command: ChassisIdentify) {
        self.identify.switch(now, command);
    }

    /// Times that the watchdog has expired.
    pub fn watchdog_expirations(&self) -> u32 {
        self.watchdog.expirations()
    }

    pub(in crate::sim) fn watchdog(&mut self) -> &mut Watchdog {
        &mut self.watchdog
    }

    /// Lets everything happen that is due.
    pub(crate) fn advance(&mut self, now: Instant) {
        while let Some((at, bite)) = self.watchdog.next(now) {
            self.advance_power(at);
            self.bite(at, bite);
        }
        self.advance_power(now);
    }

    fn advance_power(&mut self, now: Instant) {
        while let Some((due, on)) = self.pending.front().copied() {
            if due > now {
                break;
            }
            self.pending.pop_front();
            self.switch(due, on, self.pending_cause);
        }
        self.boot_options.expire(now);
    }

    /// Executes Chassis Control.
    pub(crate) fn control(
        &mut self,
        now: Instant,
        action: ChassisControl,
    ) -> Result<(), CompletionCode> {
        let delay = self.power_delay;
        let cause = RestartCause::CHASSIS_CONTROL;
        self.pending_cause = cause;
        match action {
            ChassisControl::POWER_DOWN => self.schedule([(now + delay, false)]),
            ChassisControl::POWER_UP => self.schedule([(now + delay, true)]),
            ChassisControl::SOFT_SHUTDOWN => {
                self.counts.soft_shutdowns += 1;
                self.schedule([(now + delay, false)]);
            }
            ChassisControl::POWER_CYCLE => {
                self.require_on()?;
                self.counts.cycles += 1;
                self.schedule_cycle(now + delay);
            }
            ChassisControl::HARD_RESET => {
                self.require_on()?;
                self.counts.resets += 1;
                self.boot(now, cause);
            }
            ChassisControl::DIAGNOSTIC_INTERRUPT => {
                self.require_on()?;
                self.counts.nmis += 1;
            }
            _ => return Err(CompletionCode::INVALID_DATA_FIELD),
        }
        self.boot_options.keep();
        self.advance(now);
        Ok(())
    }

    /// Executes Set System Boot Options.
    pub(crate) fn set_boot_option(
        &mut self,
        now: Instant,
        option: &BootOption,
    ) -> Result<(), CompletionCode> {
        self.boot_options.set(now, option)
    }

    /// Executes Get System Boot Options.
    pub(crate) fn boot_option(
        &self,
        parameter: BootParameter,
        set: u8,
    ) -> Result<BootOption, CompletionCode> {
        self.boot_options.get(parameter, set)
    }

    /// The watchdog does something to the host.
    fn bite(&mut self, at: Instant, bite: Bite) {
        if let Bite::Act(_) = bite {
            self.boot_options.on_watchdog();
        }
        match bite {
            _ if !self.on => {}
            Bite::Interrupt(PretimeoutInterrupt::NMI) => self.counts.nmis += 1,
            Bite::Act(TimeoutAction::HARD_RESET) => self.boot(at, RestartCause::WATCHDOG),
            Bite::Act(TimeoutAction::POWER_DOWN) => self.schedule([(at, false)]),
            Bite::Act(TimeoutAction::POWER_CYCLE) => {
                self.pending_cause = RestartCause::WATCHDOG;
                self.schedule_cycle(at);
            }
            Bite::Interrupt(_) | Bite::Act(_) => {}
        }
    }

    fn require_on(&self) -> Result<(), CompletionCode> {
        if self.on {
            Ok(())
        } else {
            Err(CompletionCode::WRONG_STATE)
        }
    }

    /// Off at `off`, and on again after the power cycle interval.
    fn schedule_cycle(&mut self, off: Instant) {
        let on = off + self.power_delay + self.chassis.cycle_interval;
        self.schedule([(off, false), (on, true)]);
    }

    /// The newest command decides; what was on its way is forgotten.
    fn schedule<const N: usize>(&mut self, steps: [(Instant, bool); N]) {
        self.pending = steps.into();
    }

    fn switch(&mut self, at: Instant, on: bool, cause: RestartCause) {
        if self.on == on {
            return;
        }
        self.on = on;
        self.changes.push(PowerChange { at, on });
        if on {
            self.boot(at, cause);
        } else {
            self.watchdog.stop();
        }
    }

    fn boot(&mut self, at: Instant, cause: RestartCause) {
        self.restart_cause = cause;
        let flags = self.boot_options.take();
        self.boots.push(Boot { at, flags });
    }
}

#[cfg(test)]
mod tests {
    use super::boot_options::FLAGS_LIFETIME;
    use super::*;
    use crate::command::BootFlagDevice;

    const DELAY: Duration = Duration::from_secs(3);

    fn pxe(persistent: bool) -> BootFlags {
        BootFlags {
            valid: true,
            persistent,
            device: BootFlagDevice::PXE,
            ..BootFlags::default()
        }
    }

    #[test]
    fn switching_takes_time_and_the_newest_command_decides() {
        let start = Instant::now();
        let mut machine = Machine::new(start, false, DELAY);
        machine.control(start, ChassisControl::POWER_UP).unwrap();
        machine.advance(start + DELAY / 2);
        assert!(!machine.power());
        machine.advance(start + DELAY);
        assert!(machine.power());
        machine
            .control(start + DELAY, ChassisControl::POWER_CYCLE)
            .unwrap();
        machine.advance(start + 10 * DELAY);
        let at = |periods: u32, on| PowerChange {
            at: start + periods * DELAY,
            on,
        };
        assert_eq!(
            machine.power_changes(),
            [at(1, true), at(2, false), at(3, true)]
        );
        machine
            .control(start + 10 * DELAY, ChassisControl::POWER_DOWN)
            .unwrap();
        machine
            .control(start + 10 * DELAY, ChassisControl::POWER_UP)
            .unwrap();
        machine.advance(start + 20 * DELAY);
        assert_eq!(machine.power_changes().len(), 3);
    }

    #[test]
    fn what_needs_power_is_refused_without_it() {
        let start = Instant::now();
        let mut machine = Machine::new(start, false, Duration::ZERO);
        for action in [
            ChassisControl::POWER_CYCLE,
            ChassisControl::HARD_RESET,
            ChassisControl::DIAGNOSTIC_INTERRUPT,
        ] {
            assert_eq!(
                machine.control(start, action),
                Err(CompletionCode::WRONG_STATE)
            );
        }
        let unknown = machine.control(start, ChassisControl::new(9));
        assert_eq!(unknown, Err(CompletionCode::INVALID_DATA_FIELD));
        assert_eq!(
            (machine.cycles(), machine.resets(), machine.nmis()),
            (0, 0, 0)
        );
    }

    #[test]
    fn one_boot_uses_flags_up_unless_they_are_persistent() {
        let start = Instant::now();
        for persistent in [false, true] {
            let mut machine = Machine::new(start, false, Duration::ZERO);
            let flags = pxe(persistent);
            machine
                .set_boot_option(start, &BootOption::Flags(flags))
                .unwrap();
            machine.control(start, ChassisControl::POWER_UP).unwrap();
            machine.control(start, ChassisControl::HARD_RESET).unwrap();
            let booted: Vec<_> = machine.boots().iter().map(|boot| boot.flags).collect();
            assert_eq!(booted, [Some(flags), persistent.then_some(flags)]);
            assert_eq!(machine.boot_flags().valid, persistent);
        }
    }

    #[test]
    fn flags_expire_unless_told_otherwise_or_used() {
        let start = Instant::now();
        let later = start + FLAGS_LIFETIME;
        let flags = BootOption::Flags(pxe(false));
        let mut machine = Machine::new(start, false, DELAY);
        machine.set_boot_option(start, &flags).unwrap();
        machine.advance(later);
        assert!(!machine.boot_flags().valid);

        machine
            .set_boot_option(start, &BootOption::KEEP_AFTER_TIMEOUT)
            .unwrap();
        machine.set_boot_option(start, &flags).unwrap();
        machine.advance(later);
        assert!(machine.boot_flags().valid);

        let mut machine = Machine::new(start, false, 2 * FLAGS_LIFETIME);
        machine.set_boot_option(start, &flags).unwrap();
        machine.control(start, ChassisControl::POWER_UP).unwrap();
        machine.advance(later);
        assert!(machine.boot_flags().valid);
    }
}
