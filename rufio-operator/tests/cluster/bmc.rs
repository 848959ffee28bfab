//! OpenIPMI's `ipmi_sim`: a BMC that nobody here wrote.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};

use super::apiserver::{repository, skip};

/// A running BMC; users are ipmiusr/test and others.
pub struct IpmiSim {
    pub port: u16,
    directory: tempfile::TempDir,
    process: Child,
}

impl IpmiSim {
    /// Starts one, powered off; `None` where the program is missing.
    pub fn start() -> Option<Self> {
        // The port may be taken between being found free and being bound.
        let mut why = String::new();
        for _ in 0..5 {
            let directory = tempfile::tempdir().expect("temporary directory");
            let port = free_port();
            let mut process = Command::new(repository().join(".ci/peers/ipmi_sim/start"))
                .arg(directory.path())
                .arg(port.to_string())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("bash runs");
            let mut line = String::new();
            BufReader::new(process.stdout.take().expect("piped"))
                .read_line(&mut line)
                .expect("readable");
            if line.starts_with("ready") {
                return Some(Self {
                    port,
                    directory,
                    process,
                });
            }
            let output = process.wait_with_output().expect("ends");
            why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        }
        skip(&format!("no ipmi_sim: {why}"));
        None
    }

    /// What the host was told to do, in order, such as `power 1` and `boot pxe`. Reading is left out.
    pub fn commands(&self) -> Vec<String> {
        let log = fs::read_to_string(self.directory.path().join("chassis.log"));
        let log = log.unwrap_or_default();
        log.lines()
            .filter_map(|line| line.split_once(" set ").map(|(_, words)| words.to_owned()))
            .collect()
    }

    /// How often the host has lost its power. A `power cycle` is `power 0`, then `power 1`.
    pub fn power_losses(&self) -> usize {
        let commands = self.commands();
        commands.iter().filter(|it| *it == "power 0").count()
    }
}

impl Drop for IpmiSim {
    fn drop(&mut self) {
        let pid = self.process.id().to_string();
        // The script stops its children on SIGTERM.
        let _ = Command::new("kill").arg(pid).status();
        let _ = self.process.wait();
    }
}

/// A UDP port of 127.0.0.1 that nobody uses now.
pub fn free_port() -> u16 {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).expect("loopback");
    socket.local_addr().expect("bound").port()
}
