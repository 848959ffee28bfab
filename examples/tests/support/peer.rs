//! Foreign programs, each on a loopback address of its own.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};

/// A foreign program; `None` says that the test is to be skipped. `.ci/test` sets `RUFIO_PEERS`; without it plain
/// `cargo test` needs nothing foreign.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::var_os("RUFIO_PEERS").and_then(|peers| {
        // Debian puts ipmipower where only root looks.
        [Path::new(&peers).join("bin")]
            .into_iter()
            .chain(env::split_paths(&path))
            .chain(["/usr/sbin".into()])
            .map(|directory| directory.join(name))
            .find(|candidate| candidate.is_file())
    });
    if found.is_none() {
        let advice = "run .ci/peers/install and set RUFIO_PEERS";
        assert!(env::var_os("CI").is_none(), "{name} is missing: {advice}");
        eprintln!("SKIPPED: {name} is missing: {advice}");
    }
    found
}

/// A server that ends with this value.
pub(crate) struct Peer {
    child: Child,
    /// Kept open: some end when nobody reads.
    _stdout: BufReader<ChildStdout>,
    /// The URL of its BMC.
    pub(crate) url: String,
}

impl Peer {
    /// Runs a command whose first line of output is `ready ADDRESS:PORT`.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let Some(address) = line.trim().strip_prefix("ready ") else {
            panic!("{command:?} says {line:?}");
        };
        let url = format!("ipmi://{address}");
        Self {
            child,
            _stdout: stdout,
            url,
        }
    }

    /// OpenIPMI's simulator with its state in `directory`; its users are named in its `start` script.
    pub(crate) fn ipmi_sim(directory: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/peers/ipmi_sim/start");
        let mut command = Command::new(script);
        Self::start(command.arg(directory).args([PORT, &own_address()]))
    }

    /// go-ipmi's server.
    pub(crate) fn go_ipmi(program: &Path, user: &str, password: &str) -> Self {
        let address = format!("{}:{PORT}", own_address());
        Self::start(Command::new(program).args([&address, user, password]))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const PORT: &str = "9623";

/// A loopback address for one peer: a free port of a shared address might be taken before the peer binds it.
fn own_address() -> String {
    static COUNT: AtomicU8 = AtomicU8::new(1);
    let [a, b, ..] = std::process::id().to_le_bytes();
    format!("127.{a}.{b}.{}", COUNT.fetch_add(1, Ordering::Relaxed))
}
