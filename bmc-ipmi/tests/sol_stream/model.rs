//! A BMC's end of SOL, written from the specification and from what is known of real BMCs; and a network before it.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use bmc_ipmi::codec::{Reader, Wire};
use bmc_ipmi::proto::{PayloadHandler, SolEvent, SolSettings, SolStream};
use bmc_ipmi::wire::{SolFlags, SolHeader};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const RETRY: Duration = Duration::from_millis(100);
const RETRIES: u32 = 7;

/// What the network does, in percent of the packets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Network {
    pub(crate) loss: u32,
    pub(crate) duplicates: u32,
    pub(crate) jitter: Duration,
}

/// What the BMC does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// A repeated packet is dropped without an acknowledgement, and so is one with an unexpected number, as OpenBMC does.
    pub(crate) is_deaf_to_repeats: bool,
    /// Share of packets that are accepted in part, in percent.
    pub(crate) partial: u32,
    /// Share of packets that are answered with a NACK, in percent.
    pub(crate) nack: u32,
    /// Its first packet number.
    pub(crate) first: u8,
}

/// A BMC whose serial port sends `out` and notes what it receives.
pub(crate) struct Bmc {
    pub(crate) out: VecDeque<u8>,
    pub(crate) received: Vec<u8>,
    pub(crate) breaks: Vec<usize>,
    /// Characters that were sent in vain.
    pub(crate) given_up: usize,
    pub(crate) is_held: bool,
    manner: Manner,
    number: u8,
    in_flight: Option<(u8, Vec<u8>, u32, Instant)>,
    last: Option<(u8, usize, u8)>,
    expected: u8,
    /// Session sequence number of the newest packet.
    newest: u32,
    pending: VecDeque<Vec<u8>>,
}

pub(crate) struct World {
    pub(crate) console: SolStream,
    pub(crate) bmc: Bmc,
    pub(crate) now: Instant,
    pub(crate) events: Vec<SolEvent>,
    /// The console reads no more than this for each packet that arrives.
    pub(crate) appetite: usize,
    pub(crate) read: Vec<u8>,
    network: Network,
    under_way: BTreeMap<(Instant, u64), (bool, u32, Vec<u8>)>,
    count: u64,
    sent: [u32; 2],
    seen: [Vec<u32>; 2],
    rng: StdRng,
}

impl World {
    pub(crate) fn new(settings: &SolSettings, network: Network, manner: Manner, seed: u64) -> Self {
        Self {
            console: SolStream::new(settings),
            bmc: Bmc {
                out: VecDeque::new(),
                received: Vec::new(),
                breaks: Vec::new(),
                given_up: 0,
                is_held: false,
                manner,
                number: manner.first.clamp(1, 15),
                in_flight: None,
                last: None,
                expected: 1,
                newest: 0,
                pending: VecDeque::new(),
            },
            now: Instant::now(),
            events: Vec::new(),
            appetite: usize::MAX,
            read: Vec::new(),
            network,
            under_way: BTreeMap::new(),
            count: 0,
            sent: [0; 2],
            seen: Default::default(),
            rng: StdRng::seed_from_u64(seed),
        }
    }

    /// Runs until nothing is left to do, for `limit` at most. Whether nothing is left.
    pub(crate) fn run(&mut self, limit: Duration) -> bool {
        let deadline = self.now + limit;
        for _ in 0..1_000_000 {
            self.exchange();
            let next = [
                self.under_way.first_key_value().map(|((at, _), _)| *at),
                self.console.poll_timeout(),
                self.bmc.timeout(),
            ];
            let Some(next) = next.into_iter().flatten().min() else {
                return true;
            };
            if next > deadline {
                self.now = deadline;
                return false;
            }
            self.now = self.now.max(next);
            self.deliver();
            self.console.on_timeout(self.now);
            self.bmc.on_timeout(self.now);
        }
        panic!("the world does not come to rest");
    }

    /// Everything that either side has to send now.
    fn exchange(&mut self) {
        let mut buffer = vec![0; self.appetite.min(1 << 16)];
        let count = self.console.read(self.now, &mut buffer);
        self.read.extend(&buffer[..count]);
        let mut packet = Vec::new();
        while self.console.poll_transmit(self.now, &mut packet) {
            self.send(true, std::mem::take(&mut packet));
        }
        assert!(!self.console.wants_transmit());
        self.bmc.poll(self.now);
        while let Some(packet) = self.bmc.pending.pop_front() {
            self.send(false, packet);
        }
        while let Some(event) = self.console.poll_event() {
            self.events.push(event);
        }
    }

    fn send(&mut self, to_bmc: bool, packet: Vec<u8>) {
        let sequence = &mut self.sent[usize::from(to_bmc)];
        *sequence += 1;
        let sequence = *sequence;
        let copies = 1 + u32::from(self.rng.random_range(0..100) < self.network.duplicates);
        for _ in 0..copies {
            if self.rng.random_range(0..100) < self.network.loss {
                continue;
            }
            let delay = Duration::from_millis(1) + self.network.jitter.mul_f64(self.rng.random());
            self.count += 1;
            let key = (self.now + delay, self.count);
            self.under_way
                .insert(key, (to_bmc, sequence, packet.clone()));
        }
    }

    fn deliver(&mut self) {
        while let Some(entry) = self.under_way.first_entry() {
            if entry.key().0 > self.now {
                return;
            }
            let (to_bmc, sequence, packet) = entry.remove();
            // As a session does: repeated and very late datagrams are dropped.
            let seen = &mut self.seen[usize::from(to_bmc)];
            let newest = seen.iter().max().copied().unwrap_or_default();
            if seen.contains(&sequence) || sequence + 16 <= newest {
                continue;
            }
            seen.push(sequence);
            if to_bmc {
                self.bmc
                    .on_packet(self.now, sequence, &packet, &mut self.rng);
            } else {
                self.console.on_payload(self.now, sequence, &packet);
            }
            self.exchange();
        }
    }
}

impl Bmc {
    fn on_packet(&mut self, now: Instant, sequence: u32, packet: &[u8], rng: &mut StdRng) {
        let mut r = Reader::new("test", packet);
        let header = SolHeader::decode(&mut r).unwrap();
        let data = r.rest();
        assert!(data.len() <= 255);
        if header.acknowledged != 0 {
            self.on_acknowledgement(now, &header);
        }
        if header.acknowledged == 0 || !header.flags.contains(SolFlags::NACK) {
            self.is_held = header.flags.contains(SolFlags::PAUSE);
        }
        if header.sequence == 0 {
            assert!(data.is_empty());
            return;
        }
        if sequence < self.newest {
            return;
        }
        self.newest = sequence;
        if let Some((number, accepted, flags)) = self.last
            && number == header.sequence
        {
            if !self.manner.is_deaf_to_repeats {
                self.acknowledge(number, accepted, flags);
            }
            return;
        }
        if self.manner.is_deaf_to_repeats && header.sequence != self.expected {
            return;
        }
        self.expected = SolHeader::next_sequence(header.sequence);
        let mut accepted = data.len();
        let mut flags = 0;
        if accepted > 0 && rng.random_range(0..100) < self.manner.partial {
            accepted = rng.random_range(0..=accepted);
        }
        if rng.random_range(0..100) < self.manner.nack {
            accepted = rng.random_range(0..=accepted);
            flags = 0x40;
        }
        if header.flags.contains(SolFlags::SEND_BREAK) && flags == 0 {
            self.breaks.push(self.received.len());
        }
        self.received.extend(&data[..accepted]);
        self.last = Some((header.sequence, accepted, flags));
        self.acknowledge(header.sequence, accepted, flags);
    }

    fn acknowledge(&mut self, number: u8, accepted: usize, flags: u8) {
        self.pending
            .push_back(vec![0, number, u8::try_from(accepted).unwrap(), flags]);
    }

    fn on_acknowledgement(&mut self, now: Instant, header: &SolHeader) {
        let Some((number, data, _, timer)) = &mut self.in_flight else {
            return;
        };
        if *number != header.acknowledged {
            return;
        }
        if header.flags.contains(SolFlags::NACK) {
            // Wait, and come back to it.
            *timer = now + RETRY * 5;
            return;
        }
        let left = data.split_off(usize::from(header.accepted).min(data.len()));
        for byte in left.into_iter().rev() {
            self.out.push_front(byte);
        }
        self.in_flight = None;
    }

    fn poll(&mut self, now: Instant) {
        if self.in_flight.is_none() && !self.out.is_empty() && !self.is_held {
            let length = self.out.len().min(100);
            let data: Vec<u8> = self.out.drain(..length).collect();
            let number = self.number;
            self.number = SolHeader::next_sequence(number);
            self.pending
                .push_back([&[number, 0, 0, 0][..], &data].concat());
            self.in_flight = Some((number, data, 1, now + RETRY));
        }
    }

    fn timeout(&self) -> Option<Instant> {
        self.in_flight.as_ref().map(|(_, _, _, timer)| *timer)
    }

    fn on_timeout(&mut self, now: Instant) {
        let Some((number, data, sends, timer)) = &mut self.in_flight else {
            return;
        };
        if now < *timer {
            return;
        }
        if *sends > RETRIES {
            self.given_up += data.len();
            self.in_flight = None;
            return;
        }
        *sends += 1;
        *timer = now + RETRY;
        let packet = [&[*number, 0, 0, 0][..], data].concat();
        self.pending.push_back(packet);
    }
}
