//! Counts the datagrams to a BMC.
#![allow(missing_docs, unreachable_pub, dead_code)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::UdpSocket;
use tokio::task::AbortHandle;

/// Stands in front of a BMC and passes everything on.
pub struct Relay {
    pub port: u16,
    seen: Arc<AtomicUsize>,
    task: AbortHandle,
}

impl Relay {
    pub async fn start(bmc: SocketAddr) -> Self {
        let front = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let back = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        back.connect(bmc).await.unwrap();
        let port = front.local_addr().unwrap().port();
        let seen = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            let (mut to_bmc, mut to_client) = ([0; 2048], [0; 2048]);
            let mut client = None;
            loop {
                tokio::select! {
                    Ok((length, from)) = front.recv_from(&mut to_bmc) => {
                        counter.fetch_add(1, Ordering::SeqCst);
                        client = Some(from);
                        back.send(&to_bmc[..length]).await.unwrap();
                    }
                    Ok(length) = back.recv(&mut to_client) => {
                        if let Some(client) = client {
                            front.send_to(&to_client[..length], client).await.unwrap();
                        }
                    }
                }
            }
        });
        Self {
            port,
            seen,
            task: task.abort_handle(),
        }
    }

    /// Datagrams that were sent to the BMC.
    pub fn seen(&self) -> usize {
        self.seen.load(Ordering::SeqCst)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}
