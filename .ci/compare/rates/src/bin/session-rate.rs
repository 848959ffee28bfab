//! session-rate HOST:PORT USER PASSWORD [ROUNDS] [COMMANDS]: Get Device ID in one session, bmc-ipmi and ipmi-rs by turns.
//!
//! Prints, for each, the median over the rounds of wall and CPU time a command, and the ratio of the medians.

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

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(cost(commands, || {
            let client = client.clone();
            let all = runtime.spawn(async move {
                for _ in 0..commands {
                    client.execute(&GetDeviceId, deadline()).await?;
                }
                Ok::<_, bmc_ipmi::Error>(())
            });
            Ok(runtime.block_on(all)??)
        })?);
        theirs.push(cost(commands, || {
            for _ in 0..commands {
                let sent = peer.send_recv(TheirGetDeviceId);
                sent.map_err(|error| format!("ipmi-rs: {error:?}"))?;
            }
            Ok(())
        })?);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!("{:12} {:>10} {:>10}", "a command", "wall us", "CPU us");
    println!("{:12} {:10.1} {:10.1}", "bmc-ipmi", ours.0, ours.1);
    println!("{:12} {:10.1} {:10.1}", "ipmi-rs", theirs.0, theirs.1);
    println!(
        "{:12} {:10.2} {:10.2}",
        "ratio",
        ours.0 / theirs.0,
        ours.1 / theirs.1
    );
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
