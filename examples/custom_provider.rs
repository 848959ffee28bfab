//! A provider that is not ours: a power socket with a relay, behind a BMC that does not answer.
//!
//! ```text
//! cargo run --release --example custom_provider
//! ```
//!
//! Only `bmc-core` is needed; the BMC is one in memory.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bmc_core::testing::memory::{Fault, MemoryBmc, Step};
use bmc_core::{Bmc, Error, PowerAction, PowerControl, PowerState, Provider, Session};
use tokio::time::Instant;

// ANCHOR: provider
/// A power socket. Real code would hold the address of its relay.
#[derive(Clone, Debug, Default)]
struct Socket(Arc<AtomicBool>);

#[async_trait]
impl Provider for Socket {
    fn name(&self) -> &'static str {
        "socket"
    }

    async fn open(&self, _deadline: Instant) -> Result<Arc<dyn Session>, Error> {
        Ok(Arc::new(self.clone()))
    }
}

#[async_trait]
impl Session for Socket {
    fn power(&self) -> Option<&dyn PowerControl> {
        Some(self)
    }

    async fn close(&self) {}
}

#[async_trait]
impl PowerControl for Socket {
    async fn power_state(&self) -> Result<PowerState, Error> {
        Ok(if self.0.load(Ordering::Relaxed) {
            PowerState::On
        } else {
            PowerState::Off
        })
    }

    async fn set_power(&self, action: PowerAction) -> Result<(), Error> {
        let on = !matches!(action, PowerAction::Off | PowerAction::Soft);
        self.0.store(on, Ordering::Relaxed);
        Ok(())
    }
}
// ANCHOR_END: provider

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dead = MemoryBmc::new().provider("redfish");
    dead.always(Step::Login, Fault::Unreachable);

    let bmc = Bmc::builder()
        .provider(dead)
        .provider(Socket::default())
        .build();
    let done = bmc.set_power(PowerAction::On).await?;
    println!(
        "power on: done by {}",
        done.report.winner().unwrap_or("nobody")
    );
    println!("before that: {}", done.report);
    println!("power: {}", bmc.power_state().await?.value);
    bmc.close().await;
    Ok(())
}
