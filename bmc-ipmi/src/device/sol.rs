//! Serial over LAN: the system's serial port as a byte stream.

mod activation;
mod driver;
mod shared;
mod stream;

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::Instant;

use crate::client::{Attached, Client};
use crate::error::Error;
use crate::proto::{SolEvent, SolSettings, SolStream};
use crate::quirks::{Quirk, Quirks};
use crate::wire::{PayloadType, SolFlags};

use shared::{Port, Shared};

/// How SOL is opened.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SolOptions {
    /// Ends SOL of whichever session has it, an earlier stream of the same client included.
    pub steal: bool,
    /// Whether the BMC leaves CTS, DCD and DSR deasserted until the first packet arrives, as ipmitool has it.
    pub starts_deasserted: bool,
    /// How the stream behaves. The BMC's limit on the size of packets holds as well.
    pub settings: SolSettings,
    /// Whether to take the common packet size, whatever the BMC says.
    pub ignore_sizes: bool,
    /// After so long an ordinary command keeps the session from being forgotten, and tells whether it still exists.
    pub keep_alive: Duration,
}

/// The system's serial port. What is read comes from the system, what is written goes there.
///
/// Writing waits while the BMC takes nothing and the buffer is full; a reader that is slow makes the BMC wait. A flush
/// waits until the BMC has acknowledged everything, and fails if it did not. A shutdown flushes and ends SOL; a drop
/// ends SOL without waiting for anything.
///
/// At the end of the stream either side has ended SOL; [`SolControl::end`] says which. A lost session is an error.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "sim")] {
/// # use std::sync::{Arc, Weak};
/// # use std::time::Duration;
/// # use bmc_core::{Credentials, Endpoint};
/// # use bmc_ipmi::proto::Known;
/// # use bmc_ipmi::{Client, Login, Transport};
/// use bmc_ipmi::device::{Sol, SolOptions};
/// use tokio::io::{AsyncReadExt, AsyncWriteExt};
/// # let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// # bmc.serial(|port| port.set_echo(true));
/// # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
/// # let deadline = tokio::time::Instant::now() + Duration::from_secs(5);
/// # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
///
/// let mut console = Sol::open(&client, SolOptions::default(), deadline).await?;
/// console.write_all(b"reboot\r").await?;
/// console.send_break()?;
/// let mut answer = [0; 7];
/// console.read_exact(&mut answer).await?;
/// console.shutdown().await?;
/// # assert_eq!(&answer, b"reboot\r");
/// # client.close().await;
/// # }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Sol {
    shared: Arc<Shared>,
    attached: Arc<Attached>,
}

/// What can be done with a serial port beside reading and writing, also while its [`Sol`] is split. Cheap to clone; does
/// not keep SOL open.
#[derive(Clone, Debug)]
pub struct SolControl {
    shared: Arc<Shared>,
    attached: Weak<Attached>,
}

/// Why a stream has ended.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolEnd {
    /// It was shut down here.
    #[error("serial over LAN was shut down")]
    ShutDown,
    /// The BMC has ended it.
    #[error("the BMC has ended serial over LAN: another console took it over, or it was disabled")]
    Deactivated,
    /// The session is gone.
    #[error("serial over LAN is lost: {0}")]
    Lost(#[source] Error),
}

impl Default for SolOptions {
    fn default() -> Self {
        Self {
            steal: false,
            starts_deasserted: true,
            settings: SolSettings::default(),
            ignore_sizes: false,
            keep_alive: Duration::from_secs(15),
        }
    }
}

impl SolOptions {
    /// As the default, but fit for a BMC with these quirks.
    pub fn for_quirks(quirks: Quirks) -> Self {
        let options = Self::default();
        Self {
            starts_deasserted: !quirks.has(Quirk::IntelPlus),
            ignore_sizes: quirks.has(Quirk::SolPayloadSize),
            settings: SolSettings {
                zero_means_all: quirks.has(Quirk::IntelPlus),
                ..options.settings
            },
            ..options
        }
    }
}

impl Sol {
    /// Activates SOL in the client's session.
    ///
    /// It needs a task of the tokio runtime in which it is called. The client stays usable meanwhile, and its session
    /// lives at least as long as the stream.
    ///
    /// # Errors
    /// [`Error::SolInUse`] if the client has a stream already, [`Error::SolRefused`] if the BMC does not activate it, for
    /// instance because another session has it, both unless [`steal`](SolOptions::steal) is set; anything that a command
    /// can fail with.
    pub async fn open(
        client: &Client,
        options: SolOptions,
        deadline: Instant,
    ) -> Result<Self, Error> {
        let stream = SolStream::new(&options.settings);
        let shared = Arc::new(Shared::new(stream));
        // Listens first: the BMC may print before its answer arrives.
        let port = Box::new(Port::new(Arc::clone(&shared)));
        let attached = client
            .attach(PayloadType::SOL, port, options.steal)
            .map(Arc::new)
            .ok_or(Error::SolInUse)?;
        let session_id = attached.session_id();
        let max_data = activation::activate(client, &options, session_id, deadline).await?;
        shared.limit_data(max_data);
        let driver = driver::drive(
            client.clone(),
            Arc::clone(&attached),
            Arc::clone(&shared),
            options.keep_alive,
        );
        tokio::spawn(driver);
        Ok(Self { shared, attached })
    }

    /// The handle for breaks and events.
    pub fn control(&self) -> SolControl {
        SolControl {
            shared: Arc::clone(&self.shared),
            attached: Arc::downgrade(&self.attached),
        }
    }

    /// Sends a break behind what was written.
    ///
    /// # Errors
    /// As [`SolControl::send_break`].
    pub fn send_break(&self) -> Result<(), std::io::Error> {
        self.control().send_break()
    }
}

impl Drop for Sol {
    fn drop(&mut self) {
        self.shared.abandon();
    }
}

impl SolControl {
    /// Sends a break behind what was written.
    ///
    /// # Errors
    /// SOL has ended, or sixteen breaks wait already.
    pub fn send_break(&self) -> Result<(), std::io::Error> {
        self.operate(SolFlags::SEND_BREAK)
    }

    /// Has the BMC drop what it holds of either direction.
    ///
    /// # Errors
    /// As [`send_break`](Self::send_break).
    pub fn flush_bmc(&self) -> Result<(), std::io::Error> {
        self.operate(SolFlags::FLUSH_INBOUND | SolFlags::FLUSH_OUTBOUND)
    }

    /// Waits for the next event: a break of the system, lost characters, the end. `None` once SOL has ended and all
    /// events were told. Cancellation-safe; up to 64 are kept.
    pub async fn event(&self) -> Option<SolEvent> {
        std::future::poll_fn(|cx| self.shared.poll_event(cx)).await
    }

    /// Why SOL has ended; `None` while it has not.
    pub fn end(&self) -> Option<SolEnd> {
        self.shared.end()
    }

    fn operate(&self, operation: SolFlags) -> Result<(), std::io::Error> {
        self.shared.control(operation)?;
        if let Some(attached) = self.attached.upgrade() {
            attached.send();
        }
        Ok(())
    }
}
