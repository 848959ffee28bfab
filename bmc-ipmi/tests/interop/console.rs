//! Serial over LAN at foreign BMCs, whose serial ports send back in capital letters what is typed.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

use bmc_core::ErrorKind;
use bmc_ipmi::Client;
use bmc_ipmi::command::{GetDeviceId, SolParameter, SolSetting, THIS_CHANNEL};
use bmc_ipmi::device::{Sol, SolConfiguration, SolOptions};
use peers::{GoIpmi, IpmiSim};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::{log_in, soon};

/// Reads until `text` has come.
async fn see(sol: &mut Sol, text: &str) -> String {
    let mut seen = Vec::new();
    let reading = timeout(Duration::from_secs(20), async {
        let mut buffer = [0; 1024];
        while !String::from_utf8_lossy(&seen).contains(text) {
            let count = sol.read(&mut buffer).await.unwrap();
            assert!(count > 0, "ends without {text:?}");
            seen.extend(&buffer[..count]);
        }
    });
    let came = reading.await.is_ok();
    let seen = String::from_utf8_lossy(&seen).into_owned();
    assert!(came, "{text:?} does not come: {seen:?}");
    seen
}

/// Types a line, then much more than a packet holds, and reads it back; commands go on meanwhile.
async fn converse(client: &Client, sol: &mut Sol) {
    sol.write_all(b"hello\r").await.unwrap();
    see(sol, "HELLO\r").await;
    client.execute(&GetDeviceId, soon()).await.unwrap();
    let line = "0123456789abcdef".repeat(100) + "!";
    sol.write_all(line.as_bytes()).await.unwrap();
    sol.flush().await.unwrap();
    let seen = see(sol, "!").await;
    assert_eq!(seen, line.to_uppercase(), "once and in order");
}

/// A serial port for `ipmi_sim`.
fn serial_port() -> std::net::SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut stream = stream;
                let _ = stream.write_all(b"login: ");
                let mut buffer = [0; 1024];
                while let Ok(count @ 1..) = stream.read(&mut buffer) {
                    let typed = buffer[..count].to_ascii_uppercase();
                    if stream.write_all(&typed).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

#[tokio::test]
async fn ipmi_sim_has_a_console() {
    let Some(peer) = IpmiSim::start_with_serial(serial_port()) else {
        return;
    };
    let client = log_in(&peer, "ipmiusr", "test").await;
    let configuration = SolConfiguration::new(&client, THIS_CHANNEL).unwrap();
    let enabled = configuration
        .get(SolParameter::ENABLE, soon())
        .await
        .unwrap();
    assert_eq!(enabled, Some(SolSetting::Enable(true)));
    let mut sol = Sol::open(&client, SolOptions::default(), soon())
        .await
        .unwrap();
    converse(&client, &mut sol).await;
    sol.send_break().unwrap();
    sol.write_all(b"after\r").await.unwrap();
    see(&mut sol, "AFTER\r").await;
    // It remembers the number of the last packet beyond the session, and takes the next console's first packet for a
    // repeat if that was number 1.
    sol.write_all(b"more\r").await.unwrap();
    see(&mut sol, "MORE\r").await;

    let other = log_in(&peer, "ipmiusr", "test").await;
    let error = Sol::open(&other, SolOptions::default(), soon())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
    let steal = SolOptions {
        steal: true,
        ..SolOptions::default()
    };
    let mut stolen = Sol::open(&other, steal, soon()).await.unwrap();
    stolen.write_all(b"mine\r").await.unwrap();
    stolen.flush().await.unwrap();
    see(&mut stolen, "MINE\r").await;
    stolen.shutdown().await.unwrap();
}

#[tokio::test]
async fn goipmi_has_a_console() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let client = log_in(&peer, "admin", "secret").await;
    let mut sol = Sol::open(&client, SolOptions::default(), soon())
        .await
        .unwrap();
    see(&mut sol, "login: ").await;
    converse(&client, &mut sol).await;
    sol.send_break().unwrap();
    see(&mut sol, "<BREAK>").await;
    sol.shutdown().await.unwrap();
    // It was given back.
    let mut again = Sol::open(&client, SolOptions::default(), soon())
        .await
        .unwrap();
    again.write_all(b"again").await.unwrap();
    see(&mut again, "AGAIN").await;
}
