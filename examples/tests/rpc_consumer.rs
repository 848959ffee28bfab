//! The example consumer, switched by the library, and the fallback from one protocol to another.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/operator.rs"]
mod operator;
#[path = "support/program.rs"]
mod program;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use bmc_core::{
    ActionId, Bmc, BootDevice, BootOverride, Credentials, ErrorKind, ForAction, PowerAction,
    PowerState, Provider, SetPower, Stage,
};
use bmc_ipmi::IpmiProvider;
use bmc_ipmi::sim::Sim;
use bmc_rpc::{Algorithm, Keys, RpcProvider, RpcProviderBuilder, Scheme};
use peers::Process;
use tokio::time::Instant;

use operator::{carry_out, parse};
use program::example;

const MACHINE: &str = include_str!("../../bmc-rpc/recipes/machine.yaml");
const NETBOOT: &str = "
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Job
metadata: {name: netboot}
spec:
  machineRef: {name: vm-7, namespace: default}
  tasks:
  - powerAction: \"off\"
  - oneTimeBootDeviceAction: {device: [pxe], efiBoot: true}
  - powerAction: \"on\"
";

struct Consumer {
    process: Process,
    url: String,
}

impl Consumer {
    fn start(args: &[&str]) -> Self {
        let mut command = example("rpc-consumer");
        command.env("RPC_SECRET", "s3cret").args([
            "--listen",
            "127.0.0.1:0",
            "--secret-env",
            "RPC_SECRET",
        ]);
        let process = Process::start(command.args(args));
        let url = process.first().to_owned();
        Self { process, url }
    }

    fn provider(&self, secret: &str, scheme: Scheme) -> RpcProviderBuilder {
        let keys = Keys::new().secret(Algorithm::Sha512, secret);
        RpcProvider::builder(&self.url, "vm-7")
            .keys(keys)
            .scheme(scheme)
    }
}

#[tokio::test]
async fn a_virtual_machine_is_switched() {
    let consumer = Consumer::start(&[]);
    let provider = consumer
        .provider("s3cret", Scheme::rufio())
        .build()
        .unwrap();
    let bmc = Bmc::builder().provider(provider).build();
    bmc.set_boot_override(BootOverride::once(BootDevice::Pxe))
        .await
        .unwrap();
    bmc.set_power(PowerAction::On).await.unwrap();
    assert_eq!(bmc.power_state().await.unwrap().value, PowerState::On);
    let cycle = ForAction {
        id: ActionId::from_uid("task"),
        operation: SetPower(PowerAction::Cycle),
    };
    bmc.run(cycle).await.unwrap();
    bmc.run(cycle).await.unwrap();
    for expected in [
        "ping \"pong\"",
        "setBootDevice done",
        "setPowerState done",
        "getPowerState \"on\"",
    ] {
        assert_eq!(consumer.process.line(), format!("vm-7 {expected}"));
    }
    let intruder = consumer.provider("guess", Scheme::rufio()).build().unwrap();
    let refused = Bmc::builder()
        .provider(intruder)
        .build()
        .power_state()
        .await
        .unwrap_err();
    assert_eq!(
        refused.report.attempts[0].error.as_ref().unwrap().kind(),
        ErrorKind::Authentication
    );
}

#[tokio::test]
async fn a_program_is_called() {
    let consumer = Consumer::start(&["--bmclib", "--power", "false"]);
    let provider = consumer
        .provider("s3cret", Scheme::bmclib())
        .build()
        .unwrap();
    let bmc = Bmc::builder().provider(provider).build();
    let failed = bmc.set_power(PowerAction::Cycle).await.unwrap_err();
    assert!(failed.to_string().contains("answers 500"), "{failed}");
    assert_eq!(failed.effect, bmc_core::Effect::Unknown);
}

/// The caller does not wait for a slow program, and sends the same action again, and again.
#[tokio::test]
async fn a_slow_program_is_called_once() {
    let here = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("slow-power");
    let _ = fs::remove_dir_all(&here);
    fs::create_dir_all(&here).unwrap();
    let (program, calls, go) = (here.join("power"), here.join("calls"), here.join("go"));
    let script = format!(
        "#!/bin/sh\necho $2 >>{}\nn=0\nwhile [ ! -e {} ] && [ $((n += 1)) -lt 600 ]; do sleep 0.05; done\n",
        calls.display(),
        go.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    let consumer = Consumer::start(&["--power", program.to_str().unwrap()]);
    let soon = Instant::now() + Duration::from_secs(20);
    let provider = consumer.provider("s3cret", Scheme::rufio());
    let provider = provider.request_timeout(Duration::from_secs(1)).build();
    let session = provider.unwrap().open(soon).await.unwrap();
    let session = session.for_action(ActionId::from_uid("slow")).unwrap();
    let power = session.power().unwrap();
    let impatient = power.set_power(PowerAction::Cycle).await.unwrap_err();
    assert_eq!(impatient.kind(), ErrorKind::Timeout, "{impatient}");
    while !calls.exists() {
        assert!(Instant::now() < soon, "the program was not called");
        tokio::task::yield_now().await;
    }
    let repeated = power.set_power(PowerAction::Cycle).await.unwrap_err();
    let under_way = (ErrorKind::Busy, bmc_core::Effect::Unknown);
    assert_eq!(
        (repeated.kind(), repeated.effect()),
        under_way,
        "{repeated}"
    );
    fs::write(go, "").unwrap();
    while let Err(error) = power.set_power(PowerAction::Cycle).await {
        assert!(
            Instant::now() < soon && error.kind() == ErrorKind::Busy,
            "{error}"
        );
    }
    assert_eq!(fs::read_to_string(calls).unwrap(), "cycle\n");
}

/// The Machine of the recipes, as it stands there.
#[tokio::test]
async fn the_operator_boots_a_virtual_machine() {
    let consumer = Consumer::start(&[]);
    let machine = MACHINE.replace("http://consumer.example:8080/", &consumer.url);
    assert_ne!(machine, MACHINE, "the URL of the recipe");
    carry_out(parse(&(machine + NETBOOT))).await;
    let mut changes = Vec::new();
    while changes.len() < 2 {
        let line = consumer.process.line();
        if line.ends_with(" done") {
            changes.push(line);
        }
    }
    assert_eq!(
        changes,
        ["vm-7 setBootDevice done", "vm-7 setPowerState done"]
    );
}

/// IPMI is blocked and answers nothing; the webhook does it, and the report says so.
#[tokio::test]
async fn a_webhook_stands_in_for_blocked_ipmi() {
    let consumer = Consumer::start(&[]);
    let credentials = Credentials::new("admin", "password");
    let sim = Sim::builder()
        .credentials(credentials.clone())
        .spawn()
        .await
        .unwrap();
    sim.faults(|faults| faults.silent = true);
    let endpoint = bmc_core::Endpoint::parse(&sim.addr().to_string(), IpmiProvider::PORT).unwrap();
    let bmc = Bmc::builder()
        .provider(
            IpmiProvider::builder(endpoint, credentials)
                .build()
                .unwrap(),
        )
        .provider(
            consumer
                .provider("s3cret", Scheme::rufio())
                .build()
                .unwrap(),
        )
        .attempt_timeout(Duration::from_secs(2))
        .build();
    let done = bmc.set_power(PowerAction::On).await.unwrap();
    assert_eq!(done.report.winner(), Some("rpc"));
    let ipmi = &done.report.attempts[0];
    assert_eq!((ipmi.provider, ipmi.stage), ("ipmi", Stage::Open));
    assert_eq!(ipmi.error.as_ref().unwrap().kind(), ErrorKind::Timeout);
    assert!(!sim.power());
    assert_eq!(bmc.power_state().await.unwrap().value, PowerState::On);
}
