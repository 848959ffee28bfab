//! What a virtual BMC has seen.

use std::collections::BTreeSet;

use bmc_ipmi::command::BootFlagDevice;
use bmc_ipmi::sim::SimHandle;

/// One line about what happened to a machine.
pub fn of(bmc: &SimHandle) -> String {
    let switched: Vec<_> = switched(bmc)
        .map(|on| if on { "on" } else { "off" })
        .collect();
    let boot = if booted_by_pxe(bmc) {
        "booted by PXE"
    } else {
        "not booted by PXE"
    };
    let log = bmc.log();
    let sessions: BTreeSet<u32> = log.iter().filter_map(|executed| executed.session).collect();
    format!(
        "switched {}, {boot}; {} commands in {} session(s)",
        switched.join(", "),
        log.len(),
        sessions.len(),
    )
}

/// Whether the machine went off, then on, and booted from the network.
pub fn is_as_wanted(bmc: &SimHandle) -> bool {
    switched(bmc).eq([false, true]) && booted_by_pxe(bmc)
}

/// The changes of power after the state at the start, which is the first one of a machine that was on.
fn switched(bmc: &SimHandle) -> impl Iterator<Item = bool> {
    bmc.power_changes()
        .into_iter()
        .skip(1)
        .map(|change| change.on)
}

fn booted_by_pxe(bmc: &SimHandle) -> bool {
    let boots = bmc.boots();
    let flags = boots.last().and_then(|boot| boot.flags);
    flags.is_some_and(|flags| flags.device == BootFlagDevice::PXE)
}
