//! Running the example programs as a user does.
#![allow(dead_code, clippy::indexing_slicing)]

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use bmc_ipmi::sim::{Sim, SimHandle};

/// The variable that the tests keep the password in.
pub(crate) const VARIABLE: &str = "BMC_EXAMPLES_PASSWORD";

/// A command for an example of this package, which `cargo test` has built beside the tests.
pub(crate) fn example(name: &str) -> Command {
    let test = env::current_exe().unwrap();
    let directory = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program: PathBuf = directory.join("examples").join(name);
    let advice = "`cargo test --package examples` builds it";
    assert!(
        program.is_file(),
        "{} is missing: {advice}",
        program.display()
    );
    let mut command = Command::new(program);
    command.env(VARIABLE, "password").stdin(Stdio::null());
    command
}

/// What `bmc --user admin --password-env VARIABLE ARGS` did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `bmc` with user `admin` and password `password`.
pub(crate) fn bmc<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Ran {
    let mut command = example("bmc");
    command.args(["--user", "admin", "--password-env", VARIABLE]);
    Ran::of(command.args(args))
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Self {
            code: status.code().unwrap(),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }

    /// The output of a run that succeeded without a word of complaint.
    #[track_caller]
    pub(crate) fn success(&self) -> &str {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        &self.out
    }

    /// What a run that ended with `code` said to standard error.
    #[track_caller]
    pub(crate) fn failure(&self, code: i32) -> &str {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        &self.err
    }
}

/// A simulated BMC with a server's sensors, and its URL.
pub(crate) async fn server() -> (SimHandle, String) {
    let sim = Sim::builder().demo_inventory().spawn().await.unwrap();
    let url = format!("ipmi://{}", sim.addr());
    (sim, url)
}

/// Runs the lines against such a BMC, and gives what each printed.
pub(crate) async fn demonstrate<const N: usize>(lines: [&'static str; N]) -> [String; N] {
    let (sim, url) = server().await;
    let printed = tokio::task::spawn_blocking(move || {
        lines.map(|line| {
            let ran = bmc(line.split(' ').chain([url.as_str()]));
            ran.success().to_owned()
        })
    });
    let printed = printed.await.unwrap();
    drop(sim);
    printed
}

/// Interrupts a program, as Ctrl-C does.
pub(crate) fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.unwrap().success());
}

/// A `virtual-bmc` that ends with this value.
pub(crate) struct VirtualBmc {
    child: Child,
    /// The URLs that it printed.
    pub(crate) urls: Vec<String>,
    /// The comments that it printed.
    pub(crate) advice: String,
}

impl VirtualBmc {
    /// Starts it on a free port of 127.0.0.1, with user `admin` and password `password`.
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut command = example("virtual-bmc");
        command
            .args(["--ipmi", "127.0.0.1:0", "--user", "admin"])
            .args(["--password-env", VARIABLE])
            .args(args);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let mut bmcs = Self {
            child,
            urls: vec![],
            advice: String::new(),
        };
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            match line.strip_prefix('#') {
                None => bmcs.urls.push(line),
                Some(" Serving until interrupted.") => break,
                Some(words) => bmcs.advice.push_str(&format!("{words}\n")),
            }
        }
        assert!(!bmcs.urls.is_empty(), "virtual-bmc has not started");
        bmcs
    }

    /// Host and port of the first BMC.
    pub(crate) fn address(&self) -> (&str, &str) {
        let address = self.urls[0].strip_prefix("ipmi://").unwrap();
        address.rsplit_once(':').unwrap()
    }

    /// Asks it to end, as `kill` does.
    pub(crate) fn terminate(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        Command::new("kill").arg(id).status().unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for VirtualBmc {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
