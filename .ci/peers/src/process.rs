//! A running program.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A program that says on standard output when it is ready. It ends with this value.
#[derive(Debug)]
pub struct Process {
    child: Child,
    first: String,
    lines: Mutex<Receiver<String>>,
}

impl Process {
    /// Starts it and waits for its first line.
    ///
    /// # Panics
    ///
    /// If it does not start or ends without a line.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next();
        let first = first.unwrap_or_else(|| panic!("{command:?} says nothing"));
        Self {
            child,
            first: first.unwrap(),
            lines: Mutex::new(pass_on(lines)),
        }
    }

    /// What it said first.
    pub fn first(&self) -> &str {
        &self.first
    }

    /// What follows `ready ` in what it said first.
    ///
    /// # Panics
    ///
    /// If it said something else.
    pub fn ready(&self) -> &str {
        let words = self.first.strip_prefix("ready ");
        words.unwrap_or_else(|| panic!("it says {:?}", self.first))
    }

    /// The next line that it prints.
    ///
    /// # Panics
    ///
    /// If it prints none for 20 s.
    pub fn line(&self) -> String {
        let lines = self.lines.lock().unwrap();
        lines
            .recv_timeout(Duration::from_secs(20))
            .expect("the program prints no more")
    }

    /// Asks it to end, and waits for its end.
    pub fn stop(&mut self) {
        let id = self.child.id().to_string();
        Command::new("kill").arg(id).status().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads on, so that the program never waits for the test.
fn pass_on(lines: Lines<BufReader<ChildStdout>>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    receiver
}
