//! Get Watchdog Timer, §27.7.

use std::time::Duration;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::watchdog::{
    ExpirationFlags, PretimeoutInterrupt, SetWatchdogTimer, TimeoutAction, TimerUse,
};
use crate::command::{Command, bit};
use crate::wire::{NetFn, Privilege};

/// Reads the timer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetWatchdogTimer;

without_data!(GetWatchdogTimer, "Get Watchdog Timer");

impl Command for GetWatchdogTimer {
    type Response = WatchdogTimer;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x25;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The timer.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WatchdogTimer {
    /// Who uses the timer.
    pub timer_use: TimerUse,
    /// Whether it runs.
    pub is_running: bool,
    /// Whether an expiration stays out of the event log.
    pub without_log: bool,
    /// What happens when the timer expires.
    pub action: TimeoutAction,
    /// What interrupts the host before that.
    pub interrupt: PretimeoutInterrupt,
    /// How many seconds before that.
    pub pretimeout: u8,
    /// For which uses it has expired.
    pub expired: ExpirationFlags,
    /// Where the timer starts, in units of 100 ms.
    pub countdown: u16,
    /// What is left, in units of 100 ms; OpenIPMI leaves it out at times.
    pub left: Option<u16>,
}

impl WatchdogTimer {
    /// Unit of the countdowns.
    pub const UNIT: Duration = Duration::from_millis(100);
    const RUNNING: u8 = 0x40;

    /// The time until it expires, if it runs and the BMC tells.
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.left.filter(|_| self.is_running);
        left.map(|left| Self::UNIT * left.into())
    }
}

impl Wire for WatchdogTimer {
    const NAME: &'static str = "Get Watchdog Timer response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let timer_use = r.u8("timer use")?;
        let action = r.u8("timer actions")?;
        Ok(Self {
            timer_use: TimerUse::new(timer_use),
            is_running: timer_use & Self::RUNNING != 0,
            without_log: timer_use & SetWatchdogTimer::WITHOUT_LOG != 0,
            action: TimeoutAction::new(action),
            interrupt: PretimeoutInterrupt::new(action >> 4),
            pretimeout: r.u8("pre-timeout interval")?,
            expired: ExpirationFlags::new(r.u8("expiration flags")?),
            countdown: r.u16_le("initial countdown")?,
            left: match r.remaining() {
                0 => None,
                _ => Some(r.u16_le("present countdown")?),
            },
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.timer_use.value()
                | bit(self.is_running, Self::RUNNING)
                | bit(self.without_log, SetWatchdogTimer::WITHOUT_LOG),
            self.action.value() | self.interrupt.value() << 4,
            self.pretimeout,
            self.expired.value(),
        ]);
        out.put_u16_le(self.countdown);
        if let Some(left) = self.left {
            out.put_u16_le(left);
        }
    }
}
