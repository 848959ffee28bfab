//! `bmc` against simulated BMCs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use std::io::Write;
use std::net::UdpSocket;
use std::process::Stdio;
use std::time::{Duration, Instant};

use bmc_core::Credentials;
use bmc_ipmi::command::{BootFlagDevice, ChassisControl, Command, GetChassisStatus};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_rpc::sim::{ConsumerSim, TlsFront};
use bmc_rpc::{Algorithm, Keys, Scheme};
use serde_json::{Value, json};

use program::{Ran, VARIABLE, bmc, example, interrupt};

fn url(bmc: &SimHandle) -> String {
    format!("ipmi://{}", bmc.addr())
}

fn words<'a>(line: &'a str, target: &'a str) -> Vec<&'a str> {
    line.split(' ').chain([target]).collect()
}

/// The simulators run on the other worker while the test waits for the program.
macro_rules! with_sim {
    ($name:ident, |$sim:ident, $url:ident| $body:block) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let $sim = Sim::builder().spawn().await.unwrap();
            let $url = url(&$sim);
            tokio::task::spawn_blocking(move || $body).await.unwrap();
        }
    };
}

/// `bmc` does not wait for the answer to its logout.
fn wait_for_logout(sim: &SimHandle) {
    let began = Instant::now();
    while sim.active_sessions() > 0 {
        assert!(began.elapsed().as_secs() < 5, "a session was left behind");
        std::thread::yield_now();
    }
}

with_sim!(power_is_read_and_switched, |sim, url| {
    let status = bmc(words("power status", &url));
    assert_eq!(status.success(), format!("{url}: off\n"));
    let on = bmc(words("power on", &url));
    assert_eq!(on.success(), format!("{url}: accepted\n"));
    assert!(sim.power());
    let status = bmc(words("power status", &url));
    assert_eq!(status.success(), format!("{url}: on\n"));
    bmc(words("power cycle", &url)).success();
    assert_eq!(sim.cycles(), 1);
    bmc(words("power reset", &url)).success();
    assert_eq!(sim.machine(|machine| machine.resets()), 1);
    bmc(words("power nmi", &url)).success();
    assert_eq!(sim.machine(|machine| machine.nmis()), 1);
    let soft = bmc(words("power soft --wait", &url));
    assert_eq!(soft.success(), format!("{url}: off\n"));
    assert_eq!(sim.machine(|machine| machine.soft_shutdowns()), 1);
    bmc(words("power off", &url)).success();
    assert!(!sim.power());
    wait_for_logout(&sim);
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_switches_and_boots() {
    let keys = Keys::new().secret(Algorithm::Sha256, "password");
    let consumer = ConsumerSim::builder().keys(keys).spawn().await.unwrap();
    let url = format!("rpc+{}#vm-1", consumer.url());
    let run = move |line: &'static str, sign: bool| {
        let mut command = example("bmc");
        if sign {
            let arguments = ["--hmac-sha256-env", VARIABLE];
            command.env(VARIABLE, "password").args(arguments);
        }
        command.args(words(line, &url));
        tokio::task::spawn_blocking(move || Ran::of(&mut command))
    };
    assert!(!run("power on", false).await.unwrap().failure(1).is_empty());
    assert!(!consumer.is_on("vm-1"));
    run("power on", true).await.unwrap().success();
    assert!(consumer.is_on("vm-1"));
    let status = run("power status", true).await.unwrap();
    assert!(status.success().ends_with(": on\n"));
    run("boot set pxe --efi", true).await.unwrap().success();
    let boot = ("pxe".to_owned(), false, true);
    assert_eq!(consumer.machine("vm-1").boot, Some(boot));
}

/// As Rufio signs, by TLS, with the secret from a file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_is_reached_by_https() {
    let keys = Keys::new().secret(Algorithm::Sha256, "s3cret");
    let builder = ConsumerSim::builder().keys(keys).scheme(Scheme::rufio());
    let consumer = builder.spawn().await.unwrap();
    let front = TlsFront::spawn(consumer.addr()).await.unwrap();
    let url = format!("rpc+{}#vm-1", front.url());
    let mut secret = tempfile::NamedTempFile::new().unwrap();
    secret.write_all(b"s3cret\n").unwrap();
    let file = secret.path().to_owned();
    let run = move |line: &'static str| {
        let mut command = example("bmc");
        command.args(["--rufio", "--hmac-sha256-file"]).arg(&file);
        command.args(words(line, &url));
        tokio::task::spawn_blocking(move || Ran::of(&mut command))
    };
    let strange = run("power on").await.unwrap();
    assert!(strange.failure(1).contains(": tls: "), "{}", strange.err);
    assert_eq!(consumer.requests().len(), 0);
    run("power on --insecure").await.unwrap().success();
    run("boot set cdrom --insecure").await.unwrap().success();
    let machine = consumer.machine("vm-1");
    assert!(machine.on);
    assert_eq!(machine.boot, Some(("cdrom".to_owned(), false, false)));
    let status = run("power status --insecure").await.unwrap();
    assert!(status.success().ends_with("#vm-1: on\n"), "{}", status.out);
}

with_sim!(a_boot_override_is_set_read_and_cleared, |sim, url| {
    bmc(words("boot set pxe --persistent --efi", &url)).success();
    let flags = sim.boot_flags();
    assert_eq!(flags.device, BootFlagDevice::PXE);
    assert!(flags.valid && flags.persistent && flags.efi);
    let get = bmc(words("boot get", &url));
    assert_eq!(get.success(), format!("{url}: pxe persistent efi\n"));
    bmc(words("boot set disk", &url)).success();
    let get = bmc(words("boot get", &url));
    assert_eq!(get.success(), format!("{url}: disk once legacy\n"));
    bmc(words("boot clear", &url)).success();
    let get = bmc(words("boot get", &url));
    assert_eq!(get.success(), format!("{url}: none\n"));
});

with_sim!(a_known_suite_takes_four_round_trips, |sim, url| {
    bmc(words("--cipher-suite 17 power status", &url)).success();
    wait_for_logout(&sim);
    let commands: Vec<_> = sim
        .log()
        .into_iter()
        .map(|executed| (executed.netfn, executed.command))
        .collect();
    // Open Session, RAKP 1 and RAKP 3 are no commands; the logout is not waited for.
    assert_eq!(
        commands[0],
        (GetChassisStatus::NETFN, GetChassisStatus::CMD)
    );
    assert_eq!(commands.len(), 2, "{commands:?}");
});

with_sim!(json_is_one_object_a_line, |_sim, url| {
    let object = |ran: &Ran| -> Value {
        let line = ran.out.strip_suffix('\n').unwrap();
        serde_json::from_str(line).unwrap()
    };
    let status = object(&bmc(words("power status -o json", &url)));
    assert_eq!(status["target"], url.as_str());
    assert_eq!(status["command"], "power status");
    assert_eq!(status["ok"], true);
    assert_eq!(status["power"], "off");
    assert_eq!(status["provider"], "ipmi");
    assert!(status["elapsedMs"].as_f64().unwrap() > 0.0);

    let on = object(&bmc(words("power on -o json", &url)));
    assert_eq!((&on["ok"], &on["accepted"]), (&json!(true), &json!(true)));

    let boot = object(&bmc(words("boot get -o json", &url)));
    assert_eq!(boot["boot"]["valid"], false);
    let info = object(&bmc(words("info -o json", &url)));
    assert_eq!(info["info"]["protocol"], "IPMI 2.0");

    let wrong = Ran::of(example("bmc").env(VARIABLE, "wrong").args([
        "--user",
        "admin",
        "--password-env",
        VARIABLE,
        "power",
        "status",
        "-o",
        "json",
        &url,
    ]));
    assert_eq!(wrong.failure(1), "");
    let wrong = object(&wrong);
    assert_eq!(wrong["ok"], false);
    assert_eq!(wrong["error"]["kind"], "authentication");
    assert_eq!(wrong["error"]["mayHaveActed"], false);
    assert_eq!(wrong["attempts"][0]["stage"], "open");
});

with_sim!(a_wrong_password_is_an_authentication_error, |sim, url| {
    let mut command = example("bmc");
    command.env(VARIABLE, "wrong").args([
        "--password-env",
        VARIABLE,
        "power",
        "on",
        &format!("ipmi://admin@{}", sim.addr()),
    ]);
    let ran = Ran::of(&mut command);
    assert!(ran.failure(1).contains(": authentication: "), "{}", ran.err);
    assert!(!sim.power());
    // The same BMC with the right one, from a file.
    let mut file = tempfile::NamedTempFile::new().unwrap();
    writeln!(file, "password").unwrap();
    let ran = Ran::of(
        example("bmc")
            .args([
                "power",
                "status",
                &url,
                "--user",
                "admin",
                "--password-file",
            ])
            .arg(file.path()),
    );
    ran.success();
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_targets_gives_a_line_each_and_one_exit_code() {
    let sims = Sim::builder().spawn_many(5).await.unwrap();
    let strange = Sim::builder()
        .credentials(Credentials::new("other", "password"))
        .spawn()
        .await
        .unwrap();
    tokio::task::spawn_blocking(move || {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "# a rack\n").unwrap();
        for sim in &sims {
            writeln!(file, "{}  # node", sim.addr()).unwrap();
        }
        let list = format!("@{}", file.path().display());
        let ran = bmc(words("power on --wait", &list));
        let mut lines: Vec<_> = ran.success().lines().collect();
        lines.sort_unstable();
        let mut expected: Vec<_> = sims
            .iter()
            .map(|sim| format!("{}: on", sim.addr()))
            .collect();
        expected.sort_unstable();
        assert_eq!(lines, expected);

        writeln!(file, "{}", strange.addr()).unwrap();
        let ran = bmc(words("power status", &list));
        let error = ran.failure(1);
        assert!(
            error.starts_with(&format!("{}: authentication: ", strange.addr())),
            "{error}"
        );
        assert_eq!((ran.out.lines().count(), error.lines().count()), (5, 1));
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suite_that_the_bmc_lacks_is_named() {
    let sim = Sim::builder()
        .suites([CipherSuite::SUITE_3])
        .spawn()
        .await
        .unwrap();
    tokio::task::spawn_blocking(move || {
        let ran = bmc(words("--cipher-suite 17 power status", &url(&sim)));
        assert!(ran.failure(1).contains("cipher suite 17"), "{}", ran.err);
        bmc(words("power status", &url(&sim))).success();
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_is_told_from_nobody_listening() {
    let sim = Sim::builder().spawn().await.unwrap();
    sim.faults(|faults| faults.silent = true);
    tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        let ran = bmc(words("--timeout 1500ms power status", &url(&sim)));
        assert!(ran.failure(1).contains(": timeout: "), "{}", ran.err);
        assert!(began.elapsed() < Duration::from_secs(10));

        let gone = url(&sim);
        drop(sim);
        let ran = bmc(words("--timeout 20s power status", &gone));
        assert!(ran.failure(1).contains(": unreachable: "), "{}", ran.err);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_ends_with_the_state_or_the_time() {
    let slow = Sim::builder()
        .power_delay(Duration::from_millis(300))
        .spawn()
        .await
        .unwrap();
    let stuck = Sim::builder().spawn().await.unwrap();
    stuck.faults(|faults| faults.ignore = true);
    tokio::task::spawn_blocking(move || {
        let ran = bmc(words("power on --wait", &url(&slow)));
        assert_eq!(ran.success(), format!("{}: on\n", url(&slow)));
        assert!(slow.power());

        let ran = bmc(words("--timeout 3s power on --wait", &url(&stuck)));
        let error = ran.failure(1);
        assert!(
            error.contains("timeout: accepted, but power is still off"),
            "{error}"
        );
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_command_says_so_and_acts_once() {
    let sim = Sim::builder().power(true).spawn().await.unwrap();
    let refused = bmc_ipmi::wire::CompletionCode::NODE_BUSY;
    sim.faults(|faults| {
        faults.completion_code(ChassisControl::NETFN, ChassisControl::CMD, refused);
    });
    tokio::task::spawn_blocking(move || {
        let ran = bmc(words("power cycle", &url(&sim)));
        assert!(ran.failure(1).contains(": busy: "), "{}", ran.err);
        assert_eq!(sim.cycles(), 0);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_command_says_so_and_ends_at_once() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let target = format!("ipmi://{}", silent.local_addr().unwrap());
    let ran = tokio::task::spawn_blocking(move || {
        let child = example("bmc")
            .args(["--user", "admin", "--password-env", VARIABLE])
            .args(words("power off --timeout 1m", &target))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        silent.recv(&mut [0; 64]).unwrap();
        interrupt(&child);
        let began = Instant::now();
        let ended = child.wait_with_output().unwrap();
        assert!(began.elapsed() < Duration::from_secs(20));
        ended
    });
    let ran = ran.await.unwrap();
    let complaint = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(complaint.contains(": closed: interrupted"), "{complaint}");
}

#[test]
fn wrong_command_lines_end_with_2_and_name_what_is_wrong() {
    for (line, part) in [
        ("", "Usage: bmc"),
        ("power", "Usage: bmc"),
        ("power jump host", "jump"),
        ("power on", "<TARGET>"),
        ("boot set tape host", "tape"),
        ("boot set pxe --efi --legacy host", "--legacy"),
        ("power status --password secret host", "--password-env"),
        ("power status --timeout 30 host", "--timeout"),
        ("power status --timeout 0s host", "longer than zero"),
        ("power status --parallel 0 host", "--parallel"),
        ("power status --provider redfish host", "not in this build"),
        ("power status --provider ssh host", "unknown provider"),
        ("power status --provider rpc host", "by its URL"),
        ("power status rpc+https://admin@host/", "no user"),
        ("power status --cipher-suite 4 host", "--cipher-suite"),
        (
            "power status --cipher-suite 0 host",
            "--danger-cipher-suite-zero",
        ),
        ("power status --v15 md5 --cipher-suite 3 host", "--v15"),
        (
            "power status --v15 md5 --danger-cipher-suite-zero host",
            "--v15",
        ),
        ("power status -o xml host", "xml"),
        ("lan ip 192.0.2.17/33 host", "use 1 to 32"),
        ("lan ip 192.0.2.255/24 host", "no host can have it"),
        (
            "lan ip 192.0.2.17/24 --gateway 198.51.100.1 host",
            "gateway",
        ),
        ("lan ip dhcp --gateway 192.0.2.1 host", "--gateway"),
        ("watchdog start reset --after 2h host", "6553.5 s"),
        ("dcmi limit set 0 host", "<WATTS>"),
        ("power status ipmi://admin:secret@host", "--password-env"),
        (
            "power status redfish://host",
            "not in this build, which has ipmi",
        ),
        ("power status telnet://host", "unknown URL scheme"),
        ("power status ipmi://host:99999", "99999"),
        ("power status ipmi://ho_st!", "ho_st!"),
        ("power status @/does/not/exist", "/does/not/exist"),
        ("power status --user seventeen-letters host", "at most 16"),
    ] {
        let mut command = example("bmc");
        command
            .env(VARIABLE, "password")
            .args(["--password-env", VARIABLE]);
        if !line.contains("--user") {
            command.args(["--user", "admin"]);
        }
        let ran = Ran::of(command.args(line.split(' ').filter(|word| !word.is_empty())));
        assert!(ran.failure(2).contains(part), "{line}: {}", ran.err);
        assert!(!ran.err.contains("secret@"), "{line}: {}", ran.err);
    }
}

#[test]
fn a_missing_user_or_password_is_a_usage_error() {
    let mut no_user = example("bmc");
    no_user.args(["power", "status", "host", "--password-env", VARIABLE]);
    assert!(Ran::of(&mut no_user).failure(2).contains("--user"));

    let mut not_set = example("bmc");
    not_set.args([
        "power",
        "status",
        "admin@host",
        "--password-env",
        "BMC_NOT_SET",
    ]);
    assert!(Ran::of(&mut not_set).failure(2).contains("BMC_NOT_SET"));

    let mut nobody_to_ask = example("bmc");
    nobody_to_ask.args(["power", "status", "admin@host"]);
    let ran = Ran::of(&mut nobody_to_ask);
    assert!(ran.failure(2).contains("--password-file"), "{}", ran.err);

    let mut too_long = example("bmc");
    too_long.env(VARIABLE, "0123456789abcdefghijk");
    too_long.args(["power", "status", "admin@host", "--password-env", VARIABLE]);
    let ran = Ran::of(&mut too_long);
    assert!(ran.failure(2).contains("at most 20"), "{}", ran.err);
}

#[test]
fn help_is_no_error() {
    let help = Ran::of(example("bmc").arg("--help"));
    for word in ["ipmi://", "--password-env", "Exit code", "--parallel"] {
        assert!(help.success().contains(word), "{word}");
    }
}
