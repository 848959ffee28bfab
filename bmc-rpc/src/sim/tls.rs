//! TLS in front of a simulated peer.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Puts TLS, with a certificate for `localhost` that nobody knows, in front of an HTTP server. Dropped, it is gone.
#[derive(Debug)]
pub struct TlsFront {
    addr: SocketAddr,
    pem: String,
    fingerprint: [u8; 32],
    task: AbortHandle,
}

impl TlsFront {
    /// Listens on a free port of loopback, for the server at `peer`. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// There is no port, or no certificate could be made.
    pub async fn spawn(peer: SocketAddr) -> io::Result<Self> {
        let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])
            .map_err(io::Error::other)?;
        let key = PrivateKeyDer::Pkcs8(own.signing_key.serialize_der().into());
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_no_client_auth()
            .with_single_cert(vec![own.cert.der().clone()], key)
            .map_err(io::Error::other)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let addr = listener.local_addr()?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let task = tokio::spawn(async move {
            loop {
                // A connection that broke before it was accepted.
                let Ok((socket, _)) = listener.accept().await else {
                    continue;
                };
                tokio::spawn(connection(acceptor.clone(), socket, peer));
            }
        });
        Ok(Self {
            addr,
            pem: own.cert.pem(),
            fingerprint: Sha256::digest(own.cert.der()).into(),
            task: task.abort_handle(),
        })
    }

    /// Where to send requests; ends with `/`.
    pub fn url(&self) -> String {
        format!("https://localhost:{}/", self.addr.port())
    }

    /// The certificate, which is its own root, as PEM.
    pub fn certificate(&self) -> &str {
        &self.pem
    }

    /// SHA-256 of the certificate.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn connection(acceptor: TlsAcceptor, socket: TcpStream, peer: SocketAddr) {
    // Whoever does not like the certificate hangs up here.
    let Ok(mut front) = acceptor.accept(socket).await else {
        return;
    };
    if let Ok(mut back) = TcpStream::connect(peer).await {
        let _ = copy_bidirectional(&mut front, &mut back).await;
    }
}
