//! The console's end of SOL against a model of BMCs over bad networks, in virtual time: every character arrives once
//! and in order, or its loss is reported.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod model;

use std::time::{Duration, Instant};

use bmc_ipmi::proto::{PayloadHandler, SolEvent, SolSettings, SolStream};
use bmc_ipmi::wire::SolFlags;
use proptest::prelude::*;

use model::{Manner, Network, World};

const HOUR: Duration = Duration::from_secs(3600);

/// Bytes whose order and number show.
fn numbered(count: usize) -> Vec<u8> {
    (0..count)
        .map(|at| u8::try_from(at % 251).unwrap())
        .collect()
}

/// Whether `part` is `whole` without some of its bytes.
fn is_left_of(part: &[u8], whole: &[u8]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|byte| rest.any(|other| other == byte))
}

fn unconfirmed(events: &[SolEvent]) -> usize {
    let count = |event: &SolEvent| match event {
        SolEvent::Unconfirmed { characters } => *characters,
        _ => 0,
    };
    events.iter().map(count).sum()
}

/// Writes all of `characters`, as the buffer takes them, and waits for the end.
fn type_in(world: &mut World, mut characters: &[u8]) {
    while !characters.is_empty() {
        let taken = world.console.write(characters);
        characters = &characters[taken..];
        world.run(Duration::from_millis(50));
    }
    assert!(world.run(HOUR), "comes to an end");
}

fn networks() -> impl Strategy<Value = Network> {
    (0u32..40, 0u32..50, 0u64..150).prop_map(|(loss, duplicates, jitter)| Network {
        loss,
        duplicates,
        jitter: Duration::from_millis(jitter),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn characters_arrive_once_and_in_order_or_are_reported(
        network in networks(), seed in any::<u64>(), typed in 0usize..3000, printed in 0usize..3000,
        first in 1u8..=15, partial in 0u32..50, nack in 0u32..40, deaf in any::<bool>(), max_data in 40usize..300,
        buffer in 255usize..2000, appetite in 1usize..400,
    ) {
        let settings = SolSettings { max_data, buffer, ..SolSettings::default() };
        // Such a BMC accepts whole packets.
        let (partial, nack) = if deaf { (0, 0) } else { (partial, nack) };
        let manner = Manner { is_deaf_to_repeats: deaf, partial, nack, first };
        let mut world = World::new(&settings, network, manner, seed);
        world.appetite = appetite;
        let (typed, printed) = (numbered(typed), numbered(printed));
        world.bmc.out.extend(&printed);
        type_in(&mut world, &typed);
        // The reader hurries up at last.
        world.appetite = usize::MAX;
        while world.console.readable() > 0 {
            prop_assert!(world.run(HOUR));
        }

        let typed_lost = typed.len().checked_sub(world.bmc.received.len());
        prop_assert!(is_left_of(&world.bmc.received, &typed));
        prop_assert!(typed_lost.unwrap() <= unconfirmed(&world.events), "{:?}", world.events);
        let printed_lost = printed.len().checked_sub(world.read.len()).unwrap();
        prop_assert!(is_left_of(&world.read, &printed));
        prop_assert!(printed_lost <= world.bmc.given_up);
        // The last packet may be given up without another one after it.
        prop_assert!(printed_lost <= 100 || world.events.contains(&SolEvent::Lost), "{:?}", world.events);
        if network.loss == 0 && !deaf {
            prop_assert_eq!((typed_lost, printed_lost), (Some(0), 0));
            prop_assert!(!world.events.contains(&SolEvent::Lost));
        }
    }

    #[test]
    fn nothing_panics_or_grows(
        payloads in prop::collection::vec((any::<u32>(), prop::collection::vec(any::<u8>(), 0..40)), 0..200),
    ) {
        let settings = SolSettings { buffer: 300, ..SolSettings::default() };
        let mut stream = SolStream::new(&settings);
        let mut now = Instant::now();
        let mut out = Vec::new();
        for (sequence, payload) in payloads {
            let written = stream.write(&payload);
            prop_assert!(written <= payload.len());
            stream.on_payload(now, sequence, &payload);
            out.clear();
            for _ in 0..3 {
                if !stream.poll_transmit(now, &mut out) {
                    break;
                }
                prop_assert!(out.len() <= 259);
                out.clear();
            }
            prop_assert!(!stream.wants_transmit());
            prop_assert!(stream.readable() <= 300);
            if let Some(at) = stream.poll_timeout() {
                now = now.max(at);
                stream.on_timeout(now);
            }
        }
    }
}

/// Packets one after the other, without a network.
struct Wire {
    stream: SolStream,
    now: Instant,
    sequence: u32,
}

impl Wire {
    fn new(settings: &SolSettings) -> Self {
        Self {
            stream: SolStream::new(settings),
            now: Instant::now(),
            sequence: 0,
        }
    }

    fn receive(&mut self, payload: &[u8]) {
        self.sequence += 1;
        self.stream.on_payload(self.now, self.sequence, payload);
    }

    fn sent(&mut self) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let mut out = Vec::new();
        while self.stream.poll_transmit(self.now, &mut out) {
            all.push(std::mem::take(&mut out));
        }
        all
    }

    /// Lets time pass until the stream wants to do something.
    fn wait(&mut self) -> Duration {
        let at = self.stream.poll_timeout().unwrap();
        let waited = at - self.now;
        self.now = at;
        self.stream.on_timeout(at);
        waited
    }

    fn read(&mut self) -> Vec<u8> {
        let mut buffer = vec![0; self.stream.readable()];
        let count = self.stream.read(self.now, &mut buffer);
        assert_eq!(count, buffer.len());
        buffer
    }
}

/// As between ipmitool and OpenIPMI's simulator, whose numbers go on from the last session.
#[test]
fn a_line_and_its_echo() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.stream.write(b"hello fi\r");
    assert_eq!(wire.sent(), [b"\x01\0\0\0hello fi\r"]);
    wire.receive(&[0, 1, 9, 0]);
    wire.receive(b"\x05\0\0\0HELLO FI\r");
    assert_eq!(wire.sent(), [[0, 5, 9, 0]]);
    assert_eq!(wire.read(), b"HELLO FI\r");
    assert!(wire.stream.is_flushed());
    assert_eq!(wire.stream.poll_timeout(), None);
    assert!(wire.stream.control(SolFlags::SEND_BREAK));
    assert_eq!(wire.sent(), [[2, 0, 0, 0x10]]);
}

#[test]
fn an_acknowledgement_travels_with_characters() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.stream.write(b"a");
    wire.receive(b"\x07\0\0\0xyz");
    assert_eq!(wire.sent(), [b"\x01\x07\x03\0a"]);
}

#[test]
fn what_is_not_acknowledged_is_sent_again_unchanged() {
    let settings = SolSettings {
        retries: 2,
        retry_interval: Duration::from_millis(100),
        ..SolSettings::default()
    };
    let mut wire = Wire::new(&settings);
    wire.stream.write(b"abc");
    assert_eq!(wire.sent(), [b"\x01\0\0\0abc"]);
    wire.stream.write(b"def");
    for expected in [100, 200] {
        assert_eq!(wire.wait(), Duration::from_millis(expected));
        assert_eq!(wire.sent(), [b"\x01\0\0\0abc"]);
    }
    assert_eq!(wire.wait(), Duration::from_millis(400));
    let event = SolEvent::Unconfirmed { characters: 3 };
    assert_eq!(wire.stream.poll_event(), Some(event));
    assert_eq!(wire.sent(), [b"\x02\0\0\0def"], "goes on with the next");
    wire.receive(&[0, 1, 3, 0]);
    assert!(!wire.stream.is_flushed(), "too late for the first");
    wire.receive(&[0, 2, 3, 0]);
    assert!(wire.stream.is_flushed());
}

#[test]
fn the_rest_of_a_partly_accepted_packet_follows_under_the_next_number() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.stream.write(b"abcdef");
    wire.sent();
    wire.stream.write(b"gh");
    wire.receive(&[0, 1, 4, 0]);
    assert_eq!(wire.sent(), [b"\x02\0\0\0efgh"]);
}

#[test]
fn a_nack_pauses_until_the_bmc_is_ready_again() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.stream.write(b"abcdef");
    wire.sent();
    wire.receive(&[0, 1, 2, 0x60]);
    assert!(wire.sent().is_empty());
    wire.receive(&[0, 0, 0, 0x20]);
    assert!(wire.sent().is_empty());
    wire.receive(&[0, 0, 0, 0]);
    assert_eq!(wire.sent(), [b"\x02\0\0\0cdef"]);
    wire.receive(&[0, 2, 0, 0x60]);
    assert_eq!(wire.wait(), Duration::from_secs(1), "asks by itself");
    assert_eq!(wire.sent(), [b"\x03\0\0\0cdef"]);
}

#[test]
fn a_break_keeps_its_place() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.stream.write(b"ab");
    wire.stream.control(SolFlags::SEND_BREAK);
    wire.stream.write(b"cd");
    assert_eq!(wire.sent(), [b"\x01\0\0\0ab"]);
    wire.receive(&[0, 1, 2, 0]);
    assert_eq!(wire.sent(), [b"\x02\0\0\x10"]);
    wire.receive(&[0, 2, 0, 0x40]);
    wire.wait();
    assert_eq!(wire.sent(), [b"\x03\0\0\x10"], "also when refused");
    wire.receive(&[0, 3, 0, 0]);
    assert_eq!(wire.sent(), [b"\x04\0\0\0cd"]);
}

#[test]
fn repeated_packets_are_acknowledged_and_not_read_twice() {
    let mut wire = Wire::new(&SolSettings::default());
    for _ in 0..3 {
        wire.receive(b"\x0f\0\0\x04abc");
        assert_eq!(wire.sent(), [[0, 15, 3, 0]]);
    }
    wire.receive(b"\x0f\0\0\0abcde");
    assert_eq!(wire.sent(), [[0, 15, 5, 0]], "only what is new");
    wire.receive(b"\x01\0\0\0f");
    assert_eq!(wire.read(), b"abcdef");
    assert_eq!(wire.stream.poll_event(), Some(SolEvent::Break));
    assert_eq!(wire.stream.poll_event(), None);
}

#[test]
fn a_late_packet_is_not_read_after_its_successor() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.stream.on_payload(wire.now, 10, b"\x01\0\0\0a");
    wire.stream.on_payload(wire.now, 12, b"\x02\0\0\0b");
    wire.stream.on_payload(wire.now, 11, b"\x01\0\0\0a");
    assert_eq!(wire.read(), b"ab");
    assert_eq!(wire.sent(), [[0, 2, 1, 0]]);
}

#[test]
fn a_gap_in_the_numbers_is_reported() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.receive(b"\x0e\0\0\0a");
    wire.receive(b"\x02\0\0\0b");
    wire.receive(b"\x03\0\0\x08c");
    assert_eq!(wire.read(), b"abc");
    assert_eq!(wire.stream.poll_event(), Some(SolEvent::Lost));
    assert_eq!(wire.stream.poll_event(), Some(SolEvent::Overrun));
}

/// A slow reader makes the BMC wait, first the system by its flow control, then by refusing packets.
#[test]
fn a_full_buffer_holds_the_bmc_back() {
    let settings = SolSettings {
        buffer: 400,
        ..SolSettings::default()
    };
    let mut wire = Wire::new(&settings);
    let packet = |number| [vec![number, 0, 0, 0], vec![number; 120]].concat();
    wire.receive(&packet(1));
    assert_eq!(wire.sent(), [[0, 1, 120, 0]]);
    wire.receive(&packet(2));
    wire.receive(&packet(3));
    assert_eq!(wire.sent(), [[0, 3, 120, 0x08]]);
    wire.receive(&packet(4));
    assert_eq!(wire.sent(), [[0, 4, 0, 0x48]]);
    assert_eq!(wire.read().len(), 360);
    assert_eq!(wire.sent(), [[0, 4, 0, 0]], "tells it to go on");
    wire.wait();
    assert_eq!(
        wire.sent(),
        [[0, 4, 0, 0]],
        "and again, as that may be lost"
    );
    wire.receive(&packet(4));
    assert_eq!(wire.sent(), [[0, 4, 120, 0]]);
    assert_eq!(wire.read(), [4; 120]);
    assert_eq!(wire.stream.poll_event(), None);
    assert_eq!(wire.stream.poll_timeout(), None);
}

#[test]
fn the_end_comes_after_the_last_characters() {
    let mut wire = Wire::new(&SolSettings::default());
    wire.stream.write(b"typed");
    wire.receive(b"\x01\0\0\x10bye");
    assert!(wire.stream.is_over());
    assert_eq!(wire.stream.poll_event(), Some(SolEvent::Deactivated));
    assert_eq!(wire.read(), b"bye");
    assert_eq!(wire.stream.write(b"more"), 0);
    assert_eq!(
        wire.sent(),
        [[0, 1, 3, 0]],
        "acknowledges, and types no more"
    );
    assert_eq!(wire.stream.poll_timeout(), None);
}

/// Some of Intel's accept a packet and say that they have accepted no character of it.
#[test]
fn a_count_of_zero_may_mean_all() {
    let settings = SolSettings {
        zero_means_all: true,
        ..SolSettings::default()
    };
    let mut wire = Wire::new(&settings);
    wire.stream.write(b"abc");
    wire.sent();
    wire.receive(&[0, 1, 0, 0x40]);
    assert!(wire.stream.is_flushed());
    assert!(wire.sent().is_empty());
}
