//! The terminal, key by key.

use std::io::{self, IsTerminal, Write};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use tokio::time::Instant;

/// Standard input, raw while this lives if it is a terminal.
#[derive(Debug)]
pub struct Terminal {
    is_raw: bool,
}

impl Terminal {
    /// Says how to leave, too, unless it ends by itself.
    pub fn raw(end: Option<Instant>) -> io::Result<Self> {
        let is_raw = io::stdin().is_terminal();
        if is_raw {
            enable_raw_mode()?;
            if end.is_none() {
                print("[~. at the begin of a line ends, ~? lists more]\r\n");
            }
        }
        Ok(Self { is_raw })
    }

    pub fn is_interactive(&self) -> bool {
        self.is_raw
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.is_raw {
            let _ = disable_raw_mode();
        }
    }
}

/// Tells the person, beside the host's output.
pub fn print(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
