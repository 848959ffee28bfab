//! Chassis commands.

use super::*;

wire_type! {
    chassis_control: ChassisControl = any::<u8>().prop_map(ChassisControl::new);
    get_chassis_status: GetChassisStatus = Just(GetChassisStatus);
    chassis_status: ChassisStatus = (any::<[u8; 3]>(), any::<Option<u8>>()).prop_map(|(b, front_panel)| {
        ChassisStatus { power: b[0], last_event: b[1], misc: b[2], front_panel }
    });
    boot_flags: BootFlags = boot_flags_values();
    get_system_boot_options: GetSystemBootOptions = any::<[u8; 3]>().prop_map(|b| GetSystemBootOptions {
        parameter: BootParameter::new(b[0]), set: b[1], block: b[2],
    });
    chassis_identify: ChassisIdentify = prop_oneof![
        Just(ChassisIdentify::Default),
        any::<u8>().prop_map(ChassisIdentify::Seconds),
        Just(ChassisIdentify::Indefinitely),
    ];
    get_system_restart_cause: GetSystemRestartCause = Just(GetSystemRestartCause);
    system_restart_cause: SystemRestartCause = any::<(u8, u8)>().prop_map(|(cause, channel)| SystemRestartCause {
        cause: RestartCause::new(cause), channel,
    });
    set_system_boot_options: SetSystemBootOptions = (any::<bool>(), boot_options())
        .prop_map(|(locked, option)| SetSystemBootOptions { locked, option });
    system_boot_options: SystemBootOptions = (0u8..16, any::<bool>(), boot_options())
        .prop_map(|(version, locked, option)| SystemBootOptions { version, locked, option });
    keep_boot_flags: KeepBootFlags = keep_boot_flags_values();
    get_chassis_capabilities: GetChassisCapabilities = Just(GetChassisCapabilities);
    chassis_capabilities: ChassisCapabilities = (any::<(bool, bool, bool, bool)>(), any::<[u8; 4]>(), any::<Option<u8>>())
        .prop_map(|((interlock, diagnostic_interrupt, front_panel_lockout, intrusion_sensor), b, bridge_address)| {
            ChassisCapabilities {
                interlock, diagnostic_interrupt, front_panel_lockout, intrusion_sensor, fru_address: b[0],
                sdr_address: b[1], sel_address: b[2], management_address: b[3], bridge_address,
            }
        });
    set_power_restore_policy: SetPowerRestorePolicy = any::<u8>()
        .prop_map(|policy| SetPowerRestorePolicy(PowerRestorePolicy::new(policy)));
    power_restore_policies: PowerRestorePolicies = (0u8..8).prop_map(PowerRestorePolicies);
    set_front_panel_enables: SetFrontPanelEnables = any::<(bool, bool, bool, bool)>().prop_map(
        |(disable_standby, disable_diagnostic, disable_reset, disable_power)| SetFrontPanelEnables {
            disable_standby, disable_diagnostic, disable_reset, disable_power,
        });
    set_power_cycle_interval: SetPowerCycleInterval = any::<u8>().prop_map(SetPowerCycleInterval);
    get_poh_counter: GetPohCounter = Just(GetPohCounter);
    poh_counter: PohCounter = any::<(u8, u32)>()
        .prop_map(|(minutes_per_count, count)| PohCounter { minutes_per_count, count });
}

fn keep_boot_flags_values() -> impl Strategy<Value = KeepBootFlags> {
    any::<(bool, bool, bool, bool, bool)>().prop_map(
        |(on_event_filter, on_timeout, on_watchdog, on_reset_button, on_power_button)| {
            KeepBootFlags {
                on_event_filter,
                on_timeout,
                on_watchdog,
                on_reset_button,
                on_power_button,
            }
        },
    )
}

fn boot_options() -> impl Strategy<Value = BootOption> {
    let agents = || any::<u8>().prop_map(BootAgents::new);
    prop_oneof![
        any::<u8>().prop_map(BootOption::SetInProgress),
        any::<u8>().prop_map(BootOption::PartitionSelector),
        any::<(bool, bool)>().prop_map(|(requested, discovered)| BootOption::PartitionScan {
            requested,
            discovered
        }),
        keep_boot_flags_values().prop_map(BootOption::ValidBitClearing),
        (agents(), agents()).prop_map(|(mask, data)| BootOption::InfoAcknowledge { mask, data }),
        boot_flags_values().prop_map(BootOption::Flags),
        (0u8..16, any::<u32>(), any::<u32>()).prop_map(|(channel, session_id, timestamp)| {
            BootOption::InitiatorInfo(BootInitiatorInfo {
                channel,
                session_id,
                timestamp,
            })
        }),
        (any::<u8>(), vec(any::<u8>(), 0..=16))
            .prop_map(|(block, data)| BootOption::InitiatorMailbox(BootMailbox { block, data })),
        (8..128u8, vec(any::<u8>(), 0..20)).prop_map(|(parameter, data)| BootOption::Other {
            parameter: BootParameter::new(parameter),
            data,
        }),
    ]
}

fn boot_flags_values() -> impl Strategy<Value = BootFlags> {
    (any::<(bool, bool, bool)>(), any::<[u8; 5]>()).prop_map(|((valid, persistent, efi), b)| {
        BootFlags {
            valid,
            persistent,
            efi,
            device: BootFlagDevice::new(b[0]),
            options: b[1] & 0xc3,
            console: b[2],
            multiplexer: b[3],
            instance: b[4],
        }
    })
}
