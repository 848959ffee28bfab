//! A command in a session allocates nothing, once buffers and maps have grown: counted on the client's thread, with the
//! BMC on another one.
#![allow(clippy::unwrap_used)]

use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::command::{ChassisControl, GetChassisStatus, GetDeviceId};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::{Client, Login, Transport};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::time::Instant;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// Serves a BMC on a thread of its own until `stop` is dropped.
fn serve(stop: oneshot::Receiver<()>) -> SocketAddr {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        runtime().block_on(async move {
            let bmc = Sim::builder().spawn().await.unwrap();
            tell.send(bmc.addr()).unwrap();
            let _ = stop.await;
        });
    });
    told.recv().unwrap()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

#[test]
fn a_command_allocates_nothing() {
    let (_stop, stopped) = oneshot::channel();
    let endpoint = Endpoint::parse(&serve(stopped).to_string(), 623).unwrap();
    let runtime = runtime();
    for suite in [CipherSuite::SUITE_17, CipherSuite::SUITE_3] {
        let login = Login::new(&Credentials::new("admin", "password")).unwrap();
        let login = Arc::new(login.cipher_suite(suite));
        let transport = Transport::new();
        let builder = Client::builder(&transport, &endpoint, login)
            .window(4)
            .relogin(true);
        let client = runtime.block_on(builder.connect(soon())).unwrap();
        let client = &client;
        // Boxed here, as the runtime would box it while we count.
        let commands = |times: u32| {
            Box::pin(async move {
                for _ in 0..times {
                    client.execute(&GetChassisStatus, soon()).await.unwrap();
                    let power_up = ChassisControl::POWER_UP;
                    client.execute(&power_up, soon()).await.unwrap();
                    let both = tokio::join!(
                        client.execute(&GetDeviceId, soon()),
                        client.execute(&GetChassisStatus, soon())
                    );
                    assert!(both.0.is_ok() && both.1.is_ok());
                }
            })
        };
        runtime.block_on(commands(100));
        let many = commands(1000);
        let counted = allocation_counter::measure(|| runtime.block_on(many));
        assert_eq!(counted.count_total, 0, "{counted:?}, suite {}", suite.id());
    }
}
