//! The console's end of SOL under any sequence of packets, time-outs and users.

use std::time::{Duration, Instant};

use crate::proto::{PayloadHandler, SolSettings, SolStream};
use crate::wire::{SolFlags, SolHeader};

/// Reads operations from `data` and carries them out on a stream: packets as they are, acknowledgements of what was
/// sent, characters written and read, breaks, time. Whatever happens, nothing panics, nothing grows beyond its limit,
/// whatever can be sent is sent at once, and packets have the form that they must have.
pub fn ipmi_sol(data: &[u8]) {
    let Some((&[size, buffer, retries, zero], mut input)) = data.split_first_chunk() else {
        return;
    };
    let settings = SolSettings {
        max_data: size.into(),
        buffer: usize::from(buffer) * 4,
        retries: u32::from(retries) % 8,
        zero_means_all: zero & 1 != 0,
        ..SolSettings::default()
    };
    let limit = settings.buffer.max(SolHeader::MAX_DATA);
    let mut stream = SolStream::new(&settings);
    let mut now = Instant::now();
    let mut session_sequence = 0_u32;
    let mut last = 0;
    while let Some((&[operation, length], rest)) = input.split_first_chunk() {
        let taken = rest.get(..length.into()).unwrap_or(rest);
        input = rest.get(taken.len()..).unwrap_or_default();
        match operation % 8 {
            0 => {
                // In order, repeated by the network, or late.
                let sequence = session_sequence.wrapping_sub(u32::from(operation >> 4) % 4);
                stream.on_payload(now, sequence, taken);
            }
            1 | 2 => {
                session_sequence = session_sequence.wrapping_add(1);
                stream.on_payload(now, session_sequence, taken);
            }
            3 => {
                session_sequence = session_sequence.wrapping_add(1);
                let packet = [0, last, length, operation & 0x60];
                stream.on_payload(now, session_sequence, &packet);
            }
            4 => assert!(stream.write(taken) <= taken.len()),
            5 => {
                let mut into = vec![0; length.into()];
                assert!(stream.read(now, &mut into) <= into.len());
            }
            6 => {
                stream.control(SolFlags(operation & 0x33));
            }
            _ => {
                let at = stream.poll_timeout().unwrap_or(now);
                now = now.max(at) + Duration::from_millis(length.into());
                stream.on_timeout(now);
            }
        }
        let mut packet = Vec::new();
        while stream.poll_transmit(now, &mut packet) {
            let most = SolHeader::LENGTH + settings.max_data.clamp(1, SolHeader::MAX_DATA);
            assert!((SolHeader::LENGTH..=most).contains(&packet.len()));
            let number = packet.first().copied().unwrap_or_default();
            assert!(number <= SolHeader::MAX_SEQUENCE);
            assert!(number != 0 || packet.len() == SolHeader::LENGTH);
            if number != 0 {
                last = number;
            }
            packet.clear();
        }
        assert!(!stream.wants_transmit());
        assert!(stream.readable() <= limit);
        while stream.poll_event().is_some() {}
    }
}
