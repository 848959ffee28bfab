//! The command line and the `RUFIO_*` variables.
//!
//! Every flag of a subcommand can also be given as a variable: `--task-timeout` is `RUFIO_TASK_TIMEOUT`. The flag wins.
//! Flags without a subcommand mean `run`, so that the arguments of the standalone Rufio work unchanged.

mod go;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub use go::Listen;

/// What the program was asked to do.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "rufio-operator",
    version,
    about = "Manages the BMCs of a Tinkerbell cluster: Machines, Jobs and Tasks of bmc.tinkerbell.org, with or without Kubernetes",
    after_help = "Flags without a command mean `run`. Every flag can also be set by a variable: --task-timeout is RUFIO_TASK_TIMEOUT; the flag wins."
)]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Serve a Kubernetes cluster (the default)
    Run(RunArgs),
    /// Serve manifests from files, without a cluster
    Local(LocalArgs),
    /// Print the CustomResourceDefinitions, for `kubectl apply -f -`
    Crd,
}

/// Settings of `run`.
#[derive(Clone, Debug, clap::Args)]
pub struct RunArgs {
    /// Where /metrics is served, such as :8080 or 127.0.0.1:8080; 0 switches it off
    #[arg(long, value_name = "ADDRESS", default_value = ":8080", value_parser = go::listen)]
    pub metrics_bind_address: Listen,

    /// Where /healthz and /readyz are served; 0 switches them off
    #[arg(long, value_name = "ADDRESS", default_value = ":8081", value_parser = go::listen)]
    pub health_probe_bind_address: Listen,

    /// Act only while holding the lease, so that several replicas can stand by
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_value = "false", default_missing_value = "true", value_parser = go::boolean)]
    pub leader_elect: bool,

    /// Namespace of the lease; the pod's own if not set
    #[arg(long, value_name = "NAMESPACE")]
    pub leader_election_namespace: Option<String>,

    /// How long others wait for a silent leader
    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = go::positive_duration)]
    pub leader_election_lease_duration: Duration,

    /// How long the leader tries to renew before it gives up
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = go::positive_duration)]
    pub leader_election_renew_deadline: Duration,

    /// Time between two attempts to get or renew the lease
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = go::positive_duration)]
    pub leader_election_retry_period: Duration,

    /// URL of the API server, instead of the kubeconfig's
    #[arg(long, value_name = "URL")]
    pub kubernetes: Option<String>,

    /// Kubeconfig file; without it $KUBECONFIG, ~/.kube/config, then the pod's service account
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// Serve this namespace only; all namespaces if not set
    #[arg(long, value_name = "NAMESPACE")]
    pub kube_namespace: Option<String>,

    /// Settings that `local` has too.
    #[command(flatten)]
    pub behaviour: BehaviourArgs,

    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// Settings of `local`.
#[derive(Clone, Debug, clap::Args)]
pub struct LocalArgs {
    /// Manifest in YAML or JSON with Machines, Jobs, Tasks and Secrets; - reads standard input; may be repeated
    #[arg(
        short = 'f',
        long = "filename",
        value_name = "FILE",
        required = true,
        num_args = 1
    )]
    pub filename: Vec<PathBuf>,

    /// Keep polling the Machines after everything has finished, until interrupted
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_value = "false", default_missing_value = "true", value_parser = go::boolean)]
    pub watch: bool,

    /// How to print the final objects on standard output
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml")]
    pub output: OutputFormat,

    /// Give up after this time; 0 leaves it to --task-timeout
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = go::duration)]
    pub timeout: Duration,

    /// Settings that `run` has too.
    #[command(flatten)]
    pub behaviour: BehaviourArgs,

    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// Settings of both modes.
#[derive(Clone, Debug, clap::Args)]
pub struct BehaviourArgs {
    /// How long one attempt to log in to a BMC and do one thing may take
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = go::positive_duration)]
    pub bmc_connect_timeout: Duration,

    /// How many objects of one kind are worked on at once
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_concurrent_reconciles: u16,

    /// How long a Task may take, from its creation until it acts, and again until it is seen done
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = go::positive_duration)]
    pub task_timeout: Duration,

    /// How often each Machine is looked at when nothing happens
    #[arg(long, value_name = "DURATION", default_value = "3m", value_parser = go::positive_duration)]
    pub power_check_interval: Duration,

    /// Which Secrets an object may refer to
    #[arg(long, value_name = "SCOPE", default_value = "any")]
    pub secret_scope: SecretScope,
}

/// Settings of the log, which goes to standard error.
#[derive(Clone, Debug, clap::Args)]
pub struct LogArgs {
    /// Least severe level that is logged: error, warn, info, debug or trace; or directives such as info,rufio_operator=debug
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,

    /// Shape of the log
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

/// Which Secrets an object may refer to.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum SecretScope {
    /// Secrets of every namespace, as Rufio does
    Any,
    /// Secrets of the object's own namespace only
    SameNamespace,
}

/// How final objects are printed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum OutputFormat {
    /// YAML, as kubectl does
    Yaml,
    /// JSON, as kubectl does
    Json,
    /// Not at all
    None,
}

/// Shape of the log.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum LogFormat {
    /// A line for a person
    Text,
    /// A JSON object a line
    Json,
}

/// Reads the command line; `variable` looks up the environment.
///
/// An error is clap's and knows how to print itself and which exit code it wants: 2, or 0 for help.
pub fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Args, clap::Error> {
    let mut arguments = with_command(arguments.into_iter().collect());
    let command = documented(Args::command());
    // A required flag may come from a variable, so it is not missed before those are read.
    let lenient = Args::command().mut_subcommand("local", |local| {
        local.mut_arg("filename", |arg| arg.required(false))
    });
    let matches = match lenient.try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        // Help is printed by the documented command.
        Err(error) if !error.use_stderr() => {
            return Err(command
                .try_get_matches_from(&arguments)
                .err()
                .unwrap_or(error));
        }
        Err(error) => return Err(error),
    };
    if let Some((name, given)) = matches.subcommand()
        && let Some(subcommand) = command.find_subcommand(name)
    {
        for arg in subcommand.get_arguments() {
            let Some(long) = arg.get_long() else { continue };
            let on_command_line = given
                .try_contains_id(arg.get_id().as_str())
                .unwrap_or(false)
                && given.value_source(arg.get_id().as_str())
                    == Some(clap::parser::ValueSource::CommandLine);
            let name_of_variable = variable_of(long);
            match variable(&name_of_variable) {
                Some(value) if !on_command_line && !value.is_empty() => {
                    let mut flag = OsString::from(format!("--{long}="));
                    flag.push(&value);
                    check(&command, name, &flag, &name_of_variable)?;
                    arguments.push(flag);
                }
                _ => {}
            }
        }
    }
    let mut matches = command.try_get_matches_from(arguments)?;
    Args::from_arg_matches_mut(&mut matches)
}

/// Refuses the value of a variable in a message that names the variable.
fn check(
    command: &clap::Command,
    subcommand: &str,
    flag: &OsString,
    variable: &str,
) -> Result<(), clap::Error> {
    let program = OsString::from(command.get_name());
    let mut alone = vec![program, OsString::from(subcommand), flag.clone()];
    if subcommand == "local" {
        alone.push(OsString::from("--filename=-"));
    }
    let Err(error) = command.clone().try_get_matches_from(alone) else {
        return Ok(());
    };
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    Err(clap::Error::raw(
        ErrorKind::ValueValidation,
        format!("variable {variable}: {text}\n"),
    ))
}

/// Puts `run` before flags that have no command, and a second dash before Go's long flags.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let flagged = match arguments.get(1).and_then(|first| first.to_str()) {
        None => arguments.len() < 2,
        Some("-h" | "--help" | "-V" | "--version") => false,
        Some(first) => first.starts_with('-'),
    };
    if flagged {
        for argument in arguments.iter_mut().skip(1) {
            if let Some(long) = argument.to_str().and_then(single_dashed) {
                *argument = OsString::from(format!("--{long}"));
            }
        }
        arguments.insert(arguments.len().min(1), OsString::from("run"));
    }
    arguments
}

fn single_dashed(argument: &str) -> Option<&str> {
    let long = argument.strip_prefix('-')?;
    (long.len() > 1 && !long.starts_with('-')).then_some(long)
}

/// Adds the variable to each flag's help.
fn documented(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|subcommand| {
        subcommand.mut_args(|arg| match (arg.get_long(), arg.get_help().cloned()) {
            (Some(long), Some(help)) if long != "help" => {
                let variable = variable_of(long);
                arg.help(format!("{help} [env: {variable}]"))
            }
            _ => arg,
        })
    })
}

fn variable_of(long: &str) -> String {
    format!("RUFIO_{}", long.to_uppercase().replace('-', "_"))
}

#[cfg(test)]
mod tests;
