//! `rufio-operator local`: files in, objects out, an exit code.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::manifest::{Manifests, Source};
use super::{LocalOptions, ProgressMode, Summary};
use crate::args::{LocalArgs, OutputFormat};
use crate::metrics::Metrics;
use crate::run::behaviour;
use crate::run::shutdown::Signals;
use crate::store::memory::MemoryStore;

/// Every Job and stand-alone Task has completed.
const SUCCESS: u8 = 0;
/// A Job or a stand-alone Task has failed or has not ended.
const FAILURE: u8 = 1;
/// A manifest is wrong; nothing was done.
const USAGE: u8 = 2;

/// Runs the command.
pub async fn run(args: LocalArgs) -> ExitCode {
    match attempt(args).await {
        Ok(code) => ExitCode::from(code),
        Err((code, message)) => {
            say(&message);
            ExitCode::from(code)
        }
    }
}

async fn attempt(args: LocalArgs) -> Result<u8, (u8, String)> {
    let sources = read(&args.filename).map_err(|message| (USAGE, message))?;
    let manifests = Manifests::parse(&sources).map_err(|error| (USAGE, error.to_string()))?;
    for notice in &manifests.notices {
        say(&format!("notice: {notice}"));
    }
    if manifests.is_empty() {
        return Err((USAGE, "no Machine, Job or Task in the manifests".to_owned()));
    }
    let failed = |error: &dyn std::fmt::Display| (FAILURE, format!("error: {error}"));
    let mut signals = Signals::new().map_err(|error| failed(&error))?;
    let options = LocalOptions {
        watch: args.watch,
        timeout: (!args.timeout.is_zero()).then_some(args.timeout),
        progress: ProgressMode::Auto,
        config: behaviour::controllers(&args.behaviour, Metrics::new(), || true),
        ..LocalOptions::default()
    };
    let connect = |store: &MemoryStore| behaviour::connector(&args.behaviour, store.clone());
    let summary = super::run(options, manifests, connect, signals.next())
        .await
        .map_err(|error| failed(&error))?;
    print(&summary, args.output).map_err(|error| (FAILURE, format!("error: {error}")))?;
    say(&summary.to_string());
    Ok(if summary.is_success() {
        SUCCESS
    } else {
        FAILURE
    })
}

/// The texts of files, of the manifests in directories, and of standard input (`-`).
fn read(files: &[PathBuf]) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for file in files {
        let told = |error: io::Error| format!("error: --filename {}: {error}", file.display());
        if file.as_os_str() == "-" {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map_err(told)?;
            sources.push(Source {
                name: "standard input".to_owned(),
                text,
            });
        } else if file.is_dir() {
            for entry in manifests_in(file).map_err(told)? {
                sources.push(source(&entry).map_err(told)?);
            }
        } else {
            sources.push(source(file).map_err(told)?);
        }
    }
    Ok(sources)
}

/// The files that kubectl would take from a directory, in order of name.
fn manifests_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("yaml" | "yml" | "json")) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn source(file: &Path) -> io::Result<Source> {
    Ok(Source {
        name: file.display().to_string(),
        text: fs::read_to_string(file)?,
    })
}

fn print(summary: &Summary, format: OutputFormat) -> Result<(), Box<dyn std::error::Error>> {
    let text = match format {
        OutputFormat::Yaml => summary.to_yaml()?,
        OutputFormat::Json => summary.to_json()?,
        OutputFormat::None => return Ok(()),
    };
    match io::stdout().write_all(text.as_bytes()) {
        // Whoever read us has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

fn say(text: &str) {
    // Nobody is left to tell when standard error is gone.
    let _ = writeln!(io::stderr(), "{text}");
}
