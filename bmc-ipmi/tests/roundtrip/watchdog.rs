//! Watchdog timer commands.

use super::*;

wire_type! {
    reset_watchdog_timer: ResetWatchdogTimer = Just(ResetWatchdogTimer);
    get_watchdog_timer: GetWatchdogTimer = Just(GetWatchdogTimer);
    set_watchdog_timer: SetWatchdogTimer = (any::<[u8; 5]>(), any::<(bool, bool, u16)>()).prop_map(
        |(b, (keep_running, without_log, countdown))| SetWatchdogTimer {
            timer_use: TimerUse::new(b[0]), keep_running, without_log, action: TimeoutAction::new(b[1]),
            interrupt: PretimeoutInterrupt::new(b[2]), pretimeout: b[3], clear: ExpirationFlags::new(b[4]), countdown,
        });
    watchdog_timer: WatchdogTimer = (any::<[u8; 5]>(), any::<(bool, bool, u16, Option<u16>)>()).prop_map(
        |(b, (is_running, without_log, countdown, left))| WatchdogTimer {
            timer_use: TimerUse::new(b[0]), is_running, without_log, action: TimeoutAction::new(b[1]),
            interrupt: PretimeoutInterrupt::new(b[2]), pretimeout: b[3], expired: ExpirationFlags::new(b[4]),
            countdown, left,
        });
}
