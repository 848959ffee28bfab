//! A simulated BMC that speaks the same slice of IPMI v2.0 as the client: for tests and demonstrations.
//!
//! Behind the feature `sim`, and not covered by semantic versioning.
//!
//! [`Sim`] itself does no I/O: datagrams and the time come in, replies and the time at which they are due come out, so
//! it runs in virtual time as well as on a socket. [`SimBuilder::spawn`] puts it on a UDP socket of tokio.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
//! use bmc_core::Credentials;
//! use bmc_ipmi::sim::Sim;
//!
//! let bmc = Sim::builder().credentials(Credentials::new("admin", "password")).spawn().await?;
//! println!("ipmitool -I lanplus -C 17 -H 127.0.0.1 -p {} ...", bmc.addr().port());
//! bmc.faults(|faults| faults.drop_next_replies = 1);
//! assert!(!bmc.power());
//! # Ok(()) }
//! ```

mod builder;
mod channels;
mod command;
mod custom;
mod datagram;
mod dcmi;
mod demo;
mod deviation;
mod dispatch;
mod event_log;
mod fault;
mod fru;
mod handshake;
mod identify;
mod lan;
mod machine;
mod pef;
mod quirks;
mod repository;
mod restart;
mod satellite;
mod sensors;
mod serial;
mod server;
mod session;
mod system_info;
mod users;
mod v15;
mod watchdog;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use bmc_core::Secret;
use rand::rngs::StdRng;
use tokio::time::Instant;

use crate::command::SelfTestResults;
use crate::crypto::CipherSuite;
use crate::wire::{AuthType, CompletionCode, NetFn, PayloadType, RmcpHeader};

pub use builder::SimBuilder;
pub use dcmi::SimDcmi;
pub use event_log::{NextEntryLie, SimEventLog};
pub use fault::Faults;
pub use fru::FruDevice;
pub use identify::SimIdentifyLight;
pub use lan::SimLanConfiguration;
pub use machine::{Boot, Machine, PowerChange};
pub use pef::SimPef;
pub use quirks::{RefusalForm, SimQuirks};
pub use repository::{Repository, RepositoryQuirks, SdrEnd, SdrPlace};
pub use satellite::BridgeReplies;
pub use sensors::{SimSensor, SimSensors};
pub use serial::{SerialFaults, SerialPort};
pub use server::SimHandle;

use channels::{Channels, LAN_CHANNEL};
use custom::CustomCommands;
use fru::FruDevices;
use restart::Restart;
use satellite::{FollowUp, Satellites};
use serial::Holder;
use session::Sessions;
use system_info::SystemState;
use users::Users;

/// A simulated BMC: its users, sessions and machine. No I/O.
pub struct Sim {
    settings: Settings,
    users: Users,
    channels: Channels,
    system: SystemState,
    sessions: Sessions,
    logins: u32,
    machine: Machine,
    repository: Repository,
    sensors: SimSensors,
    dcmi: SimDcmi,
    event_log: SimEventLog,
    pef: SimPef,
    frus: FruDevices,
    satellites: Satellites,
    follow_ups: Vec<FollowUp>,
    restart: Restart,
    lan: SimLanConfiguration,
    serial: SerialPort,
    faults: Faults,
    /// When the last reply is due.
    busy_until: Instant,
    log: VecDeque<Executed>,
    observer: Option<Observer>,
    rng: StdRng,
}

/// A datagram to send, and when.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reply {
    /// When it is due.
    pub due: Instant,
    /// Where it goes.
    pub to: SocketAddr,
    /// The datagram.
    pub datagram: Vec<u8>,
}

/// A command that the BMC has executed or refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Executed {
    /// When.
    pub at: Instant,
    /// Who asked.
    pub peer: SocketAddr,
    /// The BMC's session ID; `None` outside a session.
    pub session: Option<u32>,
    /// The logical unit that was addressed.
    pub lun: u8,
    /// Network function of the request.
    pub netfn: NetFn,
    /// Command number.
    pub command: u8,
    /// Request data.
    pub data: Vec<u8>,
    /// How it ended.
    pub completion: CompletionCode,
}

/// Told of every command.
type Observer = Arc<dyn Fn(&Executed) + Send + Sync>;

/// What only its owner changes while the BMC runs.
struct Settings {
    suites: Vec<CipherSuite>,
    /// Authentication types of IPMI v1.5; none if that is not spoken.
    auth_types: Vec<AuthType>,
    /// Whether each message of an IPMI v1.5 session has an AuthCode.
    per_message: bool,
    guid: [u8; 16],
    kg: Option<Secret>,
    quirks: SimQuirks,
    luns: Vec<u8>,
    bridge_replies: BridgeReplies,
    custom: CustomCommands,
    manufacturer: u32,
    product: u16,
}

/// Older entries of the log are forgotten.
const LOG_CAPACITY: usize = 10_000;

impl Sim {
    /// A BMC with user `admin`, password `password`, suites 3 and 17, and a machine that is off.
    pub fn builder() -> SimBuilder {
        SimBuilder::default()
    }

    /// Takes in a datagram and gives the replies, soonest first.
    pub fn on_datagram(&mut self, now: Instant, peer: SocketAddr, datagram: &[u8]) -> Vec<Reply> {
        self.machine.advance(now);
        self.sessions.expire(now);
        self.lan
            .count_received(datagram.first() == Some(&RmcpHeader::VERSION));
        if self.lan.has_moved || self.restart.is_running(now) || !self.faults.lets_in(&mut self.rng)
        {
            return Vec::new();
        }
        if self.settings.quirks.has_single_buffer && now < self.busy_until {
            return Vec::new();
        }
        let reply = self.answer(now, peer, datagram);
        let mut datagrams = Vec::from_iter(reply);
        datagrams.extend(self.seal_follow_ups());
        if self.restart.is_due {
            if self.restart.is_mute {
                datagrams.clear();
            }
            self.restart(now);
        }
        if self.lan.has_moved {
            datagrams.clear();
        }
        let mut replies = Vec::new();
        for datagram in datagrams {
            replies.extend(self.faults.send(&mut self.rng, now, peer, &datagram));
        }
        replies.sort_by_key(|reply| reply.due);
        self.busy_until = replies.last().map_or(now, |reply| reply.due);
        replies.extend(self.on_timeout(now));
        self.lan.count_sent(replies.len());
        replies.sort_by_key(|reply| reply.due);
        replies
    }

    /// What the BMC sends by itself. To be called when [`poll_timeout`](Self::poll_timeout) says so, and after changes
    /// of the [serial port](Self::serial).
    pub fn on_timeout(&mut self, now: Instant) -> Vec<Reply> {
        self.free_serial();
        if self.lan.has_moved || self.restart.is_running(now) {
            return Vec::new();
        }
        let mut replies = Vec::new();
        while let Some((session, payload)) = self.serial.poll(now) {
            let peer = self.sessions.active(session).and_then(|active| active.peer);
            let sealed = self.seal_in_session(session, PayloadType::SOL, &payload);
            if let (Some(peer), Some(datagram)) = (peer, sealed) {
                replies.extend(self.faults.send(&mut self.rng, now, peer, &datagram));
            }
        }
        replies
    }

    /// When to call [`on_timeout`](Self::on_timeout); `None` while the BMC only waits.
    pub fn poll_timeout(&self) -> Option<Instant> {
        let is_here = !self.lan.has_moved;
        self.serial.timeout().filter(|_| is_here)
    }

    /// The machine at `now`.
    pub fn machine(&mut self, now: Instant) -> &mut Machine {
        self.machine.advance(now);
        &mut self.machine
    }

    /// The sensor data records, to be changed at any time.
    pub fn repository(&mut self) -> &mut Repository {
        &mut self.repository
    }

    /// The sensors, to be changed at any time.
    pub fn sensors(&mut self) -> &mut SimSensors {
        &mut self.sensors
    }

    /// What DCMI tells, to be changed at any time.
    pub fn dcmi(&mut self) -> &mut SimDcmi {
        &mut self.dcmi
    }

    /// The system event log.
    pub fn event_log(&mut self) -> &mut SimEventLog {
        &mut self.event_log
    }

    /// The platform event filters.
    pub fn pef(&mut self) -> &mut SimPef {
        &mut self.pef
    }

    /// The FRU devices by their ID, to be changed at any time.
    pub fn frus(&mut self) -> &mut BTreeMap<u8, FruDevice> {
        &mut self.frus
    }

    /// The LAN configuration, to be changed at any time.
    pub fn lan(&mut self) -> &mut SimLanConfiguration {
        &mut self.lan
    }

    /// The serial port, to be changed at any time.
    pub fn serial(&mut self) -> &mut SerialPort {
        &mut self.serial
    }

    /// The faults, to be changed at any time.
    pub fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    /// The last ten thousand commands, oldest first.
    pub fn log(&self) -> impl Iterator<Item = &Executed> {
        self.log.iter()
    }

    /// The peculiarities of the BMC, to be changed at any time.
    pub fn quirks(&mut self) -> &mut SimQuirks {
        &mut self.settings.quirks
    }

    /// Changes the cipher suites on offer. Sessions stay.
    pub fn set_suites(&mut self, suites: impl Into<Vec<CipherSuite>>) {
        self.settings.suites = suites.into();
    }

    /// Changes the authentication types of IPMI v1.5 sessions. Sessions stay.
    pub fn set_auth_types(&mut self, auth_types: impl Into<Vec<AuthType>>) {
        self.settings.auth_types = auth_types.into();
    }

    /// Number of sessions, half-open ones included.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Number of sessions that can carry commands: a repeated Open Session leaves a half-open one beside them.
    pub fn active_sessions(&self) -> usize {
        self.sessions.all_active().count()
    }

    /// Logins so far that named a user whom the BMC knows. Repeated messages do not count.
    pub fn logins(&self) -> u32 {
        self.logins
    }

    /// Ends all sessions without a word, as a BMC does that restarts.
    pub fn forget_sessions(&mut self) {
        self.sessions.clear();
    }

    /// What Get Self Test Results says from now on.
    pub fn set_self_test(&mut self, results: SelfTestResults) {
        self.system.self_test = results;
    }

    /// Changes the password of a user. Sessions stay. `false` if there is no such user.
    pub fn set_password(&mut self, user: &str, password: impl Into<Secret>) -> bool {
        self.users
            .named(user)
            .map(|user| user.password = password.into())
            .is_some()
    }

    /// SOL ends with its session.
    fn free_serial(&mut self) {
        if let Some(Holder::Session(id)) = self.serial.holder
            && self.sessions.active(id).is_none()
        {
            self.serial.release();
        }
    }
}

impl fmt::Debug for Sim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sim")
            .field("machine", &self.machine)
            .field("faults", &self.faults)
            .field("sessions", &self.sessions.len())
            .finish_non_exhaustive()
    }
}
