//! Finding and running programs that are no part of this project.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bmc_core::Credentials;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::{Sim, SimBuilder, SimHandle};
use tokio::process::Command;
use tokio::time::{sleep, timeout};

pub(crate) const SUITES: [CipherSuite; 2] = CipherSuite::AUTOMATIC;

/// An installed program.
pub(crate) struct Tool(PathBuf);

impl Tool {
    /// `None`: not installed.
    pub(crate) fn find(name: &str) -> Option<Self> {
        peers::program(name).map(Self)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) async fn ipmitool(
        &self,
        bmc: &SimHandle,
        suite: CipherSuite,
        command: &str,
    ) -> String {
        self.ipmitool_result(bmc, suite, command).await.unwrap()
    }

    pub(crate) async fn ipmitool_fails(
        &self,
        bmc: &SimHandle,
        suite: CipherSuite,
        command: &str,
    ) -> String {
        self.ipmitool_result(bmc, suite, command).await.unwrap_err()
    }

    pub(crate) async fn ipmitool_result(
        &self,
        bmc: &SimHandle,
        suite: CipherSuite,
        command: &str,
    ) -> Result<String, String> {
        let id = suite.id().to_string();
        let mut args = vec!["-I", "lanplus", "-C", &id, "-N", "1", "-R", "2"];
        args.extend(command.split_whitespace());
        self.run(bmc, &args).await
    }

    /// Runs ipmitool with the credentials and the address.
    pub(crate) async fn run(&self, bmc: &SimHandle, args: &[&str]) -> Result<String, String> {
        let (host, port) = (bmc.addr().ip().to_string(), bmc.addr().port().to_string());
        self.run_with_credentials(
            &["-U", "admin", "-P", "password", "-H", &host, "-p", &port],
            args,
        )
        .await
    }

    /// As `run`, with whatever the program writes, be it well or not.
    pub(crate) async fn run_all(&self, bmc: &SimHandle, args: &[&str]) -> String {
        let (host, port) = (bmc.addr().ip().to_string(), bmc.addr().port().to_string());
        let mut command = Command::new(&self.0);
        command
            .args(["-U", "admin", "-P", "password", "-H", &host, "-p", &port])
            .args(args)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = timeout(Duration::from_secs(60), command.output()).await;
        let output = output.expect("program hangs").unwrap();
        let both = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&both).into_owned()
    }

    /// The result of one host, without its name.
    pub(crate) async fn ipmipower(
        &self,
        bmc: &SimHandle,
        suite: CipherSuite,
        command: &[&str],
    ) -> String {
        let (host, id) = (bmc.addr().to_string(), suite.id().to_string());
        let args = [
            "-D", "LAN_2_0", "-I", &id, "-h", &host, "-u", "admin", "-p", "password",
        ];
        let output = match self.run_with_credentials(&args, command).await {
            Ok(output) | Err(output) => output,
        };
        output.rsplit(": ").next().unwrap().trim().to_owned()
    }

    /// The result of one host over IPMI v1.5, without its name.
    pub(crate) async fn ipmipower_v15(
        &self,
        bmc: &SimHandle,
        auth_type: &str,
        command: &[&str],
    ) -> String {
        let host = bmc.addr().to_string();
        let args = [
            "-D", "LAN", "-a", auth_type, "-h", &host, "-u", "admin", "-p", "password",
        ];
        let output = match self.run_with_credentials(&args, command).await {
            Ok(output) | Err(output) => output,
        };
        output.rsplit(": ").next().unwrap().trim().to_owned()
    }

    pub(crate) async fn goipmi(&self, bmc: &SimHandle, chassis: &str) -> String {
        let mut args = vec!["-I", "lanplus", "chassis"];
        args.extend(chassis.split_whitespace());
        self.run(bmc, &args).await.unwrap()
    }

    pub(crate) async fn run_with_credentials(
        &self,
        first: &[&str],
        then: &[&str],
    ) -> Result<String, String> {
        let mut command = Command::new(&self.0);
        command
            .args(first)
            .args(then)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = timeout(Duration::from_secs(60), command.output()).await;
        let output = output.expect("program hangs").unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        if output.status.success() {
            Ok(stdout)
        } else {
            Err(format!("{stdout}\n{stderr}"))
        }
    }
}

/// The output of one of FreeIPMI's programs.
pub(crate) async fn freeipmi(tool: &Tool, bmc: &SimHandle, args: &[&str]) -> String {
    let host = bmc.addr().to_string();
    let base = [
        "-D", "LAN_2_0", "-I", "17", "-h", &host, "-u", "admin", "-p", "password", "-l", "admin",
    ];
    tool.run_with_credentials(&base, args).await.unwrap()
}

pub(crate) fn bmc() -> SimBuilder {
    Sim::builder().credentials(credentials())
}

pub(crate) fn credentials() -> Credentials {
    Credentials::new("admin", "password")
}

pub(crate) fn changes(bmc: &SimHandle) -> Vec<bool> {
    bmc.power_changes().iter().map(|change| change.on).collect()
}

/// Waits for what a program that does not wait for its answer has led to.
pub(crate) async fn until(bmc: &SimHandle, condition: impl Fn(&SimHandle) -> bool) {
    let waited = timeout(Duration::from_secs(30), async {
        while !condition(bmc) {
            sleep(Duration::from_millis(5)).await;
        }
    });
    let typed = bmc.serial(|port| String::from_utf8_lossy(port.typed()).into_owned());
    waited
        .await
        .unwrap_or_else(|_| panic!("does not happen; typed: {typed:?}"));
}
