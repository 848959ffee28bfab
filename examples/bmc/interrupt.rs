//! Being asked to end.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask the program to end: of the keyboard, of a service manager, of a terminal that is closed.
pub struct Interrupts([Signal; 3]);

impl Interrupts {
    pub fn new() -> io::Result<Self> {
        Ok(Self([
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ]))
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        let Self([interrupt, terminate, hangup]) = self;
        tokio::select! {
            biased;
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
