//! The log.

use std::io::{self, IsTerminal};

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::args::{LogArgs, LogFormat};

/// Logs every reply of 500 and above as an error, also those that are handled; off unless named.
const NOISE: &str = "kube_client::client::builder";

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// A directive is not one.
    #[error(
        "--log-level: {0:?} is not a level; allowed are off, error, warn, info, debug, trace, and directives such as info,rufio_operator=debug"
    )]
    Level(String),
    /// A log was set up before.
    #[error("log: {0}")]
    Twice(#[from] TryInitError),
}

/// Starts logging to standard error. `default_level` counts where no level was asked for.
pub fn init(args: &LogArgs, default_level: &str) -> Result<(), TelemetryError> {
    let colours = io::stderr().is_terminal();
    Ok(subscriber(args, default_level, colours, io::stderr)?.try_init()?)
}

fn subscriber<W>(
    args: &LogArgs,
    default_level: &str,
    colours: bool,
    writer: W,
) -> Result<impl Subscriber + Send + Sync + 'static, TelemetryError>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = targets(args.log_level.as_deref().unwrap_or(default_level))?;
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let lines = match args.log_format {
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
        LogFormat::Text => lines.with_ansi(colours).with_target(false).boxed(),
    };
    Ok(registry().with(lines).with(filter))
}

/// Levels and `TARGET=LEVEL`, separated by commas. A bare level counts for all targets that are not named.
fn targets(directives: &str) -> Result<Targets, TelemetryError> {
    let mut targets = Targets::new().with_target(NOISE, LevelFilter::OFF);
    for directive in directives.split(',').map(str::trim) {
        let refused = || TelemetryError::Level(directive.to_owned());
        targets = match directive.split_once('=') {
            Some((target, name)) if is_target(target) => {
                targets.with_target(target, level(name).ok_or_else(refused)?)
            }
            Some(_) => return Err(refused()),
            None => targets.with_default(level(directive).ok_or_else(refused)?),
        };
    }
    Ok(targets)
}

fn level(name: &str) -> Option<LevelFilter> {
    // Numbers would be understood, too, but differently from Go's.
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && !name.is_empty())
        .then(|| name.parse().ok())
        .flatten()
}

fn is_target(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
    !text.is_empty() && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(log_level: Option<&str>, log_format: LogFormat) -> String {
        let args = LogArgs {
            log_level: log_level.map(str::to_owned),
            log_format,
        };
        let sink = Sink::default();
        let writer = sink.clone();
        let subscriber = subscriber(&args, "info", false, move || writer.clone()).unwrap();
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!(target: "rufio_operator::run", machine = "ns/m", "ready");
            tracing::debug!(target: "rufio_operator::run", "detail");
            tracing::error!(target: NOISE, "noise");
        });
        let bytes = sink.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn people_get_lines_and_programs_get_json() {
        let text = logged(None, LogFormat::Text);
        assert!(text.ends_with(" INFO ready machine=\"ns/m\"\n"), "{text}");
        let json: serde_json::Value = serde_json::from_str(&logged(None, LogFormat::Json)).unwrap();
        for (field, value) in [
            ("level", "INFO"),
            ("message", "ready"),
            ("machine", "ns/m"),
            ("target", "rufio_operator::run"),
        ] {
            assert_eq!(json[field], value);
        }
    }

    #[test]
    fn directives_choose_what_is_logged() {
        for (level, wanted) in [
            ("warn", ""),
            ("off", ""),
            ("DEBUG", "ready detail"),
            ("warn,rufio_operator=debug", "ready detail"),
            ("info, rufio_operator::run=off", ""),
            ("off,kube_client::client::builder=error", "noise"),
        ] {
            let text = logged(Some(level), LogFormat::Text);
            for word in ["ready", "detail", "noise"] {
                assert_eq!(
                    text.contains(word),
                    wanted.contains(word),
                    "{level}: {text}"
                );
            }
        }
    }

    #[test]
    fn a_directive_that_is_none_is_quoted() {
        for (given, quoted) in [
            ("inof", "\"inof\""),
            ("", "\"\""),
            ("info,", "\"\""),
            ("2", "\"2\""),
            ("info,rufio_operator=loud", "\"rufio_operator=loud\""),
            ("=info", "\"=info\""),
            ("[span]=info", "\"[span]=info\""),
            ("a=info=b", "\"a=info=b\""),
        ] {
            let error = targets(given).unwrap_err().to_string();
            assert!(error.starts_with("--log-level: "), "{error}");
            assert!(error.contains(quoted), "{error}");
        }
    }
}
