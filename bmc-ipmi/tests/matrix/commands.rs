//! Which test proves what with which program.

/// A row of the table.
pub(crate) struct Row {
    pub(crate) area: &'static str,
    pub(crate) proofs: &'static [Proof],
}

/// A test by its path.
pub(crate) struct Proof(pub(crate) &'static str);

macro_rules! rows {
    ($($area:literal: $($proof:literal),+;)+) => {
        pub(crate) const COMMANDS: &[Row] = &[$(Row { area: $area, proofs: &[$(Proof($proof)),+] }),+];
    };
}

rows! {
    "power":
        "interop::ipmi_sim::switches", "interop::goipmi::switches_in_both_suites", "interop::pyghmi::fake_bmc_switches",
        "interop::pyghmi::virtualbmc_switches", "foreign::ipmitool::switches_power", "foreign::ipmipower::switches_power",
        "foreign::goipmi::switches_power_and_sets_the_boot_device", "foreign::pyghmi::switches_power_and_sets_the_boot_device";
    "boot override":
        "interop::ipmi_sim::boots_from_the_network", "interop::goipmi::keeps_every_bit_of_the_boot_override",
        "interop::pyghmi::virtualbmc_switches", "foreign::ipmitool::sets_the_boot_device",
        "foreign::administration::freeipmi_looks_after_the_chassis",
        "foreign::goipmi::switches_power_and_sets_the_boot_device", "foreign::pyghmi::switches_power_and_sets_the_boot_device";
    "chassis: identify, policy, restart cause, hours, boot parameters":
        "foreign::administration::ipmitool_looks_after_the_chassis", "foreign::administration::freeipmi_looks_after_the_chassis",
        "foreign::administration::goipmi_administrates";
    "device ID, GUID, self test, channels":
        "interop::administration::ipmi_sim_channels_and_identity", "interop::administration::goipmi_users_and_channels",
        "foreign::administration::ipmitool_looks_at_channels_and_the_bmc", "foreign::administration::freeipmi_looks_at_the_bmc",
        "foreign::administration::goipmi_administrates";
    "users":
        "interop::administration::ipmi_sim_users", "interop::administration::goipmi_users_and_channels",
        "foreign::administration::ipmitool_manages_users", "foreign::administration::freeipmi_checks_out_and_commits_users";
    "watchdog":
        "interop::administration::ipmi_sim_watchdog", "foreign::administration::ipmitool_sets_and_reads_the_watchdog";
    "BMC reset, raw requests": "foreign::administration::freeipmi_commands_the_device";
    "controllers behind the BMC":
        "interop::administration::ipmi_sim_satellite", "foreign::administration::ipmitool_reaches_satellites";
    "event log":
        "interop::records::the_log_of_ipmi_sim_is_read_written_and_cleared",
        "foreign::event_log::ipmitool_lists_what_the_log_holds", "foreign::event_log::freeipmi_lists_and_clears",
        "foreign::event_log::goipmi_lists_the_log_and_grades_it";
    "sensor data records and sensors":
        "interop::sensors::ipmi_sim_records_and_readings", "foreign::sensors::ipmitool_lists_what_the_simulator_holds",
        "foreign::sensors::freeipmi_reads_the_demonstration";
    "FRU inventory":
        "interop::records::the_inventory_of_ipmi_sim_is_read_and_written", "interop::records::the_inventory_of_goipmi_is_read",
        "foreign::fru::ipmitool_prints_what_the_devices_hold", "foreign::fru::freeipmi_prints_all_records",
        "foreign::fru::goipmi_prints_the_devices";
    "LAN configuration":
        "foreign::lan::ipmitool_prints_and_sets", "foreign::lan::ipmi_config_checks_out_the_lan_section";
    "serial console":
        "interop::console::ipmi_sim_has_a_console", "interop::console::goipmi_has_a_console",
        "foreign::console::ipmitool_has_a_console", "foreign::console::ipmiconsole_has_a_console",
        "foreign::console::goipmi_has_a_console";
    "DCMI": "foreign::sensors::ipmitool_speaks_dcmi", "foreign::sensors::freeipmi_speaks_dcmi";
}
