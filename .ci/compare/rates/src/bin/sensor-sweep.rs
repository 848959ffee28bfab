//! sensor-sweep serve DELAY-MS: a simulated BMC with sensors that answers so late; prints its address.
//! sensor-sweep read HOST:PORT USER PASSWORD CACHE WINDOW: all sensors of a BMC, so many readings in flight.

use std::error::Error;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::command::GetDeviceId;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::device::{SdrCache, SdrRepository, Sensors};
use bmc_ipmi::record::sdr::SdrBody;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::{Client, Login, Transport};
use tokio::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match args.as_slice() {
        ["serve", delay] => runtime.block_on(serve(Duration::from_millis(delay.parse()?))),
        ["read", address, user, password, cache, window] => {
            let credentials = Credentials::new(*user, *password);
            runtime.block_on(read(address, credentials, cache, window.parse()?))
        }
        _ => Err(
            "usage: sensor-sweep serve DELAY-MS | read HOST:PORT USER PASSWORD CACHE WINDOW".into(),
        ),
    }
}

/// As many sensors as a server has: the demonstration's, three times over.
async fn serve(delay: Duration) -> Result<(), Box<dyn Error>> {
    let demo = Sim::builder().demo_inventory().spawn().await?;
    let login = Login::new(&Credentials::new("admin", "password"))?;
    let endpoint = Endpoint::parse(&demo.addr().to_string(), 623)?;
    let deadline = Instant::now() + Duration::from_secs(60);
    let client = Client::builder(&Transport::new(), &endpoint, Arc::new(login));
    let client = client.connect(deadline).await?;
    let all = SdrRepository::new(&client).records(deadline).await?;
    let mut bodies = Vec::new();
    for copy in 0..3 {
        for record in all.records.iter() {
            let mut body = record.body.clone();
            if let SdrBody::Full(full) = &mut body {
                full.sensor.key.number = full.sensor.key.number % 0x40 + copy * 0x40;
                bodies.push(body);
            }
        }
    }
    let bmc = Sim::builder().records(bodies).power(true).spawn().await?;
    bmc.faults(|faults| faults.delay = delay);
    println!("ready {}", bmc.addr());
    pending().await
}

async fn read(
    address: &str,
    credentials: Credentials,
    cache: &str,
    window: usize,
) -> Result<(), Box<dyn Error>> {
    let deadline = Instant::now() + Duration::from_secs(60);
    let login = Arc::new(Login::new(&credentials)?.cipher_suite(CipherSuite::SUITE_3));
    let endpoint = Endpoint::parse(address, 623)?;
    let (client, device) = Client::builder(&Transport::new(), &endpoint, login)
        .window(window)
        .connect_with(&GetDeviceId, deadline)
        .await?;
    device?;
    let sensors = Sensors::discover(&client, &SdrCache::in_directory(cache), deadline).await?;
    let statuses = sensors.sweep(deadline).await?;
    for (sensor, status) in sensors.list().iter().zip(statuses) {
        let value = status.value.map_or("-".to_owned(), |value| {
            format!("{value:.2} {}", sensor.units)
        });
        println!(
            "{:<20} {value} {}",
            sensor.name,
            status.state_names(sensor).join(", ")
        );
    }
    Ok(())
}
