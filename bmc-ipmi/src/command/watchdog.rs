//! Watchdog timer commands, §27.

mod get_watchdog_timer;
mod reset_watchdog_timer;
mod set_watchdog_timer;
mod timer_use;

pub use get_watchdog_timer::{GetWatchdogTimer, WatchdogTimer};
pub use reset_watchdog_timer::ResetWatchdogTimer;
pub use set_watchdog_timer::SetWatchdogTimer;
pub use timer_use::{ExpirationFlags, PretimeoutInterrupt, TimeoutAction, TimerUse};
