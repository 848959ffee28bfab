//! A simulated BMC on a UDP socket.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bmc_core::Secret;
use tokio::net::UdpSocket;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

use crate::command::{BootFlags, SelfTestResults};
use crate::crypto::CipherSuite;
use crate::sim::{
    Boot, Executed, Faults, FruDevice, Machine, PowerChange, Reply, Repository, SerialPort, Sim,
    SimDcmi, SimEventLog, SimLanConfiguration, SimPef, SimQuirks, SimSensors,
};
use crate::wire::AuthType;

/// A BMC that is being served; it stops when the handle is dropped.
pub struct SimHandle {
    sim: Arc<Mutex<Sim>>,
    addr: SocketAddr,
    changed: Arc<Notify>,
    task: AbortHandle,
}

impl SimHandle {
    pub(crate) fn start(mut sim: Sim, socket: UdpSocket) -> io::Result<Self> {
        let addr = socket.local_addr()?;
        sim.serial().port = addr.port();
        let sim = Arc::new(Mutex::new(sim));
        let changed = Arc::<Notify>::default();
        let serving = serve(Arc::clone(&sim), socket, Arc::clone(&changed));
        let task = tokio::spawn(serving).abort_handle();
        Ok(Self {
            sim,
            addr,
            changed,
            task,
        })
    }

    /// Where the BMC listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Changes the faults.
    pub fn faults<T>(&self, change: impl FnOnce(&mut Faults) -> T) -> T {
        change(self.lock().faults())
    }

    /// Looks at the machine, or changes it.
    pub fn machine<T>(&self, look: impl FnOnce(&mut Machine) -> T) -> T {
        look(self.lock().machine(Instant::now()))
    }

    /// Looks at the LAN configuration, or changes it.
    pub fn lan<T>(&self, change: impl FnOnce(&mut SimLanConfiguration) -> T) -> T {
        change(self.lock().lan())
    }

    /// Looks at the serial port, or changes it: lets the system print, for instance.
    pub fn serial<T>(&self, change: impl FnOnce(&mut SerialPort) -> T) -> T {
        let result = change(self.lock().serial());
        self.changed.notify_one();
        result
    }

    /// Changes the sensor data records.
    pub fn repository<T>(&self, change: impl FnOnce(&mut Repository) -> T) -> T {
        change(self.lock().repository())
    }

    /// Changes the sensors.
    pub fn sensors<T>(&self, change: impl FnOnce(&mut SimSensors) -> T) -> T {
        change(self.lock().sensors())
    }

    /// Changes what DCMI tells.
    pub fn dcmi<T>(&self, change: impl FnOnce(&mut SimDcmi) -> T) -> T {
        change(self.lock().dcmi())
    }

    /// Looks at the system event log, or changes it.
    pub fn event_log<T>(&self, look: impl FnOnce(&mut SimEventLog) -> T) -> T {
        look(self.lock().event_log())
    }

    /// Looks at the platform event filters, or changes them.
    pub fn pef<T>(&self, look: impl FnOnce(&mut SimPef) -> T) -> T {
        look(self.lock().pef())
    }

    /// Looks at the FRU devices, or changes them.
    pub fn frus<T>(&self, look: impl FnOnce(&mut BTreeMap<u8, FruDevice>) -> T) -> T {
        look(self.lock().frus())
    }

    /// Whether the machine is on.
    pub fn power(&self) -> bool {
        self.machine(|machine| machine.power())
    }

    /// Switches the machine at once, as somebody at its power button would.
    pub fn set_power(&self, on: bool) {
        self.machine(|machine| machine.set_power(Instant::now(), on));
    }

    /// Changes of power so far, oldest first.
    pub fn power_changes(&self) -> Vec<PowerChange> {
        self.machine(|machine| machine.power_changes().to_vec())
    }

    /// Starts of the firmware so far, oldest first.
    pub fn boots(&self) -> Vec<Boot> {
        self.machine(|machine| machine.boots().to_vec())
    }

    /// Power cycles accepted so far.
    pub fn cycles(&self) -> u32 {
        self.machine(|machine| machine.cycles())
    }

    /// The boot flags.
    pub fn boot_flags(&self) -> BootFlags {
        self.machine(|machine| machine.boot_flags())
    }

    /// The last ten thousand commands, oldest first.
    pub fn log(&self) -> Vec<Executed> {
        self.lock().log().cloned().collect()
    }

    /// Changes the peculiarities of the BMC. Sessions stay.
    pub fn quirks<T>(&self, change: impl FnOnce(&mut SimQuirks) -> T) -> T {
        change(self.lock().quirks())
    }

    /// Changes the cipher suites on offer. Sessions stay.
    pub fn set_suites(&self, suites: impl Into<Vec<CipherSuite>>) {
        self.lock().set_suites(suites);
    }

    /// Changes the authentication types of IPMI v1.5 sessions. Sessions stay.
    pub fn set_auth_types(&self, auth_types: impl Into<Vec<AuthType>>) {
        self.lock().set_auth_types(auth_types);
    }

    /// Number of sessions, half-open ones included.
    pub fn sessions(&self) -> usize {
        self.lock().sessions()
    }

    /// Number of sessions that can carry commands: a repeated Open Session leaves a half-open one beside them.
    pub fn active_sessions(&self) -> usize {
        self.lock().active_sessions()
    }

    /// Logins so far that named a user whom the BMC knows. Repeated messages do not count.
    pub fn logins(&self) -> u32 {
        self.lock().logins()
    }

    /// Ends all sessions without a word, as a BMC does that restarts.
    pub fn forget_sessions(&self) {
        self.lock().forget_sessions();
    }

    /// Looks at a satellite, or changes it. `None` if there is none.
    pub fn satellite<T>(
        &self,
        channel: u8,
        address: u8,
        look: impl FnOnce(&mut Sim) -> T,
    ) -> Option<T> {
        self.lock().satellite(channel, address).map(look)
    }

    /// What Get Self Test Results says from now on.
    pub fn set_self_test(&self, results: SelfTestResults) {
        self.lock().set_self_test(results);
    }

    /// Restarts of the BMC so far.
    pub fn restarts(&self) -> u32 {
        self.lock().restarts()
    }

    /// Changes the password of a user. Sessions stay. `false` if there is no such user.
    pub fn set_password(&self, user: &str, password: impl Into<Secret>) -> bool {
        self.lock().set_password(user, password)
    }

    fn lock(&self) -> MutexGuard<'_, Sim> {
        lock(&self.sim)
    }
}

impl fmt::Debug for SimHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimHandle")
            .field("addr", &self.addr)
            .finish_non_exhaustive()
    }
}

impl Drop for SimHandle {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(sim: Arc<Mutex<Sim>>, socket: UdpSocket, changed: Arc<Notify>) {
    let mut buffer = [0; 1024];
    let mut waiting: Vec<Reply> = Vec::new();
    loop {
        let due = waiting.iter().map(|reply| reply.due).min();
        let timeout = lock(&sim).poll_timeout();
        let next = [due, timeout].into_iter().flatten().min();
        let replies = tokio::select! {
            biased;
            () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                let now = Instant::now();
                let mut ripe: Vec<_> = waiting.extract_if(.., |reply| reply.due <= now).collect();
                ripe.sort_by_key(|reply| reply.due);
                for reply in ripe {
                    send(&socket, &reply).await;
                }
                lock(&sim).on_timeout(now)
            }
            () = changed.notified() => lock(&sim).on_timeout(Instant::now()),
            received = socket.recv_from(&mut buffer) => {
                // An error belongs to one datagram, if to any.
                let Ok((length, peer)) = received else { continue };
                let datagram = buffer.get(..length).unwrap_or_default();
                lock(&sim).on_datagram(Instant::now(), peer, datagram)
            }
        };
        let now = Instant::now();
        for reply in replies {
            if reply.due <= now {
                send(&socket, &reply).await;
            } else {
                waiting.push(reply);
            }
        }
    }
}

async fn send(socket: &UdpSocket, reply: &Reply) {
    // A reply that cannot be sent is a lost datagram.
    let _ = socket.send_to(&reply.datagram, reply.to).await;
}

/// A poisoned lock means that a test's closure panicked; the simulator itself does not.
fn lock(sim: &Mutex<Sim>) -> MutexGuard<'_, Sim> {
    sim.lock().unwrap_or_else(PoisonError::into_inner)
}
