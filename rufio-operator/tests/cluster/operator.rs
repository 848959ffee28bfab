//! The program under test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A running operator.
pub struct Operator {
    process: Child,
    log: Arc<Mutex<String>>,
}

impl Operator {
    /// Starts the program as `run` with these arguments; servers listen on free loopback ports.
    pub fn start(kubeconfig: &Path, arguments: &[&str]) -> Self {
        // The kernel ends it with the thread that started it, however that ends.
        let mut process = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "--"])
            .arg(env!("CARGO_BIN_EXE_rufio-operator"))
            .arg("run")
            .arg("--kubeconfig")
            .arg(kubeconfig)
            .args([
                "--metrics-bind-address=127.0.0.1:0",
                "--health-probe-bind-address=127.0.0.1:0",
                "--log-level=info,rufio_operator=debug",
            ])
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let log = Arc::new(Mutex::new(String::new()));
        let stderr = process.stderr.take().expect("piped");
        let kept = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut log = kept.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        Self { process, log }
    }

    /// Starts the program for one namespace.
    pub fn for_namespace(kubeconfig: &Path, namespace: &str) -> Self {
        let only = format!("--kube-namespace={namespace}");
        let operator = Self::start(kubeconfig, &[&only]);
        operator.await_ready();
        operator
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until /readyz says so.
    pub fn await_ready(&self) {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(30) {
            if self
                .get("health", "/readyz")
                .is_some_and(|(code, _)| code == 200)
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("not ready after 30 s:\n{}", self.log());
    }

    /// Status and body of an answer of one of its servers, `health` or `metrics`.
    pub fn get(&self, server: &str, path: &str) -> Option<(u16, String)> {
        let address = self.address(server)?;
        let mut stream = TcpStream::connect(address).ok()?;
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let code = answer.split(' ').nth(1)?.parse().ok()?;
        let body = answer.split_once("\r\n\r\n")?.1.to_owned();
        Some((code, body))
    }

    fn address(&self, server: &str) -> Option<SocketAddr> {
        let log = self.log();
        let line = log
            .lines()
            .find(|line| line.contains("listening") && line.contains(server))?;
        let address = line.split_once("address=")?.1.split(' ').next()?;
        address.parse().ok()
    }

    /// Kills it as a power failure would.
    pub fn kill(mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("ended");
    }

    /// Waits until it ends by itself.
    pub fn ended(mut self) -> ExitStatus {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(30) {
            if let Some(status) = self.process.try_wait().expect("asked") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("still running after 30 s");
    }

    /// Asks it to stop; says how it ended, and how long that took.
    pub fn stop(mut self) -> (ExitStatus, Duration) {
        let began = Instant::now();
        let pid = self.process.id().to_string();
        Command::new("kill").arg(pid).status().expect("kill runs");
        let status = self.process.wait().expect("ended");
        (status, began.elapsed())
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "operator's log:\n{}", self.log());
        }
    }
}
