//! Get POH Counter, §28.14.

use std::time::Duration;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks for how long the host has been on, all told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetPohCounter;

without_data!(GetPohCounter, "Get POH Counter");

impl Command for GetPohCounter {
    type Response = PohCounter;
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x0f;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The power-on hours counter, which counts in units of its own.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PohCounter {
    /// How many minutes a count stands for, usually 60.
    pub minutes_per_count: u8,
    /// How many counts.
    pub count: u32,
}

impl PohCounter {
    /// The time that the host has been on.
    pub fn time(&self) -> Duration {
        Duration::from_secs(60 * u64::from(self.minutes_per_count) * u64::from(self.count))
    }
}

impl Wire for PohCounter {
    const NAME: &'static str = "Get POH Counter response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            minutes_per_count: r.u8("minutes per count")?,
            count: r.u32_le("counter")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.minutes_per_count);
        out.put_u32_le(self.count);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn counts_have_a_unit() {
        let counter = PohCounter::from_bytes(&[60, 0x10, 0x27, 0, 0]).unwrap();
        assert_eq!(counter.time(), Duration::from_secs(10_000 * 3600));
        let most = PohCounter::from_bytes(&[0xff; 5]).unwrap();
        assert_eq!(most.time().as_secs(), 60 * 255 * u64::from(u32::MAX));
    }
}
