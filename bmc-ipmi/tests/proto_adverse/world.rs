//! A console, a BMC and a bad network between them, in virtual time.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bmc_core::Credentials;
use bmc_ipmi::command::Command;
use bmc_ipmi::proto::{Addressee, Connection, Event, Known, Request, Ticket, addressee};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::{Error, Login};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

/// What the network does to every datagram, in each direction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Network {
    /// Share of datagrams lost, in percent.
    pub(crate) loss: u32,
    /// Share of datagrams delivered twice, in percent.
    pub(crate) duplicates: u32,
    /// Share of the BMC's datagrams that a mutilated copy accompanies, in percent.
    pub(crate) forgeries: u32,
    /// Least time on the way.
    pub(crate) latency: Duration,
    /// Greatest time more; datagrams overtake each other.
    pub(crate) jitter: Duration,
}

/// Changes or swallows what the BMC sends.
type Tamper = Box<dyn FnMut(&mut Vec<u8>) -> bool>;

pub(crate) struct World {
    pub(crate) sim: Sim,
    pub(crate) now: Instant,
    /// Datagrams of the console so far.
    pub(crate) sent: u32,
    /// The last of them.
    pub(crate) newest: Vec<u8>,
    begun: Instant,
    network: Network,
    tamper: Option<Tamper>,
    under_way: BTreeMap<(Instant, u64), (To, Vec<u8>)>,
    count: u64,
    rng: StdRng,
}

#[derive(Clone, Copy, PartialEq)]
enum To {
    Bmc,
    Console,
}

impl World {
    pub(crate) fn new(sim: Sim, network: Network, seed: u64) -> Self {
        let now = Instant::now();
        Self {
            sim,
            now,
            sent: 0,
            newest: Vec::new(),
            begun: now,
            network,
            tamper: None,
            under_way: BTreeMap::new(),
            count: 0,
            rng: StdRng::seed_from_u64(seed),
        }
    }

    /// Lets `tamper` change every datagram of the BMC; `false` swallows it.
    pub(crate) fn tampered(mut self, tamper: impl FnMut(&mut Vec<u8>) -> bool + 'static) -> Self {
        self.tamper = Some(Box::new(tamper));
        self
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.now - self.begun
    }

    pub(crate) fn is_on(&mut self) -> bool {
        let now = self.now.into();
        self.sim.machine(now).power()
    }

    pub(crate) fn set_power(&mut self, on: bool) {
        let now = self.now.into();
        self.sim.machine(now).set_power(now, on);
    }

    pub(crate) fn connect(&mut self, login: Login, known: Known) -> Connection {
        let mut seed = [0; 32];
        self.rng.fill_bytes(&mut seed);
        Connection::new(Arc::new(login), known, self.now, seed)
    }

    /// Logs in, or says why not.
    pub(crate) fn log_in(
        &mut self,
        login: Login,
        known: Known,
        time: Duration,
    ) -> Result<Connection, Error> {
        let mut connection = self.connect(login, known);
        self.finish_login(&mut connection, time)?;
        Ok(connection)
    }

    /// Runs until the login has ended, or `time` is over.
    pub(crate) fn finish_login(
        &mut self,
        connection: &mut Connection,
        time: Duration,
    ) -> Result<(), Error> {
        self.run(connection, time, Connection::has_event);
        match connection.poll_event() {
            Some(Event::Established) => Ok(()),
            Some(Event::LoginFailed(error)) => Err(error),
            None => Err(connection.give_up(self.now)),
        }
    }

    /// Carries out a command.
    pub(crate) fn execute<C: Command>(
        &mut self,
        connection: &mut Connection,
        command: &C,
        time: Duration,
    ) -> Result<C::Response, Error> {
        let data = command.to_bytes();
        let ticket = connection.request(self.now, &Request::new(command, &data));
        self.finish::<C>(connection, ticket, time)
    }

    /// Runs until a command is over, or `time` is, and forgets it.
    pub(crate) fn finish<C: Command>(
        &mut self,
        connection: &mut Connection,
        ticket: Ticket,
        time: Duration,
    ) -> Result<C::Response, Error> {
        self.run(connection, time, |c| c.outcome(ticket).is_some());
        let result = match connection.outcome(ticket) {
            Some(Ok(code)) if code.is_ok() => Ok(C::decode_response(connection.reply(ticket))?),
            Some(Ok(code)) => Err(Error::Completion {
                command: C::NAME,
                code: *code,
            }),
            Some(Err(error)) => Err(error.clone()),
            None => return Err(connection.give_up_on(ticket, self.now)),
        };
        connection.forget(ticket, self.now);
        result
    }

    /// Runs until `is_over` or `time` is over.
    pub(crate) fn run(
        &mut self,
        connection: &mut Connection,
        time: Duration,
        is_over: impl Fn(&Connection) -> bool,
    ) {
        let deadline = self.now + time;
        let mut out = Vec::new();
        for _ in 0..100_000 {
            while connection.poll_transmit(&mut out) {
                self.sent += 1;
                self.newest.clone_from(&out);
                self.send(To::Bmc, out.clone(), Duration::ZERO);
            }
            if is_over(connection) {
                return;
            }
            let arrival = self.under_way.first_key_value().map(|((at, _), _)| *at);
            let next = [arrival, connection.poll_timeout(), Some(deadline)];
            self.now = next.into_iter().flatten().min().unwrap().max(self.now);
            if self.now >= deadline {
                return;
            }
            self.deliver(connection);
            connection.on_timeout(self.now);
        }
        panic!("neither time nor work comes to an end");
    }

    fn deliver(&mut self, connection: &mut Connection) {
        while let Some(entry) = self.under_way.first_entry() {
            if entry.key().0 > self.now {
                return;
            }
            let (to, mut datagram) = entry.remove();
            if to == To::Bmc {
                let replies = self.sim.on_datagram(self.now.into(), console(), &datagram);
                for reply in replies {
                    self.answer(reply.datagram, reply.due.into_std() - self.now);
                }
                continue;
            }
            let is_for_us = match addressee(&datagram) {
                Some(Addressee::Anyone) => true,
                Some(Addressee::Session(id)) => id == connection.console_id(),
                None => false,
            };
            if is_for_us {
                connection.on_datagram(self.now, &mut datagram);
            }
        }
    }

    fn answer(&mut self, mut datagram: Vec<u8>, work: Duration) {
        if let Some(tamper) = &mut self.tamper
            && !tamper(&mut datagram)
        {
            return;
        }
        if self.chance(self.network.forgeries) {
            let forgery = self.mutilate(datagram.clone());
            self.send(To::Console, forgery, work);
        }
        self.send(To::Console, datagram, work);
    }

    /// `work` is the time that the sender needs before.
    fn send(&mut self, to: To, datagram: Vec<u8>, work: Duration) {
        let copies = if self.chance(self.network.duplicates) {
            2
        } else {
            1
        };
        for _ in 0..copies {
            if self.chance(self.network.loss) {
                continue;
            }
            let jitter = self.network.jitter.mul_f64(self.rng.random());
            let at = self.now + work + self.network.latency + jitter;
            self.count += 1;
            self.under_way
                .insert((at, self.count), (to, datagram.clone()));
        }
    }

    /// Cut short, or with one byte changed.
    fn mutilate(&mut self, mut datagram: Vec<u8>) -> Vec<u8> {
        let at = self.rng.random_range(0..datagram.len());
        if self.chance(50) {
            datagram.truncate(at);
        } else {
            datagram[at] ^= self.rng.random_range(1..=255);
        }
        datagram
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }
}

pub(crate) fn admin(password: &str) -> Login {
    Login::new(&Credentials::new("admin", password)).unwrap()
}

fn console() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 40_000).into()
}
