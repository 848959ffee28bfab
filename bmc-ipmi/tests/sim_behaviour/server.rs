//! Simulated BMCs on UDP.

use std::net::SocketAddr;
use std::time::Duration;

use bmc_ipmi::command::GetChannelAuthCapabilities;
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::Privilege;
use tokio::time::Instant;

use crate::console::{Framing, frame, request};

#[tokio::test(start_paused = true)]
async fn the_server_sends_delayed_replies_when_they_are_due() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.faults(|faults| faults.delay = Duration::from_secs(3));
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    socket.connect(bmc.addr()).await.unwrap();
    let command = GetChannelAuthCapabilities::this_channel(Privilege::USER);
    let sent = Instant::now();
    socket
        .send(&frame(Framing::V15, &request(&command, 1)))
        .await
        .unwrap();
    let length = socket.recv(&mut [0; 256]).await.unwrap();
    assert!(length > 20);
    assert!(sent.elapsed() >= Duration::from_secs(3));
    assert_eq!(bmc.log().len(), 1);
}

#[tokio::test]
async fn many_bmcs_are_independent_and_successive_ports_are_possible() {
    let bmcs = Sim::builder().spawn_many(3).await.unwrap();
    bmcs[1].set_power(true);
    assert_eq!(
        bmcs.iter().map(SimHandle::power).collect::<Vec<_>>(),
        [false, true, false]
    );
    let last: SocketAddr = "127.0.0.1:65535".parse().unwrap();
    let error = Sim::builder()
        .address(last)
        .spawn_many(2)
        .await
        .unwrap_err();
    assert!(matches!(
        error.kind(),
        std::io::ErrorKind::InvalidInput | std::io::ErrorKind::AddrInUse
    ));
}
