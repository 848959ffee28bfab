//! ipmitool, ipmiconsole and go-ipmi at the simulated BMC's serial port: what is typed arrives, what is printed is seen.

use std::net::Ipv4Addr;
use std::process::Stdio;
use std::time::Duration;

use bmc_ipmi::command::SolBitRate;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::SimHandle;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::tool::{Tool, bmc, until};

/// A program that thinks it has a terminal, by util-linux's `script`.
struct Terminal {
    child: Child,
    keyboard: ChildStdin,
    screen: ChildStdout,
    seen: Vec<u8>,
}

impl Terminal {
    fn start(tool: &Tool, args: &[&str]) -> Self {
        let program = tool.path().to_str().unwrap();
        let line: Vec<_> = [program]
            .iter()
            .chain(args)
            .map(|arg| format!("'{arg}'"))
            .collect();
        let mut child = Command::new("script")
            .args(["-qefc", &line.join(" "), "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("util-linux's script");
        Self {
            keyboard: child.stdin.take().unwrap(),
            screen: child.stdout.take().unwrap(),
            child,
            seen: Vec::new(),
        }
    }

    async fn type_in(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).await.unwrap();
        self.keyboard.flush().await.unwrap();
    }

    /// Waits until `text` is on the screen.
    async fn see(&mut self, text: &str) {
        let seen = timeout(Duration::from_secs(30), async {
            let mut buffer = [0; 1024];
            while !String::from_utf8_lossy(&self.seen).contains(text) {
                let count = self.screen.read(&mut buffer).await.unwrap();
                assert!(count > 0, "ends without {text:?}: {}", self.shown());
                self.seen.extend(&buffer[..count]);
            }
        });
        seen.await
            .unwrap_or_else(|_| panic!("{text:?} does not come: {}", self.shown()));
    }

    /// Waits for the end of the program.
    async fn end(mut self) {
        let mut rest = Vec::new();
        let ended = timeout(Duration::from_secs(30), async {
            let _ = self.screen.read_to_end(&mut rest).await;
            self.child.wait().await.unwrap();
        });
        assert!(ended.await.is_ok(), "does not end: {}", self.shown());
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }
}

fn has_typed(text: &'static str) -> impl Fn(&SimHandle) -> bool {
    move |bmc| bmc.serial(|port| String::from_utf8_lossy(port.typed()).contains(text))
}

fn at(bmc: &SimHandle) -> (String, String) {
    (bmc.addr().ip().to_string(), bmc.addr().port().to_string())
}

#[tokio::test]
async fn ipmitool_has_a_console() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for suite in ["3", "17"] {
        let bmc = bmc().spawn().await.unwrap();
        let (host, port) = at(&bmc);
        let args = [
            "-I", "lanplus", "-C", suite, "-H", &host, "-p", &port, "-U", "admin", "-P",
            "password", "sol", "activate",
        ];
        let mut terminal = Terminal::start(&tool, &args);
        terminal.see("SOL Session operational").await;
        bmc.serial(|port| port.print("\r\nlogin: "));
        terminal.see("login: ").await;
        terminal.type_in(b"root\r").await;
        until(&bmc, has_typed("root\r")).await;
        // More than one packet, with acknowledgements lost and packets refused on the way.
        bmc.serial(|port| {
            port.faults().lose_next_acknowledgements = 1;
            port.set_echo(true);
            port.print("=".repeat(2000) + "printed");
        });
        terminal.see("printed").await;
        terminal.type_in(b"echo typed").await;
        until(&bmc, has_typed("echo typed")).await;
        terminal.see("echo typed").await;
        // It sends the rest of a packet once, and only where nothing is printed meanwhile.
        bmc.serial(|port| {
            port.set_echo(false);
            port.faults().partial = Some(5);
        });
        terminal.type_in(b" in parts").await;
        until(&bmc, has_typed("echo typed in parts")).await;
        bmc.serial(|port| port.faults().partial = None);
        terminal.type_in(b"\r~B").await;
        until(&bmc, |bmc| bmc.serial(|port| !port.breaks().is_empty())).await;
        terminal.type_in(b"\r~.").await;
        terminal.end().await;
        until(&bmc, |bmc| !bmc.serial(|port| port.is_active())).await;
    }
}

#[tokio::test]
async fn ipmitool_ends_the_console_of_another() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let (host, port) = at(&bmc);
    let args = [
        "-I", "lanplus", "-C", "17", "-H", &host, "-p", &port, "-U", "admin", "-P", "password",
        "sol", "activate",
    ];
    let mut terminal = Terminal::start(&tool, &args);
    terminal.see("SOL Session operational").await;
    let refused = tool
        .ipmitool_fails(&bmc, CipherSuite::SUITE_17, "sol activate")
        .await;
    assert!(refused.contains("SOL payload already active"), "{refused}");
    tool.ipmitool(&bmc, CipherSuite::SUITE_17, "sol deactivate")
        .await;
    assert!(!bmc.serial(|port| port.is_active()));
}

#[tokio::test]
async fn ipmitool_configures_the_console() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let info = tool
        .ipmitool(&bmc, CipherSuite::SUITE_17, "sol info 1")
        .await;
    for line in [
        "Enabled                         : true".to_owned(),
        "Privilege Level                 : USER".to_owned(),
        "Character Accumulate Level (ms) : 60".to_owned(),
        "Character Send Threshold        : 96".to_owned(),
        "Retry Count                     : 7".to_owned(),
        "Retry Interval (ms)             : 100".to_owned(),
        "Volatile Bit Rate (kbps)        : 115.2".to_owned(),
        format!("Payload Port                    : {}", bmc.addr().port()),
    ] {
        assert!(info.contains(&line), "{line:?} in {info}");
    }
    for (setting, check) in [
        ("volatile-bit-rate 19.2", SolBitRate::BPS_19200),
        ("volatile-bit-rate 57.6", SolBitRate::BPS_57600),
    ] {
        let set = format!("sol set {setting} 1");
        tool.ipmitool(&bmc, CipherSuite::SUITE_17, &set).await;
        assert_eq!(bmc.serial(|port| port.bit_rate()), check);
    }
    tool.ipmitool(&bmc, CipherSuite::SUITE_17, "sol set enabled false 1")
        .await;
    let refused = tool
        .ipmitool_fails(&bmc, CipherSuite::SUITE_17, "sol activate")
        .await;
    assert!(refused.contains("SOL payload disabled"), "{refused}");
}

#[tokio::test]
async fn ipmiconsole_has_a_console() {
    let Some(tool) = Tool::find("ipmiconsole") else {
        return;
    };
    // It knows no other port than 623.
    let [a, b, ..] = std::process::id().to_le_bytes();
    let address = (Ipv4Addr::new(127, a, b, 201), 623);
    let spawned = bmc().address(address).spawn().await;
    if let Err(error) = &spawned {
        eprintln!("SKIPPED: port 623: {error}");
        return;
    }
    let bmc = spawned.unwrap();
    let host = bmc.addr().ip().to_string();
    let args = [
        "-I", "17", "-h", &host, "-u", "admin", "-p", "password", "-l", "admin",
    ];
    let mut terminal = Terminal::start(&tool, &args);
    terminal.see("[SOL established]").await;
    bmc.serial(|port| port.print("\r\nlogin: "));
    terminal.see("login: ").await;
    terminal.type_in(b"root\r").await;
    until(&bmc, has_typed("root\r")).await;
    bmc.serial(|port| port.print("-".repeat(3000) + "end"));
    terminal.see("end").await;
    terminal.type_in(b"&B").await;
    until(&bmc, |bmc| bmc.serial(|port| !port.breaks().is_empty())).await;
    terminal.type_in(b"&.").await;
    terminal.end().await;
    until(&bmc, |bmc| !bmc.serial(|port| port.is_active())).await;
}

#[tokio::test]
async fn goipmi_has_a_console() {
    let Some(tool) = Tool::find("goipmi") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let (host, port) = at(&bmc);
    let args = [
        "-I", "lanplus", "-H", &host, "-p", &port, "-U", "admin", "-P", "password", "sol",
        "activate",
    ];
    let mut terminal = Terminal::start(&tool, &args);
    until(&bmc, |bmc| bmc.serial(|port| port.is_active())).await;
    bmc.serial(|port| port.print("\r\nlogin: "));
    terminal.see("login: ").await;
    terminal.type_in(b"root\r").await;
    until(&bmc, has_typed("root\r")).await;
}
