//! Telling "nothing listens there" from "does not answer".

use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::time::timeout;

/// How long a refusal by ICMP is waited for.
const WAIT: Duration = Duration::from_secs(1);

/// Sends `datagram` from a connected socket of its own and listens for the peer's host to refuse it.
///
/// A connected socket reports ICMP "port unreachable" and its kin; the shared ones must not, lest one dead host disturb
/// a thousand. A reply, silence and local trouble all mean `false`: only a refusal is proof.
pub(super) async fn nothing_listens(peer: SocketAddr, datagram: &[u8]) -> bool {
    let any: SocketAddr = match peer {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let Ok(socket) = UdpSocket::bind(any).await else {
        return false;
    };
    let refused = async {
        socket.connect(peer).await?;
        socket.send(datagram).await?;
        socket.recv(&mut [0; 64]).await
    };
    matches!(
        timeout(WAIT, refused).await,
        Ok(Err(error)) if matches!(
            error.kind(),
            ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable
        )
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[tokio::test]
    async fn a_closed_port_is_told_from_a_silent_one() {
        let silent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        assert!(!nothing_listens(silent.local_addr().unwrap(), b"?").await);
        let closed = silent.local_addr().unwrap();
        drop(silent);
        assert!(nothing_listens(closed, b"?").await);
    }
}
