//! Asking who is there, without a session and without credentials.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bmc_core::Endpoint;
use rand::Rng;
use tokio::net::UdpSocket;
use tokio::time::{Instant, timeout_at};

use crate::codec::Wire;
use crate::error::Error;
use crate::proto::MAX_DATAGRAM;
use crate::transport::{Transport, resolve};
use crate::wire::{PresencePing, PresencePong};

/// First wait for an answer; it grows by half up to four times that.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// Sends ASF presence pings until a pong comes from one of the endpoint's addresses.
///
/// A pong proves that RMCP is spoken there, and nothing about the BMC. Silence proves nothing: answering pings is
/// optional, and some BMCs, such as those of OpenBMC, are built without.
///
/// # Errors
/// The name has no address, nothing listens there, or no pong came before `deadline`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "sim")] {
/// use std::time::Duration;
///
/// use bmc_core::Endpoint;
/// use bmc_ipmi::{Transport, ping};
/// use tokio::time::Instant;
///
/// let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// let deadline = Instant::now() + Duration::from_secs(2);
/// assert!(ping(&Transport::new(), &endpoint, deadline).await?.speaks_ipmi());
/// # }
/// # Ok(()) }
/// ```
pub async fn ping(
    transport: &Transport,
    endpoint: &Endpoint,
    deadline: Instant,
) -> Result<PresencePong, Error> {
    let late = Error::NoReply {
        command: PresencePing::NAME,
    };
    let _permit = timeout_at(deadline, transport.probe_permit())
        .await
        .map_err(|_| late.clone())?;
    let mut addresses = timeout_at(deadline, resolve(endpoint))
        .await
        .map_err(|_| Error::resolve(&endpoint.to_string(), std::io::ErrorKind::TimedOut.into()))??
        .into_iter();
    let mut failure = late;
    while let Some(peer) = addresses.next() {
        // What is left of the time is shared by the addresses that are left.
        let left = u32::try_from(addresses.len() + 1).unwrap_or(u32::MAX);
        let now = Instant::now();
        let until = now + deadline.saturating_duration_since(now) / left;
        match ping_address(peer, until).await {
            Ok(pong) => return Ok(pong),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// On a socket of its own: only a connected one is told that nothing listens.
async fn ping_address(peer: SocketAddr, deadline: Instant) -> Result<PresencePong, Error> {
    let any: SocketAddr = match peer {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let no_socket = |error| Error::Socket(Arc::new(error));
    let socket = UdpSocket::bind(any).await.map_err(no_socket)?;
    socket.connect(peer).await.map_err(|error| Error::Send {
        peer,
        source: Arc::new(error),
    })?;
    let mut buffer = vec![0; MAX_DATAGRAM];
    let [first, ..] = rand::rng().next_u32().to_le_bytes();
    let (mut sent, mut wait) = (0_u8, FIRST_WAIT);
    while Instant::now() < deadline {
        let tag = first.wrapping_add(sent);
        sent = sent.saturating_add(1);
        // A refusal by ICMP may be reported here or below; anything else is a lost datagram.
        let refused =
            |error: &std::io::Error| error.kind() == std::io::ErrorKind::ConnectionRefused;
        if socket
            .send(&PresencePing { tag }.to_bytes())
            .await
            .is_err_and(|error| refused(&error))
        {
            return Err(Error::Unreachable { peer });
        }
        let until = deadline.min(Instant::now() + wait);
        wait = (wait * 3 / 2).min(FIRST_WAIT * 4);
        while let Ok(received) = timeout_at(until, socket.recv(&mut buffer)).await {
            match received {
                Err(error) if refused(&error) => return Err(Error::Unreachable { peer }),
                Err(error) => return Err(no_socket(error)),
                Ok(length) => {
                    let datagram = buffer.get(..length).unwrap_or_default();
                    let pong = PresencePong::from_prefix(datagram);
                    // Every ping that was sent may still be answered.
                    if let Ok(pong) = pong
                        && pong.tag.wrapping_sub(first) < sent
                    {
                        return Ok(pong);
                    }
                }
            }
        }
    }
    Err(Error::NoReply {
        command: PresencePing::NAME,
    })
}
