//! Starting the foreign programs, each on a loopback address of its own.

use std::env;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};

use bmc_core::Endpoint;

/// A running BMC.
pub(crate) trait Peer {
    fn address(&self) -> &str;

    fn endpoint(&self) -> Endpoint {
        Endpoint::new(self.address(), PORT).unwrap()
    }
}

const PORT: u16 = 9623;

/// OpenIPMI's simulator: cipher suite 3. Users are named in `.ci/peers/ipmi_sim/start`.
pub(crate) struct IpmiSim {
    program: Program,
    directory: PathBuf,
}

/// The server of go-ipmi: cipher suites 3 and 17.
pub(crate) struct GoIpmi(Program);

/// BMCs made of Python: cipher suite 3.
pub(crate) struct Pyghmi(Program);

struct Program {
    child: Child,
    address: String,
    /// Kept open: the script ends when nobody reads.
    _stdout: BufReader<ChildStdout>,
}

impl IpmiSim {
    /// Starts a BMC whose state lives in a directory named after the test. `None`: not installed.
    pub(crate) fn start(test: &str) -> Option<Self> {
        Self::start_with_serial(test, None)
    }

    /// As `start`, with a serial port that is whatever listens at this address on TCP.
    pub(crate) fn start_with_serial(test: &str, serial: Option<SocketAddr>) -> Option<Self> {
        if !on_path("ipmi_sim") {
            return missing("ipmi_sim");
        }
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ipmi_sim-{test}"));
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/peers/ipmi_sim/start");
        let address = own_address();
        let mut command = Command::new(script);
        command.arg(&directory).args([&PORT.to_string(), &address]);
        command.envs(serial.map(|serial| ("SOL_TCP", serial.to_string())));
        Some(Self {
            program: Program::start(command, address),
            directory,
        })
    }

    /// What the BMC did to its host, one line each.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.directory.join("chassis.log")).unwrap_or_default()
    }
}

impl GoIpmi {
    /// Starts a BMC with one administrator. `None`: not installed.
    pub(crate) fn start(user: &str, password: &str) -> Option<Self> {
        Self::run(user, password, None)
    }

    /// As `start`, with one cipher suite instead of 3 and 17.
    pub(crate) fn start_with_suite(user: &str, password: &str, suite: u8) -> Option<Self> {
        Self::run(user, password, Some(suite))
    }

    fn run(user: &str, password: &str, suite: Option<u8>) -> Option<Self> {
        let program = in_peers("goipmi-peer")?;
        let address = own_address();
        let mut command = Command::new(program);
        command.args([&format!("{address}:{PORT}"), user, password]);
        command.args(suite.map(|suite| suite.to_string()));
        Some(Self(Program::start(command, address)))
    }
}

impl Pyghmi {
    /// Starts a `fake` BMC or a `virtualbmc`. `None`: not installed.
    pub(crate) fn start(kind: &str, user: &str, password: &str) -> Option<Self> {
        let python = in_peers("pyghmi-python")?;
        let address = own_address();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/peers/pyghmi/bmc.py");
        let mut command = Command::new(python);
        command
            .arg(script)
            .args([kind, &address, &PORT.to_string(), user, password]);
        Some(Self(Program::start(command, address)))
    }
}

impl Peer for IpmiSim {
    fn address(&self) -> &str {
        &self.program.address
    }
}

impl Peer for GoIpmi {
    fn address(&self) -> &str {
        &self.0.address
    }
}

impl Peer for Pyghmi {
    fn address(&self) -> &str {
        &self.0.address
    }
}

impl Program {
    fn start(mut command: Command, address: String) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let program = Self {
            child,
            address,
            _stdout: stdout,
        };
        assert!(line.starts_with("ready"), "{command:?} says {line:?}");
        program
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A loopback address for one peer: a free port of a shared address might be taken before the peer binds it.
fn own_address() -> String {
    static COUNT: AtomicU8 = AtomicU8::new(1);
    let [a, b, ..] = std::process::id().to_le_bytes();
    format!("127.{a}.{b}.{}", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// A program of `$RUFIO_PEERS/bin`.
fn in_peers(name: &str) -> Option<PathBuf> {
    let peers = env::var_os("RUFIO_PEERS").map(PathBuf::from);
    let program = peers.map(|peers| peers.join("bin").join(name));
    match program.filter(|program| program.exists()) {
        Some(program) => Some(program),
        None => missing(&format!("{name} in $RUFIO_PEERS/bin")),
    }
}

fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

fn missing<T>(what: &str) -> Option<T> {
    assert!(env::var_os("CI").is_none(), "{what} is missing");
    eprintln!("SKIPPED: {what} is missing; .ci/peers/install gets it");
    None
}
