//! Where a password comes from: a variable, a file or the terminal, and never the command line.

use std::env::{self, VarError};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use bmc_core::Secret;

/// A source that was asked for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Source {
    /// An environment variable.
    Variable(String),
    /// The first line of a file.
    File(PathBuf),
    /// A question on the terminal.
    Prompt,
}

/// Why there is no password.
#[derive(Debug, thiserror::Error)]
pub enum NoPassword {
    /// The variable is not set.
    #[error("environment variable {0} is not set")]
    NotSet(String),
    /// The variable is not text.
    #[error("environment variable {0} is not UTF-8")]
    NotText(String),
    /// The file cannot be read.
    #[error("password file {}: {error}", path.display())]
    File {
        /// Where it should be.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file has no line.
    #[error("password file {} is empty", .0.display())]
    EmptyFile(PathBuf),
    /// Nobody can be asked.
    #[error(
        "no password, and no terminal to ask on: give --password-env VAR or --password-file FILE"
    )]
    NoTerminal,
    /// The terminal failed.
    #[error("cannot read the password from the terminal: {0}")]
    Terminal(io::Error),
}

impl Source {
    /// Fetches the password; `user` is shown when somebody is asked.
    ///
    /// # Errors
    /// The source has none.
    pub fn read(&self, user: &str) -> Result<Secret, NoPassword> {
        match self {
            Self::Variable(name) => match env::var(name) {
                Ok(password) => Ok(password.into()),
                Err(VarError::NotPresent) => Err(NoPassword::NotSet(name.clone())),
                Err(VarError::NotUnicode(_)) => Err(NoPassword::NotText(name.clone())),
            },
            Self::File(path) => first_line(path),
            Self::Prompt if io::stdin().is_terminal() => {
                let asked = rpassword::prompt_password(format!("Password of {user}: "));
                asked.map(Secret::from).map_err(NoPassword::Terminal)
            }
            Self::Prompt => Err(NoPassword::NoTerminal),
        }
    }
}

/// No protocol allows more.
const LONGEST_LINE: u64 = 64 * 1024;

fn first_line(path: &Path) -> Result<Secret, NoPassword> {
    let mut line = Vec::new();
    let read = File::open(path)
        .and_then(|file| BufReader::new(file.take(LONGEST_LINE)).read_until(b'\n', &mut line));
    match read {
        Err(error) => {
            let path = path.to_owned();
            return Err(NoPassword::File { path, error });
        }
        Ok(0) => return Err(NoPassword::EmptyFile(path.to_owned())),
        Ok(_) => {}
    }
    for end in [b'\n', b'\r'] {
        line.pop_if(|last| *last == end);
    }
    Ok(Secret::new(line))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_first_line_of_a_file_without_its_end() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let source = Source::File(file.path().to_owned());
        assert!(matches!(source.read("u"), Err(NoPassword::EmptyFile(_))));
        file.write_all(b"s\xe9cret \r\nsecond line\n").unwrap();
        assert_eq!(source.read("u").unwrap(), Secret::new(*b"s\xe9cret "));
    }

    #[test]
    fn a_missing_variable_is_named() {
        let missing = Source::Variable("BMC_TEST_NOT_SET".into());
        let error = missing.read("u").unwrap_err().to_string();
        assert_eq!(error, "environment variable BMC_TEST_NOT_SET is not set");
    }
}
