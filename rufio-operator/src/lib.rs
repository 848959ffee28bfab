//! Kubernetes operator for baseboard management controllers: a drop-in for Tinkerbell Rufio.
//!
//! With `default-features = false` this crate is the CRD types of `bmc.tinkerbell.org/v1alpha1` alone ([`api`]).

pub mod api;
pub mod crd;

#[cfg(feature = "controller")]
pub mod args;
#[cfg(feature = "controller")]
pub mod bmc_pool;
#[cfg(feature = "controller")]
pub mod connect;
#[cfg(feature = "controller")]
pub mod env;
#[cfg(feature = "controller")]
pub mod events;
#[cfg(feature = "controller")]
pub mod metrics;
#[cfg(feature = "controller")]
pub mod plan;
#[cfg(feature = "controller")]
pub mod queue;
#[cfg(feature = "controller")]
pub mod reconcile;
#[cfg(feature = "controller")]
pub mod run;
#[cfg(feature = "controller")]
pub mod status;
#[cfg(feature = "controller")]
pub mod store;
#[cfg(feature = "controller")]
pub mod telemetry;
