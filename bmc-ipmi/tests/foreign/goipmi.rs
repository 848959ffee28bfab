//! go-ipmi's command line against the simulated BMC.

use bmc_ipmi::command::BootFlagDevice;

use crate::tool::{SUITES, Tool, bmc, changes};

#[tokio::test]
async fn switches_power_and_sets_the_boot_device() {
    let Some(tool) = Tool::find("goipmi") else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        for (command, expected) in [
            ("power on", &[true][..]),
            ("power cycle", &[true, false, true]),
            ("power off", &[true, false, true, false]),
        ] {
            tool.goipmi(&bmc, command).await;
            assert_eq!(changes(&bmc), expected, "{command}");
        }
        assert_eq!(bmc.cycles(), 1);
        assert_eq!(
            tool.goipmi(&bmc, "power status").await,
            "Chassis Power is off"
        );
        tool.goipmi(&bmc, "bootdev pxe").await;
        assert_eq!(bmc.boot_flags().device, BootFlagDevice::PXE);
    }
}
