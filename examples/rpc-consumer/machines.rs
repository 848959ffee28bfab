//! The virtual machines: in memory, or behind a program.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::process::Command;

/// Machines by host. One that was never named is off.
pub struct Machines {
    program: Option<PathBuf>,
    in_memory: Mutex<BTreeMap<String, Machine>>,
}

#[derive(Default)]
struct Machine {
    on: bool,
    boot: String,
}

/// A word that no machine understands; nothing was done.
pub struct Unknown(pub String);

impl Machines {
    pub fn new(program: Option<PathBuf>) -> Self {
        Self {
            program,
            in_memory: Mutex::default(),
        }
    }

    pub async fn is_on(&self, host: &str) -> io::Result<bool> {
        match &self.program {
            Some(_) => Ok(self.run(host, "status").await?.trim() == "on"),
            None => Ok(self.in_memory().get(host).is_some_and(|machine| machine.on)),
        }
    }

    pub async fn switch(&self, host: &str, state: &str) -> io::Result<Result<(), Unknown>> {
        let on = match state {
            "on" | "cycle" => Some(true),
            "off" | "soft" => Some(false),
            "reset" => None,
            other => return Ok(Err(Unknown(other.to_owned()))),
        };
        if self.program.is_some() {
            self.run(host, state).await?;
        } else {
            let mut machines = self.in_memory();
            let machine = machines.entry(host.to_owned()).or_default();
            machine.on = on.unwrap_or(machine.on);
        }
        Ok(Ok(()))
    }

    /// Remembered and, as far as these machines go, enough.
    pub fn boot_from(&self, host: &str, device: &str) -> Result<(), Unknown> {
        let mut machines = self.in_memory();
        device.clone_into(&mut machines.entry(host.to_owned()).or_default().boot);
        Ok(())
    }

    async fn run(&self, host: &str, word: &str) -> io::Result<String> {
        let program = self.program.clone().unwrap_or_default();
        let output = Command::new(&program).args([host, word]).output().await?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(io::Error::other(format!(
            "{} {host} {word}: {}",
            program.display(),
            output.status
        )))
    }

    fn in_memory(&self) -> MutexGuard<'_, BTreeMap<String, Machine>> {
        self.in_memory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
