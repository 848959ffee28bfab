use std::collections::BTreeMap;

use super::*;

fn read(line: &str, variables: &[(&str, &str)]) -> Result<Args, String> {
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    parse(line.split_whitespace().map(OsString::from), |name| {
        variables.get(name).map(OsString::from)
    })
    .map_err(|error| error.to_string())
}

fn run(line: &str, variables: &[(&str, &str)]) -> RunArgs {
    match read(line, variables) {
        Ok(Args {
            command: Command::Run(run),
        }) => run,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn flags_without_a_command_mean_run() {
    for line in [
        "/manager",
        "/manager --leader-elect=false",
        "/manager -leader-elect=false",
        "rufio-operator run",
    ] {
        assert!(!run(line, &[]).leader_elect, "{line}");
    }
    for line in [
        "/manager --leader-elect",
        "/manager -leader-elect",
        "/manager --leader-elect=T",
        "rufio-operator run --leader-elect=1",
    ] {
        assert!(run(line, &[]).leader_elect, "{line}");
    }
}

#[test]
fn every_flag_of_the_standalone_rufio_is_understood() {
    let run = run(
        "/manager --metrics-bind-address=127.0.0.1:8080 --health-probe-bind-address :8081 --leader-elect \
         --kubernetes https://192.0.2.1:6443 --kubeconfig /k --kube-namespace tink --bmc-connect-timeout 1m30s \
         --max-concurrent-reconciles 10",
        &[],
    );
    assert_eq!(run.metrics_bind_address.to_string(), "127.0.0.1:8080");
    assert_eq!(run.health_probe_bind_address.to_string(), ":8081");
    assert_eq!(run.kubernetes.as_deref(), Some("https://192.0.2.1:6443"));
    assert_eq!(run.kubeconfig, Some(PathBuf::from("/k")));
    assert_eq!(run.kube_namespace.as_deref(), Some("tink"));
    assert_eq!(run.behaviour.bmc_connect_timeout, Duration::from_secs(90));
    assert_eq!(run.behaviour.max_concurrent_reconciles, 10);
}

#[test]
fn a_flag_beats_a_variable_and_a_variable_beats_the_default() {
    let variables = [
        ("RUFIO_TASK_TIMEOUT", "1.5h"),
        ("RUFIO_LEADER_ELECT", "true"),
        ("RUFIO_KUBECONFIG", ""),
        ("RUFIO_METRICS_BIND_ADDRESS", "0"),
    ];
    let from_variable = run("/manager", &variables);
    assert_eq!(
        from_variable.behaviour.task_timeout,
        Duration::from_secs(5400)
    );
    assert!(from_variable.leader_elect);
    assert_eq!(from_variable.kubeconfig, None);
    assert_eq!(from_variable.metrics_bind_address, Listen::Off);
    let from_flag = run(
        "/manager --task-timeout 3m --leader-elect=false",
        &variables,
    );
    assert_eq!(from_flag.behaviour.task_timeout, Duration::from_secs(180));
    assert!(!from_flag.leader_elect);
    assert_eq!(
        run("/manager", &[]).behaviour.task_timeout,
        Duration::from_secs(600)
    );
}

#[test]
fn a_bad_value_is_named_with_what_is_allowed() {
    type Variables = &'static [(&'static str, &'static str)];
    let table: [(&str, Variables, &[&str]); 9] = [
        (
            "/manager --task-timeout 5",
            &[],
            &["--task-timeout", "'5'", "1m30s"],
        ),
        (
            "/manager --task-timeout=0",
            &[],
            &["--task-timeout", "more than 0"],
        ),
        (
            "/manager --max-concurrent-reconciles 0",
            &[],
            &["--max-concurrent-reconciles", "1..=65535"],
        ),
        (
            "/manager --secret-scope some",
            &[],
            &["--secret-scope", "any, same-namespace"],
        ),
        (
            "/manager --tasktimeout 5m",
            &[],
            &["--tasktimeout", "--task-timeout"],
        ),
        ("rufio-operator local", &[], &["--filename"]),
        (
            "/manager",
            &[("RUFIO_TASK_TIMEOUT", "soon")],
            &["RUFIO_TASK_TIMEOUT", "soon", "1m30s"],
        ),
        (
            "/manager",
            &[("RUFIO_LEADER_ELECT", "yes")],
            &["RUFIO_LEADER_ELECT", "yes", "true or false"],
        ),
        (
            "rufio-operator local -f x",
            &[("RUFIO_OUTPUT", "xml")],
            &["RUFIO_OUTPUT", "xml", "yaml, json, none"],
        ),
    ];
    for (line, variables, parts) in table {
        let error = read(line, variables).expect_err(line);
        for part in parts {
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}

#[test]
fn a_malformed_variable_does_not_matter_where_the_flag_is_given() {
    let line = "/manager --task-timeout 3m";
    assert_eq!(
        run(line, &[("RUFIO_TASK_TIMEOUT", "soon")])
            .behaviour
            .task_timeout,
        Duration::from_secs(180)
    );
}

#[test]
fn help_names_the_variables() {
    let help = read("rufio-operator run --help", &[]).expect_err("help ends the parse");
    for part in ["RUFIO_MAX_CONCURRENT_RECONCILES", "--kube-namespace", "10m"] {
        assert!(help.contains(part), "{help}");
    }
}

#[test]
fn local_reads_several_files() {
    match read(
        "rufio-operator local -f a.yaml -f - -o json --timeout 1m",
        &[],
    ) {
        Ok(Args {
            command: Command::Local(local),
        }) => {
            assert_eq!(
                local.filename,
                [PathBuf::from("a.yaml"), PathBuf::from("-")]
            );
            assert_eq!(local.output, OutputFormat::Json);
            assert_eq!(local.timeout, Duration::from_secs(60));
        }
        other => panic!("{other:?}"),
    }
}
