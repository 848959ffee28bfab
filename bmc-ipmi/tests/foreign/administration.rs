//! Users, channels, watchdog, chassis, resets and bridging by ipmitool, FreeIPMI's programs and go-ipmi.

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::command::{BootFlagDevice, PowerRestorePolicy};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{BridgeReplies, Sim, SimHandle, SimIdentifyLight};
use bmc_ipmi::wire::Privilege;
use bmc_ipmi::{Client, Error, Login, Transport};
use tokio::time::{Duration, Instant};

use crate::tool::{Tool, bmc, until};

const SUITE: CipherSuite = CipherSuite::SUITE_17;

/// Runs one of FreeIPMI's programs.
async fn freeipmi(tool: &Tool, bmc: &SimHandle, arguments: &[&str]) -> String {
    let host = bmc.addr().to_string();
    let connection = [
        "-D", "LAN_2_0", "-I", "17", "-h", &host, "-u", "admin", "-p", "password", "-l", "ADMIN",
    ];
    tool.run_with_credentials(&connection, arguments)
        .await
        .unwrap()
}

async fn log_in(bmc: &SimHandle, name: &str, password: &str) -> Result<Client, Error> {
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623).unwrap();
    let login = Login::new(&Credentials::new(name, password)).unwrap();
    let login = login.privilege(Privilege::USER).unwrap().into();
    let deadline = Instant::now() + Duration::from_secs(20);
    Client::connect(
        &Transport::new(),
        &endpoint,
        login,
        Known::default(),
        deadline,
    )
    .await
}

#[track_caller]
fn shows(output: &str, lines: &[&str]) {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: Vec<_> = output.lines().map(words).collect();
    for line in lines {
        assert!(
            shown.iter().any(|shown| shown.contains(line)),
            "{line:?} in {output}"
        );
    }
}

#[tokio::test]
async fn ipmitool_manages_users() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    for command in [
        "user set name 3 oper",
        "user set password 3 seventeen-letters 20",
        "channel setaccess 1 3 link=on ipmi=on callin=on privilege=3",
        "user enable 3",
        "sol payload enable 1 3",
    ] {
        tool.ipmitool(&bmc, SUITE, command).await;
    }
    log_in(&bmc, "oper", "seventeen-letters").await.unwrap();
    let list = tool.ipmitool(&bmc, SUITE, "user list 1").await;
    shows(
        &list,
        &[
            "2 admin true true true ADMINISTRATOR",
            "3 oper true true true OPERATOR",
        ],
    );
    let access = tool.ipmitool(&bmc, SUITE, "channel getaccess 1 3").await;
    shows(
        &access,
        &["IPMI Messaging : enabled", "Enable Status : enabled"],
    );
    let tested = tool
        .ipmitool(&bmc, SUITE, "user test 3 20 seventeen-letters")
        .await;
    shows(&tested, &["Success"]);
    tool.ipmitool_fails(&bmc, SUITE, "user test 3 16 sixteen")
        .await;
    let sol = tool.ipmitool(&bmc, SUITE, "sol payload status 1 3").await;
    shows(&sol, &["User 3 on channel 1 is enabled"]);

    tool.ipmitool(&bmc, SUITE, "user priv 3 2 1").await;
    shows(
        &tool.ipmitool(&bmc, SUITE, "user list 1").await,
        &["3 oper true true true USER"],
    );
    tool.ipmitool(&bmc, SUITE, "user disable 3").await;
    assert!(log_in(&bmc, "oper", "seventeen-letters").await.is_err());
}

#[tokio::test]
async fn ipmitool_looks_at_channels_and_the_bmc() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    for (command, lines) in [
        (
            "channel info 1",
            &[
                "Channel Medium Type : 802.3 LAN",
                "Access Mode : always available",
            ][..],
        ),
        ("mc selftest", &["Selftest: passed"]),
        (
            "mc guid",
            &["System GUID : 626D632D69706D692D73696D2D626D63"],
        ),
        (
            "session info active",
            &["user id : 2", "session type : IPMIv2/RMCP+"],
        ),
        (
            "mc setsysinfo system_name a name of more than one block",
            &[],
        ),
        ("mc getsysinfo system_name", &["a"]),
    ] {
        shows(&tool.ipmitool(&bmc, SUITE, command).await, lines);
    }
    tool.ipmitool(&bmc, SUITE, "mc reset cold").await;
    until(&bmc, |bmc| bmc.restarts() == 1).await;
}

#[tokio::test]
async fn ipmitool_sets_and_reads_the_watchdog() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().power(true).spawn().await.unwrap();
    let never_set = tool.ipmitool_fails(&bmc, SUITE, "mc watchdog reset").await;
    shows(&never_set, &["Attempt to reset uninitialized watchdog"]);
    // SMS/OS, hard reset after 60 s, NMI 10 s before.
    tool.ipmitool(&bmc, SUITE, "raw 6 0x24 0x04 0x21 0x0a 0x10 0x58 0x02")
        .await;
    tool.ipmitool(&bmc, SUITE, "mc watchdog reset").await;
    let timer = tool.ipmitool(&bmc, SUITE, "mc watchdog get").await;
    shows(
        &timer,
        &[
            "Watchdog Timer Use: SMS/OS",
            "Watchdog Timer Is: Started/Running",
            "Hard Reset",
            "Pre-timeout interrupt: NMI",
            "Initial Countdown: 60.0 sec",
        ],
    );
    tool.ipmitool(&bmc, SUITE, "mc watchdog off").await;
    let timer = tool.ipmitool(&bmc, SUITE, "mc watchdog get").await;
    shows(&timer, &["Watchdog Timer Is: Stopped"]);
}

#[tokio::test]
async fn ipmitool_looks_after_the_chassis() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    bmc.machine(|machine| machine.set_power_on_hours(1234));
    for (command, lines) in [
        (
            "chassis policy list",
            &["always-off always-on previous"][..],
        ),
        ("chassis policy previous", &[]),
        ("chassis identify force", &["indefinite"]),
        ("chassis power on", &[]),
        ("chassis restart_cause", &["chassis power control command"]),
        ("chassis poh", &["51 days, 10 hours"]),
        (
            "chassis status",
            &[
                "Power Restore Policy : previous",
                "Power Button Disable : allowed",
            ],
        ),
        (
            "chassis bootparam set bootflag force_pxe",
            &["Set Boot Device to force_pxe"],
        ),
        (
            "chassis bootparam get 3",
            &["Boot parameter 3 is valid/unlocked"],
        ),
        ("chassis bootparam get 4", &["Boot Info Acknowledge"]),
        ("chassis bootparam get 6", &["Boot Initiator Info"]),
        (
            "chassis bootparam get 7",
            &["Boot parameter 7 is valid/unlocked"],
        ),
    ] {
        shows(&tool.ipmitool(&bmc, SUITE, command).await, lines);
    }
    let (policy, light) = bmc.machine(|m| (m.power_restore_policy(), m.identify(Instant::now())));
    assert_eq!(
        (policy, light),
        (PowerRestorePolicy::PREVIOUS, SimIdentifyLight::On)
    );
    assert_eq!(bmc.boot_flags().device, BootFlagDevice::PXE);
}

#[tokio::test]
async fn ipmitool_reaches_satellites() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for replies in [BridgeReplies::Follow, BridgeReplies::Embedded] {
        let blade = Sim::builder().luns([0, 1]).power(true);
        let shelf = Sim::builder().satellite(7, 0x72, blade);
        let bmc = bmc()
            .bridge_replies(replies)
            .satellite(0, 0x82, shelf)
            .spawn()
            .await
            .unwrap();
        let single = tool
            .ipmitool(&bmc, SUITE, "-t 0x82 -b 0 chassis power status")
            .await;
        assert_eq!(single, "Chassis Power is off");
        tool.ipmitool(&bmc, SUITE, "-t 0x82 -b 0 chassis power on")
            .await;
        let on = bmc.satellite(0, 0x82, |shelf| shelf.machine(Instant::now()).power());
        assert_eq!((on, bmc.power()), (Some(true), false));
        let absent = tool
            .ipmitool_fails(&bmc, SUITE, "-t 0x84 -b 0 chassis power status")
            .await;
        assert!(absent.contains("Chassis Power Status"), "{absent}");
        if replies == BridgeReplies::Follow {
            let way = "-B 0 -T 0x82 -b 7 -t 0x72";
            let dual = tool
                .ipmitool(&bmc, SUITE, &format!("{way} chassis power status"))
                .await;
            assert_eq!(dual, "Chassis Power is on");
            tool.ipmitool(&bmc, SUITE, &format!("{way} -l 1 raw 6 1"))
                .await;
            let lun = bmc.satellite(0, 0x82, |shelf| {
                let blade = shelf.satellite(7, 0x72).unwrap();
                blade.log().last().unwrap().lun
            });
            assert_eq!(lun, Some(1));
        }
    }
}

#[tokio::test]
async fn freeipmi_looks_at_the_bmc() {
    let Some(tool) = Tool::find("bmc-info") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let info = freeipmi(&tool, &bmc, &[]).await;
    shows(
        &info,
        &[
            "IPMI Version : 2.0",
            "System GUID : 636d622d-6d69-732d-696d-70692d636d62",
            "Medium Type : 802.3 LAN",
        ],
    );
}

#[tokio::test]
async fn freeipmi_looks_after_the_chassis() {
    let Some(tool) = Tool::find("ipmi-chassis") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    for (arguments, lines) in [
        (&["--chassis-control=power-up"][..], &[][..]),
        (
            &["--get-system-restart-cause"],
            &["Restart cause : Chassis control command"],
        ),
        (&["--set-power-restore-policy=always-on"], &[]),
        (&["--set-power-cycle-interval=3"], &[]),
        (&["--chassis-identify=force"], &[]),
        (
            &["--get-chassis-capabilities"],
            &["Diagnostic Interrupt : provided"],
        ),
        (
            &["--get-chassis-status"],
            &[
                "Chassis Identify state : Indefinite on",
                "Power restore policy : Always on",
            ],
        ),
        (
            &["--get-boot-flags"],
            &["Boot device selector : No override"],
        ),
    ] {
        shows(&freeipmi(&tool, &bmc, arguments).await, lines);
    }
    let policy = bmc.machine(|machine| machine.power_restore_policy());
    assert_eq!(policy, PowerRestorePolicy::ALWAYS_ON);
}

#[tokio::test]
async fn freeipmi_commands_the_device() {
    let Some(device) = Tool::find("bmc-device") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let tested = freeipmi(&device, &bmc, &["--get-self-test-results"]).await;
    shows(&tested, &["Self Test Result : No Error"]);
    let state = freeipmi(&device, &bmc, &["--get-acpi-power-state"]).await;
    shows(&state, &["ACPI System Power State : UNKNOWN"]);
    if let Some(raw) = Tool::find("ipmi-raw") {
        let answer = freeipmi(&raw, &bmc, &["0", "6", "0x37"]).await;
        shows(
            &answer,
            &["rcvd: 37 00 62 6D 63 2D 69 70 6D 69 2D 73 69 6D 2D 62 6D 63"],
        );
    }
    freeipmi(&device, &bmc, &["--cold-reset"]).await;
    until(&bmc, |bmc| bmc.restarts() == 1).await;
}

#[tokio::test]
async fn freeipmi_checks_out_and_commits_users() {
    let Some(tool) = Tool::find("ipmi-config") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    for pair in [
        "User3:Username=oper",
        "User3:Password=secret",
        "User3:Enable_User=Yes",
        "User3:Lan_Enable_IPMI_Msgs=Yes",
        "User3:Lan_Privilege_Limit=Operator",
    ] {
        freeipmi(
            &tool,
            &bmc,
            &["--category=core", "--commit", "--key-pair", pair],
        )
        .await;
    }
    log_in(&bmc, "oper", "secret").await.unwrap();
    let section = freeipmi(
        &tool,
        &bmc,
        &["--category=core", "--checkout", "--section=User3"],
    )
    .await;
    shows(
        &section,
        &[
            "Username oper",
            "Enable_User Yes",
            "Lan_Privilege_Limit Operator",
        ],
    );
    let channel = freeipmi(
        &tool,
        &bmc,
        &["--category=core", "--checkout", "--section=Lan_Channel"],
    )
    .await;
    shows(&channel, &["Volatile_Access_Mode Always_Available"]);
}

#[tokio::test]
async fn goipmi_administrates() {
    let Some(tool) = Tool::find("goipmi") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    bmc.machine(|machine| machine.set_power_on_hours(1234));
    for (command, lines) in [
        (
            "user list 1",
            &["2 | admin | true | true | true | ADMINISTRATOR"][..],
        ),
        (
            "channel info 1",
            &[
                "Channel Medium Type : 802.3 LAN",
                "Max Privilege Level : ADMINISTRATOR",
            ],
        ),
        ("mc watchdog get", &["Watchdog Timer Is : Stopped"]),
        ("chassis poh", &["Counter reading : 1234"]),
        ("chassis policy list", &["always-off always-on previous"]),
        ("chassis restart_cause", &["unknown"]),
        ("session info active", &["user id : 2"]),
    ] {
        let mut arguments = vec!["-I", "lanplus"];
        arguments.extend(command.split_whitespace());
        shows(&tool.run(&bmc, &arguments).await.unwrap(), lines);
    }
}
