//! What a login and a command cost, BMC and loopback included.
//!
//! ```text
//! cargo bench -p bmc-ipmi
//! ```
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::command::GetChassisStatus;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::{Client, Login, Transport};
use criterion::{Criterion, criterion_group, criterion_main};
use tokio::runtime::Builder;
use tokio::time::Instant;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

fn session(c: &mut Criterion) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let bmc = runtime.block_on(Sim::builder().spawn()).unwrap();
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623).unwrap();
    let transport = Transport::new();
    let login = Arc::new(Login::new(&Credentials::new("admin", "password")).unwrap());
    for suite in CipherSuite::AUTOMATIC {
        let connect = || async {
            let known = Known {
                suite: Some(suite),
                ..Known::default()
            };
            let login = Arc::clone(&login);
            let client = Client::connect(&transport, &endpoint, login, known, soon()).await;
            client.unwrap()
        };
        c.bench_function(&format!("login, suite {}", suite.id()), |b| {
            b.iter(|| runtime.block_on(async { connect().await.close().await }));
        });
        let client = runtime.block_on(connect());
        c.bench_function(&format!("status in a session, suite {}", suite.id()), |b| {
            b.iter(|| {
                let status = runtime.block_on(client.execute(&GetChassisStatus, soon()));
                black_box(status.unwrap())
            });
        });
    }
}

criterion_group!(benches, session);
criterion_main!(benches);
