//! The program: reads its arguments, starts the log, and does what it was asked.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use rufio_operator::args::{Args, Command, LocalArgs, LogArgs, RunArgs, parse};
use rufio_operator::{crd, run, telemetry};

/// Wrong arguments or manifests.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    match parse(std::env::args_os(), |name| std::env::var_os(name)) {
        Ok(Args { command }) => match command {
            Command::Run(args) => serve(args),
            Command::Local(args) => local(args),
            Command::Crd => print_crds(),
        },
        Err(error) => {
            // Clap knows whether this is help or a mistake.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE))
        }
    }
}

fn serve(args: RunArgs) -> ExitCode {
    if let Some(refused) = start_log(&args.log, "info") {
        return refused;
    }
    on_runtime(async {
        match run::cluster::run(args).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tracing::error!("{error}");
                ExitCode::FAILURE
            }
        }
    })
}

fn local(args: LocalArgs) -> ExitCode {
    if let Some(refused) = start_log(&args.log, "error") {
        return refused;
    }
    on_runtime(run::local::command::run(args))
}

fn print_crds() -> ExitCode {
    match crd::yaml() {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(error) => fail(&error.to_string(), 1),
    }
}

fn start_log(args: &LogArgs, default_level: &str) -> Option<ExitCode> {
    let error = telemetry::init(args, default_level).err()?;
    Some(fail(&error.to_string(), USAGE))
}

fn on_runtime(work: impl Future<Output = ExitCode>) -> ExitCode {
    // Two threads carry thousands of BMCs; more only cost memory.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => {
            let code = runtime.block_on(work);
            runtime.shutdown_background();
            code
        }
        Err(error) => fail(&format!("cannot start: {error}"), 1),
    }
}

fn fail(message: &str, code: u8) -> ExitCode {
    let text = OsString::from(format!("error: {message}\n"));
    // Nobody is left to tell when standard error is gone.
    let _ = io::stderr().write_all(text.as_encoded_bytes());
    ExitCode::from(code)
}
