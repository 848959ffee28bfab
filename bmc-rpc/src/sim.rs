//! Simulated peers on TCP: a webhook consumer and a Home Assistant, for tests and demonstrations.
//!
//! Behind the feature `sim`, and not covered by semantic versioning.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use bmc_core::{Bmc, PowerAction};
//! use bmc_rpc::{Algorithm, Keys, RpcProvider, sim::ConsumerSim};
//!
//! let keys = Keys::new().secret(Algorithm::Sha256, "secret");
//! let consumer = ConsumerSim::builder().keys(keys.clone()).spawn().await?;
//! let provider = RpcProvider::builder(consumer.url(), "vm-1").keys(keys).build()?;
//! let bmc = Bmc::builder().provider(provider).build();
//! bmc.set_power(PowerAction::On).await?;
//! assert!(consumer.is_on("vm-1"));
//! # Ok(())
//! # }
//! ```

mod body;
mod consumer;
mod home_assistant;
mod server;
mod tls;

pub use consumer::{ConsumerSim, ConsumerSimBuilder, Fault, Machine};
pub use home_assistant::{HomeAssistantSim, Trouble};
pub use tls::TlsFront;
