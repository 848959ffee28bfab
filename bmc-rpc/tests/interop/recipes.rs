//! The consumers of the recipes, as they stand in the documentation, switched by the client.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bmc_core::{
    ActionId, Bmc, BootDevice, BootOverride, Effect, ErrorKind, ForAction, MediaKind, PowerAction,
    PowerState, Provider, SetPower,
};
use bmc_rpc::{Algorithm, Keys, RpcProvider, Scheme};
use peers::{Process, file};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

/// The machine of the program `power`: a file with its state, and one with all that was asked for.
const POWER: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit 1
[ "$2" = status ] && { cat state; exit; }
rm broken 2>/dev/null && exit 1
echo "$1 $2" >>log
case $2 in on | cycle) echo on >state ;; off | soft) echo off >state ;; reset) ;; *) exit 1 ;; esac
"#;

struct Workshop(PathBuf);

impl Workshop {
    fn new(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("bmc-rpc-{}-{name}", std::process::id()));
        fs::create_dir_all(directory.join("done")).unwrap();
        fs::write(directory.join("secret"), "s3cret").unwrap();
        fs::write(directory.join("state"), "off\n").unwrap();
        fs::write(directory.join("log"), "").unwrap();
        let power = directory.join("power");
        fs::write(&power, POWER).unwrap();
        fs::set_permissions(power, fs::Permissions::from_mode(0o755)).unwrap();
        Self(directory)
    }

    fn environment(&self) -> [(&'static str, PathBuf); 3] {
        [
            ("RPC_SECRET_FILE", self.0.join("secret")),
            ("RPC_STATE_DIR", self.0.join("done")),
            ("RPC_POWER", self.0.join("power")),
        ]
    }

    fn log(&self) -> String {
        fs::read_to_string(self.0.join("log")).unwrap()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn provider(url: &str, secret: &str) -> RpcProvider {
    let keys = Keys::new()
        .secret(Algorithm::Sha256, "another")
        .secret(Algorithm::Sha256, secret);
    RpcProvider::builder(url, "vm-7")
        .keys(keys)
        .scheme(Scheme::rufio())
        .build()
        .unwrap()
}

async fn works(url: &str, workshop: &Workshop) {
    let bmc = Bmc::builder().provider(provider(url, "s3cret")).build();
    bmc.set_boot_override(BootOverride::once(BootDevice::Pxe))
        .await
        .unwrap();
    for (action, state) in [
        (PowerAction::On, PowerState::On),
        (PowerAction::Off, PowerState::Off),
    ] {
        bmc.set_power(action).await.unwrap();
        assert_eq!(bmc.power_state().await.unwrap().value, state);
    }
    let cycle = ForAction {
        id: ActionId::from_uid("task"),
        operation: SetPower(PowerAction::Cycle),
    };
    bmc.run(cycle).await.unwrap();
    bmc.run(cycle).await.unwrap();
    assert_eq!(
        workshop.log(),
        "vm-7 on\nvm-7 off\nvm-7 cycle\n",
        "a repeat is not carried out"
    );
    // What failed was not done, so that its repeat is.
    fs::write(workshop.0.join("broken"), "").unwrap();
    let reset = ForAction {
        id: ActionId::from_uid("another task"),
        operation: SetPower(PowerAction::Reset),
    };
    let failed = bmc.run(reset).await.unwrap_err();
    assert_eq!(failed.effect, Effect::Unknown, "{failed}");
    bmc.run(reset).await.unwrap();
    assert!(workshop.log().ends_with("cycle\nvm-7 reset\n"));
    let unknown = bmc
        .eject_virtual_media(MediaKind::Cd)
        .await
        .unwrap_err()
        .to_string();
    assert!(unknown.contains("no method setVirtualMedia"), "{unknown}");

    let soon = Instant::now() + Duration::from_secs(20);
    let refused = provider(url, "guess").open(soon).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Authentication, "{refused}");
}

#[tokio::test]
async fn the_python_page_works() {
    let Some(python) = peers::program("python3") else {
        return;
    };
    let workshop = Workshop::new("python");
    let mut command = std::process::Command::new(python);
    command
        .arg(file("bmc-rpc/recipes/consumer.py"))
        .arg("0")
        .envs(workshop.environment());
    let consumer = Process::start(&mut command);
    works(
        &format!("http://127.0.0.1:{}/", consumer.first()),
        &workshop,
    )
    .await;
}

#[tokio::test]
async fn the_shell_script_works() {
    if ["openssl", "jq"]
        .into_iter()
        .any(|name| peers::program(name).is_none())
    {
        return;
    }
    let workshop = Workshop::new("shell");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!(
        "http://{}/cgi-bin/consumer.sh",
        listener.local_addr().unwrap()
    );
    let environment = workshop.environment();
    let server = tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            cgi(socket, &file("bmc-rpc/recipes/consumer.sh"), &environment).await;
        }
    });
    works(&url, &workshop).await;
    assert!(!server.is_finished());
    server.abort();
}

/// One request handed to a CGI script (RFC 3875).
async fn cgi(mut socket: TcpStream, script: &Path, environment: &[(&'static str, PathBuf)]) {
    let mut heard = Vec::new();
    let (head, body) = loop {
        let mut buffer = [0; 4096];
        let read = socket.read(&mut buffer).await.unwrap();
        assert!(read > 0);
        heard.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8(heard.clone()).unwrap();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && head.contains(&format!("\r\nContent-Length: {}", body.len()))
        {
            break (head.to_owned(), body.to_owned());
        }
    };
    let mut command = tokio::process::Command::new("sh");
    command
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
        .envs(environment.iter().cloned())
        .env("CONTENT_LENGTH", body.len().to_string());
    for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
        command.env(
            format!("HTTP_{}", name.to_uppercase().replace('-', "_")),
            value,
        );
    }
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(body.as_bytes())
        .await
        .unwrap();
    let output = String::from_utf8(child.wait_with_output().await.unwrap().stdout).unwrap();
    let answer = output
        .strip_prefix("Status: ")
        .unwrap_or_else(|| panic!("{output:?}"));
    let answer = format!(
        "HTTP/1.1 {}",
        answer.replacen("\r\n", "\r\nConnection: close\r\n", 1)
    );
    socket.write_all(answer.as_bytes()).await.unwrap();
}
