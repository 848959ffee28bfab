//! Logins over UDP against a simulated BMC whose sessions change while it runs, and presence pings.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use bmc_core::{Credentials, Endpoint, ErrorKind};
use bmc_ipmi::command::ChassisControl;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::quirks::{Quirk, Quirks};
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::AuthType;
use bmc_ipmi::{Client, Error, Login, Transport, ping};
use tokio::time::Instant;

fn within(time: Duration) -> Instant {
    Instant::now() + time
}

fn soon() -> Instant {
    within(Duration::from_secs(10))
}

fn endpoint(addr: SocketAddr) -> Endpoint {
    Endpoint::parse(&addr.to_string(), 623).unwrap()
}

fn login() -> Login {
    Login::new(&Credentials::new("admin", "password")).unwrap()
}

async fn switch_on(bmc: &SimHandle, login: Login) -> Result<Client, Error> {
    let (transport, endpoint) = (Transport::new(), endpoint(bmc.addr()));
    let client = Client::connect(
        &transport,
        &endpoint,
        login.into(),
        Known::default(),
        soon(),
    );
    let client = client.await?;
    bmc.set_power(false);
    client.execute(&ChassisControl::POWER_UP, soon()).await?;
    assert!(bmc.power());
    Ok(client)
}

#[tokio::test]
async fn suites_types_and_quirks_change_while_the_bmc_runs() {
    // Supermicro's X8DT boards, whose quirks are on the list.
    let bmc = Sim::builder()
        .manufacturer(10876, 43707)
        .spawn()
        .await
        .unwrap();
    for suite in CipherSuite::ALL {
        bmc.set_suites([suite]);
        let client = switch_on(&bmc, login().cipher_suite(suite)).await.unwrap();
        assert_eq!(client.known().suite, Some(suite));
        client.close().await;
    }
    for auth_type in [AuthType::MD2, AuthType::MD5, AuthType::STRAIGHT] {
        bmc.set_auth_types([auth_type]);
        let client = switch_on(&bmc, login().v15(auth_type).unwrap()).await;
        client.unwrap().close().await;
    }
    let quirk = Quirk::IntelPlus;
    bmc.quirks(|quirks| quirks.needs = quirk.into());
    let suite = CipherSuite::SUITE_3;
    bmc.set_suites([suite]);
    let plain = switch_on(&bmc, login().cipher_suite(suite)).await;
    assert_eq!(plain.unwrap_err().kind(), ErrorKind::Authentication);
    let fitting = login().cipher_suite(suite).quirks(quirk.into());
    let client = switch_on(&bmc, fitting).await.unwrap();
    let detected = Quirks::detect(&client, soon()).await.unwrap();
    assert_eq!(
        detected.to_string(),
        "opensesspriv,integritycheckvalue,solpayloadsize"
    );
}

#[tokio::test]
async fn a_session_of_v15_is_closed_like_any_other() {
    let bmc = Sim::builder()
        .auth_types([AuthType::MD5])
        .spawn()
        .await
        .unwrap();
    let client = switch_on(&bmc, login().v15(AuthType::MD5).unwrap())
        .await
        .unwrap();
    assert_eq!(bmc.active_sessions(), 1);
    client.close().await;
    let deadline = soon();
    while bmc.active_sessions() > 0 {
        assert!(Instant::now() < deadline, "the session is still there");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn presence_is_told_from_silence_and_from_nothing() {
    let transport = Transport::new();
    let bmc = Sim::builder().spawn().await.unwrap();
    // The first ping is lost.
    bmc.faults(|faults| faults.drop_next_requests = 1);
    let pong = ping(&transport, &endpoint(bmc.addr()), soon())
        .await
        .unwrap();
    assert!(pong.speaks_ipmi());

    let silent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let addr = silent.local_addr().unwrap();
    let shortly = within(Duration::from_millis(100));
    let error = ping(&transport, &endpoint(addr), shortly)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::NoReply { .. }), "{error}");

    drop(silent);
    let error = ping(&transport, &endpoint(addr), soon()).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    assert_eq!(transport.open_sockets(), 0);
}
