//! A real API server.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::{Process, program};

/// A kube-apiserver with its etcd.
#[derive(Debug)]
pub struct Kubernetes {
    process: Process,
    directory: TempDir,
    kubectl: PathBuf,
}

impl Kubernetes {
    /// Starts one on free ports. `None`: not installed.
    pub fn start() -> Option<Self> {
        let starter = program("kubernetes-peer")?;
        let kubectl = program("kubectl")?;
        let directory = tempfile::tempdir().unwrap();
        let process = Process::start(
            Command::new(&starter)
                .arg(starter.parent().unwrap())
                .arg(directory.path().join("server")),
        );
        Some(Self {
            process,
            directory,
            kubectl,
        })
    }

    /// The administrator's.
    pub fn kubeconfig(&self) -> &Path {
        Path::new(self.process.ready())
    }

    /// Where a test may put files beside the server's.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// `kubectl` as the administrator.
    pub fn kubectl(&self) -> Command {
        let mut command = Command::new(&self.kubectl);
        command.env("KUBECONFIG", self.kubeconfig());
        command
    }

    /// Ends it, as an orderly shutdown does, and waits for its end.
    pub fn stop(&mut self) {
        self.process.stop();
    }
}
