//! The console's state machine against the simulated BMC over bad networks and with bad BMCs, in virtual time: always
//! the right answer or a typed error, never a wrong answer.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

mod eager;
mod forgery;
mod network;
mod quirks;
mod refusals;
mod repeats;
mod round_trips;
mod session;
mod suites;
mod v15;
mod window;
mod world;

use std::time::Duration;

use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{PayloadType, SessionHeader};
use bmc_ipmi::{Error, Step};

const SHORT: Duration = Duration::from_secs(30);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn suite(suite: CipherSuite) -> Known {
    Known {
        suite: Some(suite),
        ..Known::default()
    }
}

fn sim(seed: u64) -> Sim {
    Sim::builder().seed(seed).build()
}

/// Whether a datagram of the BMC is this message of the handshake, outside a session.
fn is_plain(datagram: &[u8], payload_type: PayloadType) -> bool {
    SessionHeader::split(datagram)
        .is_ok_and(|(header, _, _)| header.payload_type == payload_type && header.session_id == 0)
}

/// Whether a login ended in wait for RAKP Message 4.
fn is_unconfirmed(error: &Error) -> bool {
    matches!(
        error,
        Error::LoginTimeout {
            step: Step::Rakp3,
            ..
        }
    )
}

/// Algorithm numbers of an Open Session Response in a datagram.
const ALGORITHMS: [usize; 3] = [32, 40, 48];
