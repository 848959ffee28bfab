//! Chassis commands.

use super::*;

wire_type! {
    chassis_identify: ChassisIdentify = prop_oneof![
        Just(ChassisIdentify::Default),
        any::<u8>().prop_map(ChassisIdentify::Seconds),
        Just(ChassisIdentify::Indefinitely),
    ];
    get_system_restart_cause: GetSystemRestartCause = Just(GetSystemRestartCause);
    system_restart_cause: SystemRestartCause = any::<(u8, u8)>().prop_map(|(cause, channel)| SystemRestartCause {
        cause: RestartCause::new(cause), channel,
    });
}
