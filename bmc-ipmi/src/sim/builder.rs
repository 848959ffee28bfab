//! How a simulated BMC is made.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bmc_core::{Credentials, Secret};
use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::net::UdpSocket;
use tokio::time::Instant;

use crate::command::Command;
use crate::crypto::CipherSuite;
use crate::record::Sdr;
use crate::record::sdr::{SdrBody, SensorKey};
use crate::record::sel::SelBody;
use crate::sim::channels::Channels;
use crate::sim::custom::CustomCommands;
use crate::sim::fault::Faults;
use crate::sim::fru::{self, FruDevices};
use crate::sim::machine::Machine;
use crate::sim::restart::Restart;
use crate::sim::server::SimHandle;
use crate::sim::session::Sessions;
use crate::sim::system_info::SystemState;
use crate::sim::users::Users;
use crate::sim::{
    BridgeReplies, Executed, FruDevice, Observer, Repository, SdrPlace, SerialPort, Settings, Sim,
    SimDcmi, SimEventLog, SimLanConfiguration, SimPef, SimQuirks, SimSensors,
};
use crate::wire::{AuthType, CompletionCode, Privilege};

/// Settings of a simulated BMC, with defaults for all of them.
#[derive(Clone)]
pub struct SimBuilder {
    address: SocketAddr,
    users: Vec<(Credentials, Privilege)>,
    suites: Vec<CipherSuite>,
    auth_types: Vec<AuthType>,
    per_message: bool,
    kg: Option<Secret>,
    guid: [u8; 16],
    on: bool,
    power_delay: Duration,
    max_sessions: usize,
    session_timeout: Duration,
    quirks: SimQuirks,
    luns: Vec<u8>,
    bridge_replies: BridgeReplies,
    custom: CustomCommands,
    device: (u32, u16),
    satellites: Vec<(u8, u8, Self)>,
    slave_address: u8,
    sdr_place: SdrPlace,
    records: Vec<Sdr>,
    sensor_states: BTreeMap<u8, u16>,
    dcmi: SimDcmi,
    restart_time: Duration,
    event_capacity: u16,
    events: Vec<SelBody>,
    frus: FruDevices,
    faults: Faults,
    seed: Option<u64>,
    observer: Option<Observer>,
}

impl Default for SimBuilder {
    fn default() -> Self {
        Self {
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            users: Vec::new(),
            suites: vec![CipherSuite::SUITE_3, CipherSuite::SUITE_17],
            auth_types: Vec::new(),
            per_message: true,
            kg: None,
            guid: *b"bmc-ipmi-sim-bmc",
            on: false,
            power_delay: Duration::ZERO,
            max_sessions: 64,
            session_timeout: Duration::from_secs(60),
            quirks: SimQuirks::default(),
            luns: vec![0],
            bridge_replies: BridgeReplies::default(),
            custom: CustomCommands::default(),
            device: (0, 0),
            satellites: Vec::new(),
            slave_address: SensorKey::BMC,
            sdr_place: SdrPlace::default(),
            records: Vec::new(),
            sensor_states: BTreeMap::new(),
            dcmi: SimDcmi::default(),
            restart_time: Duration::from_secs(1),
            event_capacity: 512,
            events: Vec::new(),
            frus: fru::default_devices(),
            faults: Faults::default(),
            seed: None,
            observer: None,
        }
    }
}

impl SimBuilder {
    /// Address to listen on; port 0 (the default, on 127.0.0.1) lets the system choose.
    pub fn address(mut self, address: impl Into<SocketAddr>) -> Self {
        self.address = address.into();
        self
    }

    /// Adds an administrator. Without any user there is `admin` with password `password`.
    pub fn credentials(self, credentials: Credentials) -> Self {
        self.user(credentials, Privilege::ADMINISTRATOR)
    }

    /// Adds a user who can reach `limit` at most.
    pub fn user(mut self, credentials: Credentials, limit: Privilege) -> Self {
        self.users.push((credentials, limit));
        self
    }

    /// The cipher suites that the BMC offers, in its order. Default: 3 and 17.
    pub fn suites(mut self, suites: impl Into<Vec<CipherSuite>>) -> Self {
        self.suites = suites.into();
        self
    }

    /// The authentication types of IPMI v1.5 sessions. Default: none, so that the BMC speaks RMCP+ only.
    pub fn auth_types(mut self, auth_types: impl Into<Vec<AuthType>>) -> Self {
        self.auth_types = auth_types.into();
        self
    }

    /// Whether each message of an IPMI v1.5 session needs an AuthCode, or only the login. Default: each.
    pub fn per_message_authentication(mut self, per_message: bool) -> Self {
        self.per_message = per_message;
        self
    }

    /// The BMC key K_G. Default: none.
    pub fn kg(mut self, kg: impl Into<Secret>) -> Self {
        self.kg = Some(kg.into());
        self
    }

    /// The BMC's GUID, in the order of the wire.
    pub fn guid(mut self, guid: [u8; 16]) -> Self {
        self.guid = guid;
        self
    }

    /// Whether the machine is on at first. Default: off.
    pub fn power(mut self, on: bool) -> Self {
        self.on = on;
        self
    }

    /// How long the machine takes to switch on, and to switch off. Default: no time.
    pub fn power_delay(mut self, delay: Duration) -> Self {
        self.power_delay = delay;
        self
    }

    /// How many sessions there can be, half-open ones included. Default: 64.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions;
        self
    }

    /// After which silence a session ends. Default: 60 s.
    pub fn session_timeout(mut self, timeout: Duration) -> Self {
        self.session_timeout = timeout;
        self
    }

    /// Peculiarities of real BMCs. Default: none.
    pub fn quirks(mut self, quirks: SimQuirks) -> Self {
        self.quirks = quirks;
        self
    }

    /// The logical units that exist. Default: 0.
    pub fn luns(mut self, luns: impl Into<Vec<u8>>) -> Self {
        self.luns = luns.into();
        self
    }

    /// Puts a controller with a slave address on a channel. Its commands are those of a BMC; it may have satellites of
    /// its own.
    pub fn satellite(mut self, channel: u8, address: u8, mut satellite: Self) -> Self {
        satellite.slave_address = address;
        self.satellites.push((channel, address, satellite));
        self
    }

    /// Adds sensor data records, numbered from 1 on, and the sensors in them that are the controller's own.
    pub fn records(mut self, bodies: impl IntoIterator<Item = SdrBody>) -> Self {
        for body in bodies {
            let id = u16::try_from(self.records.len() + 1).unwrap_or(u16::MAX);
            self.records.push(Sdr::new(id, body));
        }
        self
    }

    /// The states that a sensor of LUN 0 without thresholds has at first, offset 0 in bit 0. Default: none.
    pub fn sensor_states(mut self, number: u8, states: u16) -> Self {
        self.sensor_states.insert(number, states);
        self
    }

    /// Where the records are. Default: in an SDR repository.
    pub fn sdr_place(mut self, place: SdrPlace) -> Self {
        self.sdr_place = place;
        self
    }

    /// What DCMI tells. Default: the BMC has no DCMI.
    pub fn dcmi(mut self, dcmi: SimDcmi) -> Self {
        self.dcmi = dcmi;
        self
    }

    /// Who made the BMC (an enterprise number) and what they call it. Default: nobody.
    pub fn manufacturer(mut self, manufacturer: u32, product: u16) -> Self {
        self.device = (manufacturer, product);
        self
    }

    /// Answers a command by `handler`, be it a manufacturer's or one that the BMC would answer otherwise. Privilege and
    /// length are checked before.
    pub fn command<C: Command>(
        mut self,
        handler: impl Fn(C) -> Result<C::Response, CompletionCode> + Send + Sync + 'static,
    ) -> Self {
        self.custom.add(handler);
        self
    }

    /// How responses of satellites come back.
    pub fn bridge_replies(mut self, replies: BridgeReplies) -> Self {
        self.bridge_replies = replies;
        self
    }

    /// How long the BMC is silent after Cold Reset and Warm Reset. Default: 1 s.
    pub fn restart_time(mut self, time: Duration) -> Self {
        self.restart_time = time;
        self
    }

    /// How many entries the system event log can have. Default: 512.
    pub fn event_capacity(mut self, entries: u16) -> Self {
        self.event_capacity = entries;
        self
    }

    /// Puts an entry into the system event log. Default: the log is empty.
    pub fn event(mut self, event: SelBody) -> Self {
        self.events.push(event);
        self
    }

    /// Gives the BMC a FRU device. Default: device 0 describes a virtual machine.
    pub fn fru(mut self, id: u8, device: FruDevice) -> Self {
        self.frus.insert(id, device);
        self
    }

    /// Faults from the start. Default: none.
    pub fn faults(mut self, faults: Faults) -> Self {
        self.faults = faults;
        self
    }

    /// Seed of all randomness, for runs that repeat. Default: a new one for each BMC.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Calls `observer` after each command, executed or refused, before its reply is sent. It must not block.
    pub fn observer(mut self, observer: impl Fn(&Executed) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// The BMC without a socket.
    pub fn build(&self) -> Sim {
        let default = [(
            Credentials::new("admin", "password"),
            Privilege::ADMINISTRATOR,
        )];
        let users = match self.users.as_slice() {
            [] => Users::new(&default),
            users => Users::new(users),
        };
        Sim {
            settings: Settings {
                suites: self.suites.clone(),
                auth_types: self.auth_types.clone(),
                per_message: self.per_message,
                guid: self.guid,
                kg: self.kg.clone(),
                quirks: self.quirks,
                luns: self.luns.clone(),
                bridge_replies: self.bridge_replies,
                custom: self.custom.clone(),
                manufacturer: self.device.0,
                product: self.device.1,
            },
            satellites: self
                .satellites
                .iter()
                .map(|(channel, address, satellite)| {
                    ((*channel, *address), Box::new(satellite.build()))
                })
                .collect(),
            follow_ups: Vec::new(),
            repository: Repository::new(self.sdr_place, &self.records),
            sensors: SimSensors::new(self.slave_address, &self.records, &self.sensor_states),
            dcmi: self.dcmi.clone(),
            restart: Restart::new(self.restart_time, self.quirks.resets_without_answer),
            users,
            channels: Channels::default(),
            system: SystemState::default(),
            sessions: Sessions::new(self.max_sessions, self.session_timeout),
            logins: 0,
            machine: Machine::new(Instant::now(), self.on, self.power_delay),
            event_log: self.event_log(),
            pef: SimPef::default(),
            frus: self.frus.clone(),
            lan: SimLanConfiguration::default(),
            serial: SerialPort::default(),
            faults: self.faults.clone(),
            busy_until: Instant::now(),
            log: [].into(),
            observer: self.observer.clone(),
            rng: self.seed.map_or_else(rand::make_rng, StdRng::seed_from_u64),
        }
    }

    /// Puts the BMC on a UDP socket and serves it until the handle is dropped.
    pub async fn spawn(&self) -> io::Result<SimHandle> {
        let socket = UdpSocket::bind(self.address).await?;
        SimHandle::start(self.build(), socket)
    }

    /// Puts `count` BMCs on sockets of their own: on successive ports, or on ports of the system's choice if the
    /// address has port 0.
    pub async fn spawn_many(&self, count: u16) -> io::Result<Vec<SimHandle>> {
        let mut handles = Vec::with_capacity(count.into());
        for index in 0..count {
            let mut builder = self.clone();
            if self.address.port() != 0 {
                let port = self.address.port().checked_add(index).ok_or_else(|| {
                    let message =
                        format!("{count} ports from {} do not exist", self.address.port());
                    io::Error::new(io::ErrorKind::InvalidInput, message)
                })?;
                builder.address.set_port(port);
            }
            // Each BMC has randomness of its own, and all of it repeats.
            builder.seed = self.seed.map(|seed| seed.wrapping_add(index.into()));
            handles.push(builder.spawn().await?);
        }
        Ok(handles)
    }
}

impl SimBuilder {
    fn event_log(&self) -> SimEventLog {
        let mut log = SimEventLog::new(Instant::now());
        log.capacity = self.event_capacity;
        for event in &self.events {
            log.push(*event);
        }
        log
    }
}

impl fmt::Debug for SimBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimBuilder")
            .field("address", &self.address)
            .field("suites", &self.suites)
            .field("on", &self.on)
            .field("power_delay", &self.power_delay)
            .field("quirks", &self.quirks)
            .field("faults", &self.faults)
            .finish_non_exhaustive()
    }
}
