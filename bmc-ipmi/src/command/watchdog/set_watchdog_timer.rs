//! Set Watchdog Timer, §27.6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::watchdog::{ExpirationFlags, PretimeoutInterrupt, TimeoutAction, TimerUse};
use crate::command::{Command, bit};
use crate::wire::{NetFn, Privilege};

/// Sets the timer and stops it, unless it shall run on. [`ResetWatchdogTimer`](crate::command::ResetWatchdogTimer)
/// starts it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SetWatchdogTimer {
    /// Who uses the timer.
    pub timer_use: TimerUse,
    /// Whether a running timer runs on, from the new countdown.
    pub keep_running: bool,
    /// Whether an expiration stays out of the event log.
    pub without_log: bool,
    /// What happens when the timer expires.
    pub action: TimeoutAction,
    /// What interrupts the host before that.
    pub interrupt: PretimeoutInterrupt,
    /// How many seconds before that.
    pub pretimeout: u8,
    /// Flags to clear.
    pub clear: ExpirationFlags,
    /// Where the timer starts, in units of 100 ms.
    pub countdown: u16,
}

impl SetWatchdogTimer {
    pub(super) const WITHOUT_LOG: u8 = 0x80;
    const KEEP_RUNNING: u8 = 0x40;
}

impl Wire for SetWatchdogTimer {
    const NAME: &'static str = "Set Watchdog Timer";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let timer_use = r.u8("timer use")?;
        let action = r.u8("timer actions")?;
        Ok(Self {
            timer_use: TimerUse::new(timer_use),
            keep_running: timer_use & Self::KEEP_RUNNING != 0,
            without_log: timer_use & Self::WITHOUT_LOG != 0,
            action: TimeoutAction::new(action),
            interrupt: PretimeoutInterrupt::new(action >> 4),
            pretimeout: r.u8("pre-timeout interval")?,
            clear: ExpirationFlags::new(r.u8("expiration flags")?),
            countdown: r.u16_le("initial countdown")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.timer_use.value()
                | bit(self.keep_running, Self::KEEP_RUNNING)
                | bit(self.without_log, Self::WITHOUT_LOG),
            self.action.value() | self.interrupt.value() << 4,
            self.pretimeout,
            self.clear.value(),
        ]);
        out.put_u16_le(self.countdown);
    }
}

impl Command for SetWatchdogTimer {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x24;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SMS/OS, hard reset after 60 s, NMI 10 s before, as FreeIPMI's `bmc-watchdog --set -u 4 -a 1 -p 2 -z 10 -i 60`.
    #[test]
    fn known_bytes() {
        let set = SetWatchdogTimer {
            timer_use: TimerUse::SMS_OS,
            action: TimeoutAction::HARD_RESET,
            interrupt: PretimeoutInterrupt::NMI,
            pretimeout: 10,
            clear: ExpirationFlags::of(TimerUse::SMS_OS),
            countdown: 600,
            ..SetWatchdogTimer::default()
        };
        let bytes = [0x04, 0x21, 0x0a, 0x10, 0x58, 0x02];
        assert_eq!(set.to_bytes(), bytes);
        assert_eq!(SetWatchdogTimer::from_bytes(&bytes), Ok(set));
    }
}
