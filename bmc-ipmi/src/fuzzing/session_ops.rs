//! A login and its session with a simulated BMC, under anything that a network can do.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use bmc_core::Credentials;

use super::input::Input;
use crate::codec::Wire;
use crate::command::{BootParameter, Command, GetChassisStatus, GetSystemBootOptions};
use crate::config::Login;
use crate::crypto::CipherSuite;
use crate::proto::{Connection, Event, Known, Request, Ticket};
use crate::sim::{Sim, SimQuirks};

static LOGIN: LazyLock<Option<Arc<Login>>> = LazyLock::new(|| {
    let login = Login::new(&Credentials::new("admin", "password"));
    login.ok().map(Arc::new)
});

/// Datagrams on their way in one direction, and commands not yet forgotten.
const MOST: usize = 32;

/// Reads operations from `data` and carries them out between a console and a BMC: commands are requested and dropped,
/// datagrams lost, doubled, overtaken and mutilated, and time passes. Whatever happens, nothing panics, every deadline
/// can be met, and a command that is answered has its own answer.
pub fn ipmi_session_ops(data: &[u8]) {
    let Some(login) = LOGIN.as_ref() else {
        return;
    };
    let mut world = World::new(Arc::clone(login), Input(data));
    while !world.input.0.is_empty() && world.step() {
        world.carry();
        world.check();
    }
    let now = world.now;
    for (ticket, _) in std::mem::take(&mut world.asked) {
        let error = world.connection.give_up_on(ticket, now);
        assert!(!error.to_string().is_empty());
    }
    world.connection.close(now);
    assert!(!world.connection.is_open());
}

struct World<'a> {
    input: Input<'a>,
    now: Instant,
    sim: Sim,
    connection: Connection,
    to_bmc: VecDeque<Vec<u8>>,
    to_console: VecDeque<Vec<u8>>,
    /// Commands, with the boot parameter that was asked for; `None` is a status.
    asked: VecDeque<(Ticket, Option<BootParameter>)>,
}

impl<'a> World<'a> {
    fn new(login: Arc<Login>, mut input: Input<'a>) -> Self {
        let flags = input.byte();
        let is = |bit: u8| flags & 1 << bit != 0;
        let known = Known {
            suite: is(0).then_some(CipherSuite::SUITE_3),
            ..Known::default()
        };
        let quirks = SimQuirks {
            executes_replays: is(1),
            seals_repeated_rakp4: is(2),
            ..SimQuirks::default()
        };
        let now = Instant::now();
        let mut connection = Connection::new(login, known, now, [7; 32]);
        if is(3) {
            connection.overlap_login();
        }
        connection.set_window(1 + usize::from(flags >> 5));
        Self {
            input,
            now,
            sim: Sim::builder().seed(1).power(true).quirks(quirks).build(),
            connection,
            to_bmc: VecDeque::new(),
            to_console: VecDeque::new(),
            asked: VecDeque::new(),
        }
    }

    /// Carries out one operation. `false`: the login has failed.
    fn step(&mut self) -> bool {
        let operation = self.input.byte();
        // The upper bits choose a datagram or a command.
        let nth = usize::from(operation >> 4);
        match operation & 0x0f {
            0 | 1 => self.ask(nth),
            2 => {
                if let Some((ticket, _)) = self.asked.remove(nth) {
                    self.connection.forget(ticket, self.now);
                }
            }
            3..=5 => self.at_bmc(nth, operation & 0x0f == 3),
            6..=8 => self.at_console(nth, operation & 0x0f == 6),
            9 => {
                if let Some(datagram) = self.to_console.get_mut(nth) {
                    let at = usize::from(self.input.byte());
                    let change = self.input.byte();
                    let byte = datagram.get_mut(at);
                    byte.into_iter().for_each(|byte| *byte ^= change);
                }
            }
            10 => drop(self.to_bmc.remove(nth)),
            11 => drop(self.to_console.remove(nth)),
            12 => self.now += Duration::from_millis(u64::from(self.input.byte()) * 16),
            _ => {
                if let Some(at) = self.connection.poll_timeout() {
                    self.now = self.now.max(at);
                }
            }
        }
        self.connection.on_timeout(self.now);
        if let Some(at) = self.connection.poll_timeout() {
            assert!(at > self.now, "a deadline that is over");
        }
        !matches!(self.connection.poll_event(), Some(Event::LoginFailed(_)))
    }

    fn ask(&mut self, nth: usize) {
        if self.asked.len() == MOST {
            return;
        }
        let (ticket, parameter) = if nth == 0 {
            let request = Request::new(&GetChassisStatus, &[]);
            (self.connection.request(self.now, &request), None)
        } else {
            let parameter = BootParameter::new(self.input.byte());
            let command = GetSystemBootOptions::new(parameter);
            let data = command.to_bytes();
            let request = Request::new(&command, &data);
            (self.connection.request(self.now, &request), Some(parameter))
        };
        self.asked.push_back((ticket, parameter));
    }

    fn at_bmc(&mut self, nth: usize, is_kept: bool) {
        let Some(datagram) = self.to_bmc.get(nth).cloned() else {
            return;
        };
        if !is_kept {
            self.to_bmc.remove(nth);
        }
        let console = SocketAddr::from((Ipv4Addr::LOCALHOST, 40_000));
        let now = self.now.into();
        for reply in self.sim.on_datagram(now, console, &datagram) {
            push(&mut self.to_console, reply.datagram);
        }
    }

    fn at_console(&mut self, nth: usize, is_kept: bool) {
        let Some(mut datagram) = self.to_console.get(nth).cloned() else {
            return;
        };
        if !is_kept {
            self.to_console.remove(nth);
        }
        self.connection.on_datagram(self.now, &mut datagram);
    }

    /// Puts what the console sends on its way.
    fn carry(&mut self) {
        let mut datagram = Vec::new();
        while self.connection.poll_transmit(&mut datagram) {
            push(&mut self.to_bmc, std::mem::take(&mut datagram));
        }
    }

    /// Looks at the answers that have come.
    fn check(&mut self) {
        let connection = &mut self.connection;
        let now = self.now;
        self.asked.retain(|(ticket, parameter)| {
            let Some(outcome) = connection.outcome(*ticket) else {
                return true;
            };
            if matches!(outcome, Ok(code) if code.is_ok()) {
                match parameter {
                    None => is_on(connection.reply(*ticket)),
                    Some(parameter) => is_about(connection.reply(*ticket), *parameter),
                }
            }
            connection.forget(*ticket, now);
            false
        });
    }
}

fn is_on(reply: &[u8]) {
    let status = GetChassisStatus::decode_response(reply);
    assert_eq!(status.map(|status| status.is_on()), Ok(true));
}

fn is_about(reply: &[u8], parameter: BootParameter) {
    let options = GetSystemBootOptions::decode_response(reply);
    assert_eq!(
        options.map(|options| options.option.parameter()),
        Ok(parameter)
    );
}

/// A datagram that finds no room is lost.
fn push(queue: &mut VecDeque<Vec<u8>>, datagram: Vec<u8>) {
    if queue.len() < MOST {
        queue.push_back(datagram);
    }
}
