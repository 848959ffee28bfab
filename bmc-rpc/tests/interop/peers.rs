//! Programs in other languages, started and stopped by tests.

use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A program that prints its port first and then lines. Ends with the test.
pub(crate) struct Peer {
    child: Child,
    pub(crate) port: u16,
    lines: Receiver<String>,
}

impl Peer {
    /// Runs a Python program, or says that there is no Python.
    pub(crate) fn python(program: PathBuf, arguments: &[&str]) -> Option<Self> {
        if !available("python3") {
            return None;
        }
        let mut command = Command::new("python3");
        Some(Self::start(command.arg(program).args(arguments)))
    }

    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines
            .next()
            .expect("the peer prints no port")
            .unwrap()
            .parse()
            .unwrap();
        Self {
            child,
            port,
            lines: pass_on(lines),
        }
    }

    /// The next line that the peer prints.
    pub(crate) fn line(&self) -> String {
        self.lines
            .recv_timeout(Duration::from_secs(20))
            .expect("the peer prints no more")
    }
}

/// Reads on, so that the peer never waits for the test.
fn pass_on(lines: Lines<BufReader<ChildStdout>>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        lines
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    receiver
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a program is there. Missing in CI it is a failure, elsewhere a visible skip.
pub(crate) fn available(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", "command -v \"$0\" >/dev/null", program])
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        assert!(std::env::var_os("CI").is_none(), "{program} is missing");
        eprintln!("skipped: {program} is missing");
    }
    found
}

/// A file of this repository, seen from its root.
pub(crate) fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
