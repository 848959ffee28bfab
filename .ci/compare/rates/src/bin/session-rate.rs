//! session-rate HOST:PORT USER PASSWORD [ROUNDS] [COMMANDS]: Get Device ID in one session, by turns bmc-ipmi with one
//! command in flight, with eight, and ipmi-rs.
//!
//! Prints, for each, the median over the rounds of wall and CPU time a command, and what share of the peer's that is.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::command::GetDeviceId;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::{Client, Login, Transport};
use ipmi_rs::Ipmi;
use ipmi_rs::app::GetDeviceId as TheirGetDeviceId;
use ipmi_rs::rmcp::Rmcp;

/// Microseconds a command: wall and CPU.
type Cost = (f64, f64);

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = |name: &str| args.next().ok_or(format!("{name} is missing"));
    let (address, user, password) = (next("HOST:PORT")?, next("USER")?, next("PASSWORD")?);
    let rounds: usize = next("ROUNDS").map_or(Ok(21), |n| n.parse())?;
    let commands: u32 = next("COMMANDS").map_or(Ok(5000), |n| n.parse())?;

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let login = Login::new(&Credentials::new(user.as_str(), password.as_str()))?;
    let login = Arc::new(login.cipher_suite(CipherSuite::SUITE_3));
    let endpoint = Endpoint::parse(&address, 623)?;
    let deadline = || tokio::time::Instant::now() + Duration::from_secs(10);
    let transport = Transport::new();
    let client = Client::builder(&transport, &endpoint, login).connect(deadline());
    let client = runtime.block_on(client)?;

    let mut rmcp = Rmcp::new(&address, Duration::from_secs(10))?;
    rmcp.activate(true, Some(user.as_str()), Some(password.as_bytes()))
        .map_err(|error| format!("ipmi-rs: {error:?}"))?;
    let mut peer = Ipmi::new(rmcp);

    let mut costs: [Vec<Cost>; 3] = Default::default();
    for _ in 0..rounds {
        for (costs, window) in costs.iter_mut().zip([1, 8]) {
            client.set_window(window);
            costs.push(cost(commands, || {
                let tasks: Vec<_> = (0..window)
                    .map(|_| {
                        let client = client.clone();
                        runtime.spawn(async move {
                            for _ in 0..commands as usize / window {
                                client.execute(&GetDeviceId, deadline()).await?;
                            }
                            Ok::<_, bmc_ipmi::Error>(())
                        })
                    })
                    .collect();
                for task in tasks {
                    runtime.block_on(task)??;
                }
                Ok(())
            })?);
        }
        costs[2].push(cost(commands, || {
            for _ in 0..commands {
                let sent = peer.send_recv(TheirGetDeviceId);
                sent.map_err(|error| format!("ipmi-rs: {error:?}"))?;
            }
            Ok(())
        })?);
    }
    let [one, eight, theirs] = costs.map(median);
    println!(
        "{:24} {:>8} {:>6} {:>8} {:>6}",
        "a command", "wall us", "share", "CPU us", "share"
    );
    let lines = [
        ("bmc-ipmi", one),
        ("bmc-ipmi, 8 in flight", eight),
        ("ipmi-rs", theirs),
    ];
    for (name, (wall, cpu)) in lines {
        let (of_wall, of_cpu) = (wall / theirs.0, cpu / theirs.1);
        println!("{name:24} {wall:8.1} {of_wall:6.2} {cpu:8.1} {of_cpu:6.2}");
    }
    Ok(())
}

fn cost(
    commands: u32,
    work: impl FnOnce() -> Result<(), Box<dyn Error>>,
) -> Result<Cost, Box<dyn Error>> {
    let (wall, cpu) = (Instant::now(), cpu_time()?);
    work()?;
    let (wall, cpu) = (wall.elapsed(), cpu_time()? - cpu);
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(commands);
    Ok((each(wall), each(cpu)))
}

/// User and system time of this thread, the only one.
fn cpu_time() -> Result<Duration, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanos = text.split(' ').next().ok_or("no schedstat")?;
    Ok(Duration::from_nanos(nanos.parse()?))
}

fn median(mut costs: Vec<Cost>) -> Cost {
    let middle = costs.len() / 2;
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wall = costs[middle].0;
    costs.sort_by(|a, b| a.1.total_cmp(&b.1));
    (wall, costs[middle].1)
}
