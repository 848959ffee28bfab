//! The diagnostic interrupt.

use async_trait::async_trait;

use crate::error::Error;

/// Interrupts the host's operating system, usually to take a crash dump.
#[async_trait]
pub trait Nmi: Send + Sync {
    /// Sends one non-maskable interrupt. Sent at most once, whatever happens to the reply.
    async fn send_nmi(&self) -> Result<(), Error>;
}
