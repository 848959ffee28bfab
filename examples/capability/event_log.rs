//! Shows the event log and waits a while for what is new in it.
//!
//! ```text
//! cargo run --release --example event_log                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example event_log -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use std::time::Duration;

use bmc_core::{Bmc, Event, EventMarker, Exhausted};
use tokio::time::sleep;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    let info = bmc.event_log().await?.value;
    println!("{} events, room for {:?} more", info.entries, info.free);

    let mut place = show_from(bmc, None).await?;
    for _ in 0..3 {
        target.something_happens();
        sleep(Duration::from_millis(200)).await;
        place = show_from(bmc, Some(place)).await?;
    }
    // As text it can be kept for the next run.
    println!("go on from {place}");
    bmc.close().await;
    Ok(())
}

/// Shows what is behind `place`, and gives the place behind that.
async fn show_from(bmc: &Bmc, mut place: Option<EventMarker>) -> Result<EventMarker, Exhausted> {
    loop {
        let page = bmc.events(place, 100).await?.value;
        if page.restarted {
            println!("the log was cleared meanwhile");
        }
        page.events.iter().for_each(show);
        if !page.more {
            return Ok(page.marker);
        }
        place = Some(page.marker);
    }
}

fn show(event: &Event) {
    let time = event.time.map(|time| time.to_string());
    println!(
        "{} {:<20} {:<12} {}",
        event.id,
        time.unwrap_or_else(|| "before the clock".into()),
        event.source.as_deref().unwrap_or("-"),
        event.text
    );
}
