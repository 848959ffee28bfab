//! BMCs that nobody here wrote, each on a loopback address of its own.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::sync::atomic::{AtomicU8, Ordering};

use tempfile::TempDir;

use crate::{Process, file, program};

/// A running BMC.
pub trait Bmc {
    /// Where it listens on UDP.
    fn address(&self) -> SocketAddr;
}

/// OpenIPMI's simulator: cipher suite 3. Its users are named in `.ci/peers/ipmi_sim/start`.
#[derive(Debug)]
pub struct IpmiSim {
    process: Process,
    directory: TempDir,
}

/// The server of go-ipmi: cipher suites 3 and 17.
#[derive(Debug)]
pub struct GoIpmi(Process);

/// BMCs made of Python: cipher suite 3.
#[derive(Debug)]
pub struct Pyghmi(Process);

impl IpmiSim {
    /// Starts a BMC, powered off. `None`: not installed.
    pub fn start() -> Option<Self> {
        Self::run(None)
    }

    /// As `start`, with a serial port that is whatever listens at this address on TCP.
    pub fn start_with_serial(serial: SocketAddr) -> Option<Self> {
        Self::run(Some(serial))
    }

    fn run(serial: Option<SocketAddr>) -> Option<Self> {
        program("ipmi_sim")?;
        let directory = tempfile::tempdir().unwrap();
        let address = own_address();
        let (port, ip) = (address.port().to_string(), address.ip().to_string());
        let mut command = Command::new(file(".ci/peers/ipmi_sim/start"));
        command.arg(directory.path()).args([&port, &ip]);
        command.envs(serial.map(|serial| ("SOL_TCP", serial.to_string())));
        Some(Self {
            process: Process::start(&mut command),
            directory,
        })
    }

    /// What the BMC did to its host, one line each.
    pub fn log(&self) -> String {
        self.state("chassis.log")
    }

    /// What the host was told to do, in order, such as `power 1` and `boot pxe`. Reading is left out.
    pub fn commands(&self) -> Vec<String> {
        self.log()
            .lines()
            .filter_map(|line| line.split_once(" set ").map(|(_, words)| words.to_owned()))
            .collect()
    }

    /// How often the host has lost its power. A `power cycle` is `power 0`, then `power 1`.
    pub fn power_losses(&self) -> usize {
        let commands = self.commands();
        commands.iter().filter(|it| *it == "power 0").count()
    }

    /// Whether the host is on: `1` or `0`; empty before the first command.
    pub fn power(&self) -> String {
        self.state("power").trim().to_owned()
    }

    /// What the host boots from, such as `pxe`; empty before the first command.
    pub fn boot(&self) -> String {
        self.state("boot").trim().to_owned()
    }

    fn state(&self, name: &str) -> String {
        fs::read_to_string(self.directory.path().join(name)).unwrap_or_default()
    }
}

impl GoIpmi {
    /// Starts a BMC with one administrator. `None`: not installed.
    pub fn start(user: &str, password: &str) -> Option<Self> {
        Self::run(user, password, None)
    }

    /// As `start`, with one cipher suite instead of 3 and 17.
    pub fn start_with_suite(user: &str, password: &str, suite: u8) -> Option<Self> {
        Self::run(user, password, Some(suite))
    }

    fn run(user: &str, password: &str, suite: Option<u8>) -> Option<Self> {
        let mut command = Command::new(program("goipmi-peer")?);
        let address = own_address();
        command.args([&address.to_string(), user, password]);
        command.args(suite.map(|suite| suite.to_string()));
        Some(Self(Process::start(&mut command)))
    }
}

impl Pyghmi {
    /// Starts a `fake` BMC or a `virtualbmc`. `None`: not installed.
    pub fn start(kind: &str, user: &str, password: &str) -> Option<Self> {
        let mut command = Command::new(program("pyghmi-python")?);
        let address = own_address();
        let (ip, port) = (address.ip().to_string(), address.port().to_string());
        command
            .arg(file(".ci/peers/pyghmi/bmc.py"))
            .args([kind, &ip, &port, user, password]);
        Some(Self(Process::start(&mut command)))
    }
}

impl Bmc for IpmiSim {
    fn address(&self) -> SocketAddr {
        self.process.ready().parse().unwrap()
    }
}

impl Bmc for GoIpmi {
    fn address(&self) -> SocketAddr {
        self.0.ready().parse().unwrap()
    }
}

impl Bmc for Pyghmi {
    fn address(&self) -> SocketAddr {
        self.0.ready().parse().unwrap()
    }
}

/// An address for one peer: a free port of a shared address might be taken before the peer binds it.
fn own_address() -> SocketAddr {
    static COUNT: AtomicU8 = AtomicU8::new(1);
    let [a, b, ..] = std::process::id().to_le_bytes();
    let ip = Ipv4Addr::new(127, a, b, COUNT.fetch_add(1, Ordering::Relaxed));
    (ip, 9623).into()
}
