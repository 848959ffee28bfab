//! A UDP socket that wakes its task for datagrams only: tokio's own also wakes it whenever a datagram has gone out.

#[cfg(unix)]
pub(super) use unix::Udp;

#[cfg(not(unix))]
pub(super) use tokio::net::UdpSocket as Udp;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::net::{SocketAddr, UdpSocket};
    use std::time::Duration;

    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;
    use tokio::time::sleep;

    /// How long a full send buffer is left alone.
    const PAUSE: Duration = Duration::from_millis(1);

    /// What is used of [`tokio::net::UdpSocket`], by the same names.
    pub(in crate::transport) struct Udp(AsyncFd<UdpSocket>);

    impl Udp {
        /// Takes over a socket that does not block. Must be called on a runtime.
        #[expect(
            deprecated,
            reason = "what replaces it is unsafe, for the sake of types that do not keep a descriptor of their own"
        )]
        pub(in crate::transport) fn from_std(udp: UdpSocket) -> io::Result<Self> {
            AsyncFd::with_interest(udp, Interest::READABLE).map(Self)
        }

        /// Waits until there may be a datagram.
        pub(in crate::transport) async fn readable(&self) -> io::Result<()> {
            // That there may be one stays true until a receive has found none.
            self.0.readable().await.map(drop)
        }

        /// Waits until there may be room in the send buffer.
        pub(in crate::transport) async fn writable(&self) -> io::Result<()> {
            sleep(PAUSE).await;
            Ok(())
        }

        pub(in crate::transport) fn try_recv_from(
            &self,
            buffer: &mut [u8],
        ) -> io::Result<(usize, SocketAddr)> {
            let receive = |udp: &UdpSocket| udp.recv_from(buffer);
            self.0.try_io(Interest::READABLE, receive)
        }

        pub(in crate::transport) fn try_send_to(
            &self,
            datagram: &[u8],
            peer: SocketAddr,
        ) -> io::Result<usize> {
            self.0.get_ref().send_to(datagram, peer)
        }
    }
}
