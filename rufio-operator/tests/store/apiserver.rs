//! A kube-apiserver of its own for a test.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use rufio_operator::store::kube::client;
use tempfile::TempDir;

pub(crate) struct ApiServer {
    process: Child,
    pub(crate) kubeconfig: PathBuf,
    _directory: TempDir,
}

impl ApiServer {
    /// Starts one, if `RUFIO_PEERS` tells where its programs are. Else this is a skip, or in CI a failure.
    pub(crate) fn start() -> Option<Self> {
        let Some(peers) = std::env::var_os("RUFIO_PEERS") else {
            let missing = "kubernetes-peer is missing: .ci/test installs it and sets RUFIO_PEERS";
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            eprintln!("SKIPPED: {missing}");
            return None;
        };
        let programs = Path::new(&peers).join("bin");
        let directory = tempfile::tempdir().unwrap();
        let mut process = Command::new(programs.join("kubernetes-peer"))
            .arg(&programs)
            .arg(directory.path().join("apiserver"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("kubernetes-peer of $RUFIO_PEERS/bin");
        // Ends with the process at the latest, which gives up by itself.
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let kubeconfig = lines
            .find_map(|line| line.unwrap().strip_prefix("ready ").map(PathBuf::from))
            .expect("kubernetes-peer tells when it is ready");
        Some(Self {
            process,
            kubeconfig,
            _directory: directory,
        })
    }

    /// A client of the administrator, or of somebody whom the administrator impersonates.
    pub(crate) async fn client(&self, user: Option<&str>) -> Client {
        let kubeconfig = Kubeconfig::read_from(&self.kubeconfig).unwrap();
        let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
            .await
            .unwrap();
        config.auth_info.impersonate = user.map(str::to_owned);
        client(config, Duration::from_secs(5)).unwrap()
    }

    /// Ends it and waits for its end.
    pub(crate) fn stop(&mut self) {
        let pid = self.process.id().to_string();
        Command::new("kill").arg(pid).status().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        // It takes its servers with it even so.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
