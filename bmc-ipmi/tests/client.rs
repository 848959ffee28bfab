//! Client, transport and provider over real sockets on loopback, against simulated BMCs.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant as StdInstant};

use bmc_core::testing::conformance;
use bmc_core::{
    BootDevice, BootOverride, Credentials, Effect, Endpoint, ErrorKind, PowerAction, PowerState,
    Provider,
};
use bmc_ipmi::command::{ChassisControl, GetChassisStatus, GetDeviceId};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::{CompletionCode, NetFn};
use bmc_ipmi::{Client, Error, IpmiProvider, Login, Transport};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

fn within(time: Duration) -> Instant {
    Instant::now() + time
}

fn soon() -> Instant {
    within(Duration::from_secs(20))
}

fn endpoint(addr: SocketAddr) -> Endpoint {
    Endpoint::new(&addr.ip().to_string(), addr.port()).unwrap()
}

fn login() -> Arc<Login> {
    Arc::new(Login::new(&Credentials::new("admin", "password")).unwrap())
}

fn provider(addr: SocketAddr, transport: &Transport) -> IpmiProvider {
    IpmiProvider::builder(endpoint(addr), Credentials::new("admin", "password"))
        .transport(transport)
        .build()
        .unwrap()
}

async fn connect(bmc: &SimHandle, transport: &Transport) -> Client {
    let known = Known::default();
    let client = Client::connect(transport, &endpoint(bmc.addr()), login(), known, soon()).await;
    client.unwrap()
}

/// A silent port: bound, never read.
fn silent() -> (UdpSocket, SocketAddr) {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let addr = socket.local_addr().unwrap();
    (socket, addr)
}

/// Waits until the BMC has no session, as Close Session is not answered.
async fn all_closed(bmc: &SimHandle) {
    let deadline = soon();
    while bmc.active_sessions() > 0 {
        assert!(
            Instant::now() < deadline,
            "{} sessions are left",
            bmc.active_sessions()
        );
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn the_provider_keeps_the_contract() {
    let bmc = Sim::builder().spawn().await.unwrap();
    conformance::all(&provider(bmc.addr(), &Transport::new())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_provider_keeps_the_contract_with_every_reply_doubled_and_out_of_order() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.faults(|faults| {
        faults.duplicate = true;
        faults.reorder = Duration::from_millis(5);
    });
    conformance::all(&provider(bmc.addr(), &Transport::new())).await;
}

#[tokio::test]
async fn a_thousand_bmcs_share_four_sockets() {
    let fleet = Sim::builder().power(true).spawn_many(1000).await.unwrap();
    let transport = Transport::new();
    let begun = StdInstant::now();
    let mut tasks = JoinSet::new();
    for bmc in &fleet {
        let (transport, endpoint) = (transport.clone(), endpoint(bmc.addr()));
        tasks.spawn(async move {
            let known = Known {
                suite: Some(CipherSuite::SUITE_17),
                ..Known::default()
            };
            let client = Client::connect(&transport, &endpoint, login(), known, soon()).await?;
            client.execute(&GetChassisStatus, soon()).await
        });
    }
    while let Some(status) = tasks.join_next().await {
        assert!(status.unwrap().unwrap().is_on());
    }
    println!("1000 BMCs in {:?}", begun.elapsed());
    let sockets = transport.open_sockets();
    assert!((1..=4).contains(&sockets), "{sockets} sockets");
    for bmc in &fleet {
        all_closed(bmc).await;
    }
}

#[tokio::test]
async fn one_bmc_needs_one_socket() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let transport = Transport::new();
    assert_eq!(transport.open_sockets(), 0);
    let clients = [
        connect(&bmc, &transport).await,
        connect(&bmc, &transport).await,
    ];
    for client in &clients {
        client.execute(&GetDeviceId, soon()).await.unwrap();
    }
    assert_eq!((transport.open_sockets(), bmc.active_sessions()), (1, 2));
    drop(clients);
    all_closed(&bmc).await;
}

#[tokio::test]
async fn the_receiving_task_ends_with_its_last_user() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = tasks();
    let transport = Transport::new();
    let client = connect(&bmc, &transport).await;
    assert_eq!(tasks(), before + 1);
    drop(transport);
    client.execute(&GetDeviceId, soon()).await.unwrap();
    drop(client);
    let deadline = soon();
    while tasks() > before {
        assert!(Instant::now() < deadline, "the task is still there");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn nothing_listening_is_told_from_silence() {
    let transport = Transport::new();
    let (socket, addr) = silent();
    let deadline = within(Duration::from_millis(1500));
    let error = provider(addr, &transport).open(deadline).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Timeout, Effect::None),
        "{error}"
    );
    assert!(Instant::now() >= deadline, "silence is waited for");

    drop(socket);
    let deadline = soon();
    let error = provider(addr, &transport).open(deadline).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error}");
    assert!(
        error
            .to_string()
            .contains(&format!("nothing listens on {addr}")),
        "{error}"
    );
    assert!(Instant::now() < deadline, "a refusal is not waited for");

    // The shared socket has not noticed.
    let bmc = Sim::builder().spawn().await.unwrap();
    connect(&bmc, &transport).await;
    assert_eq!(transport.open_sockets(), 1);
}

#[tokio::test]
async fn a_dead_bmc_does_not_hold_up_others() {
    let transport = Transport::builder().sockets(1).build();
    let (_socket, dead) = silent();
    let mut dead_logins = JoinSet::new();
    for _ in 0..2 * Transport::LOGINS_PER_SOCKET {
        let provider = provider(dead, &transport);
        dead_logins.spawn(async move { provider.open(soon()).await.map(drop) });
    }
    tokio::task::yield_now().await;
    let bmc = Sim::builder().spawn().await.unwrap();
    connect(&bmc, &transport).await;
    assert!(
        dead_logins.try_join_next().is_none(),
        "the dead one is still waited for"
    );
}

#[tokio::test]
async fn names_and_ipv6_lead_to_the_bmc() {
    let v6 = SocketAddr::from((Ipv6Addr::LOCALHOST, 0));
    let bmc = Sim::builder().address(v6).spawn().await.unwrap();
    let transport = Transport::new();
    let client = connect(&bmc, &transport).await;
    assert!(client.peer().is_ipv6());

    // The name may also lead to an address where nothing listens.
    let bmc = Sim::builder().spawn().await.unwrap();
    let named = Endpoint::new("localhost", bmc.addr().port()).unwrap();
    let client = Client::connect(&transport, &named, login(), Known::default(), soon())
        .await
        .unwrap();
    assert_eq!(client.peer(), bmc.addr());

    let unknown = Endpoint::new("no-such-host.invalid", 623).unwrap();
    let error = Client::connect(&transport, &unknown, login(), Known::default(), soon())
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Resolve { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Unreachable);
}

#[tokio::test]
async fn a_dropped_command_leaves_the_session_usable() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc, &Transport::new()).await;
    bmc.faults(|faults| faults.delay = Duration::from_millis(50));
    for micros in [0, 10, 100, 1_000, 10_000, 49_900] {
        let execute = client.execute(&GetDeviceId, soon());
        let cut = timeout(Duration::from_micros(micros), execute).await;
        assert!(cut.is_err(), "an answer after {micros} µs");
    }
    bmc.faults(|faults| faults.delay = Duration::ZERO);
    // The answers to the abandoned commands arrive meanwhile and are nobody's.
    for _ in 0..20 {
        assert!(
            !client
                .execute(&GetChassisStatus, soon())
                .await
                .unwrap()
                .is_on()
        );
    }
    assert!(client.is_alive());
}

#[tokio::test]
async fn dropped_logins_leave_nothing_behind() {
    let bmc = Sim::builder()
        .session_timeout(Duration::from_secs(1))
        .spawn()
        .await
        .unwrap();
    let transport = Transport::new();
    for micros in 0..100 {
        let provider = provider(bmc.addr(), &transport);
        let _ = timeout(Duration::from_micros(micros * 10), provider.open(soon())).await;
    }
    let client = connect(&bmc, &transport).await;
    client.execute(&GetDeviceId, soon()).await.unwrap();
    assert_eq!(transport.open_sockets(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_share_a_client() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = connect(&bmc, &Transport::new()).await;
    let mut tasks = JoinSet::new();
    for _ in 0..50 {
        let client = client.clone();
        tasks.spawn(async move {
            for _ in 0..20 {
                assert!(
                    client
                        .execute(&GetChassisStatus, soon())
                        .await
                        .unwrap()
                        .is_on()
                );
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    client.close().await;
    assert!(!client.is_alive());
    all_closed(&bmc).await;
}

#[tokio::test]
async fn a_second_login_asks_less() {
    let bmc = Sim::builder()
        .suites([CipherSuite::SUITE_3])
        .spawn()
        .await
        .unwrap();
    let provider = provider(bmc.addr(), &Transport::new());
    let questions = || {
        bmc.log()
            .iter()
            .filter(|entry| entry.command == 0x54)
            .count()
    };
    provider.open(soon()).await.unwrap().close().await;
    let asked = questions();
    assert!(asked > 0);
    provider.open(soon()).await.unwrap().close().await;
    assert_eq!(questions(), asked);
}

#[tokio::test]
async fn a_lost_session_is_reported() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let provider =
        IpmiProvider::builder(endpoint(bmc.addr()), Credentials::new("admin", "password"))
            .command_timeout(Duration::from_millis(300))
            .build()
            .unwrap();
    let session = provider.open(soon()).await.unwrap();
    let power = session.power().unwrap();
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
    bmc.forget_sessions();
    let error = power.power_state().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Timeout, Effect::None)
    );
    assert!(!session.is_alive());
    let error = power.set_power(PowerAction::On).await.unwrap_err();
    assert_eq!(
        error.effect(),
        Effect::None,
        "nothing is sent on a lost session"
    );
    let session = provider.open(soon()).await.unwrap();
    session
        .power()
        .unwrap()
        .set_power(PowerAction::On)
        .await
        .unwrap();
    assert!(bmc.power());
}

#[tokio::test]
async fn a_cycle_without_an_answer_may_have_happened() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let provider =
        IpmiProvider::builder(endpoint(bmc.addr()), Credentials::new("admin", "password"))
            .command_timeout(Duration::from_millis(300))
            .build()
            .unwrap();
    let session = provider.open(soon()).await.unwrap();
    let power = session.power().unwrap();
    power.set_power(PowerAction::On).await.unwrap();
    bmc.faults(|faults| faults.drop_next_replies = 1);
    let error = power.set_power(PowerAction::Cycle).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Timeout, Effect::Unknown),
        "{error}"
    );
    assert_eq!(bmc.cycles(), 1);
}

/// Some BMCs refuse what is already so.
#[tokio::test]
async fn a_refusal_of_what_is_already_so_is_a_success() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let session = provider(bmc.addr(), &Transport::new())
        .open(soon())
        .await
        .unwrap();
    let power = session.power().unwrap();
    let control = (NetFn::CHASSIS, 0x02);
    bmc.faults(|faults| {
        faults
            .completion_codes
            .insert(control, CompletionCode::WRONG_STATE)
    });
    power.set_power(PowerAction::On).await.unwrap();
    let error = power.set_power(PowerAction::Off).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Rejected, Effect::None),
        "{error}"
    );
    let error = power.set_power(PowerAction::Cycle).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rejected);
}

/// Nothing is asked before a power action: the answer to the action itself is enough.
#[tokio::test]
async fn a_power_on_takes_five_round_trips() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let session = provider(bmc.addr(), &Transport::new())
        .open(soon())
        .await
        .unwrap();
    session
        .power()
        .unwrap()
        .set_power(PowerAction::On)
        .await
        .unwrap();
    let commands: Vec<_> = bmc
        .log()
        .iter()
        .filter(|entry| entry.session.is_some())
        .map(|entry| entry.command)
        .collect();
    assert_eq!(commands, [0x3b, 0x02]);
}

#[tokio::test]
async fn the_boot_override_survives_a_minute() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let session = provider(bmc.addr(), &Transport::new())
        .open(soon())
        .await
        .unwrap();
    let boot = session.boot().unwrap();
    boot.set_boot_override(BootOverride::once(BootDevice::Pxe))
        .await
        .unwrap();
    let parameters: Vec<_> = bmc
        .log()
        .iter()
        .filter(|entry| entry.command == 0x08)
        .map(|entry| entry.data.clone())
        .collect();
    assert_eq!(parameters, [vec![3, 8], vec![5, 0x80, 4, 0, 0, 0]]);
    let error = boot
        .set_boot_override(BootOverride::once(BootDevice::Usb))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Unsupported, Effect::None)
    );
}

#[tokio::test]
async fn futures_are_send_and_outlive_their_maker() {
    fn is_send_static<T: Send + 'static>(value: T) -> T {
        value
    }
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc, &Transport::new()).await;
    let on = is_send_static(async move {
        client.execute(&ChassisControl::POWER_UP, soon()).await?;
        client.execute(&GetChassisStatus, soon()).await
    });
    assert!(tokio::spawn(on).await.unwrap().unwrap().is_on());
}
