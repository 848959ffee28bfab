//! Wall clock and randomness, injected. Monotonic time is tokio's.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tokio::time::Instant;

/// 2025-01-01T00:00:00Z, where every simulation begins.
const SIMULATION_START: i64 = 1_735_689_600;

/// Where wall-clock time and random numbers come from. Clones share both.
#[derive(Clone)]
pub struct Env {
    clock: Clock,
    random: Random,
}

impl Env {
    /// The machine's clock and the thread's generator.
    pub fn system() -> Self {
        Self {
            clock: Clock::System,
            random: Random::Thread,
        }
    }

    /// A fixed start plus the tokio time elapsed since this call, and a generator with this seed: the same calls in the same
    /// order give the same answers.
    pub fn simulated(seed: u64) -> Self {
        Self {
            clock: Clock::Simulated(Instant::now()),
            random: Random::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed)))),
        }
    }

    /// The wall clock, in whole seconds: what objects can hold.
    pub fn now(&self) -> Timestamp {
        let seconds = match &self.clock {
            Clock::System => Timestamp::now().as_second(),
            Clock::Simulated(start) => SIMULATION_START
                .saturating_add(i64::try_from(start.elapsed().as_secs()).unwrap_or(i64::MAX)),
        };
        Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
    }

    /// The wall clock as objects write it.
    pub fn time(&self) -> Time {
        Time(self.now())
    }

    /// Time since `then` by the wall clock; zero if `then` is in the future.
    pub fn since(&self, then: Timestamp) -> Duration {
        let passed: SignedDuration = self.now().duration_since(then);
        Duration::try_from(passed).unwrap_or(Duration::ZERO)
    }

    /// A random number, each as likely as the others.
    pub fn random_u64(&self) -> u64 {
        match &self.random {
            Random::Thread => rand::rng().next_u64(),
            Random::Seeded(rng) => rng
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next_u64(),
        }
    }

    /// A random number from 0 up to but not including 1.
    pub fn random_fraction(&self) -> f64 {
        const BITS: u32 = 52;
        // 52 bits fit into the mantissa: the conversion is exact.
        #[allow(clippy::cast_precision_loss)]
        let numerator = (self.random_u64() >> (u64::BITS - BITS)) as f64;
        numerator / 2_f64.powi(BITS as i32)
    }

    /// True with this probability; draws nothing when the answer is certain.
    pub fn chance(&self, probability: f64) -> bool {
        probability > 0.0 && (probability >= 1.0 || self.random_fraction() < probability)
    }

    /// A duration within `fraction` (0 to 1) of `base`, above or below.
    pub fn jitter(&self, base: Duration, fraction: f64) -> Duration {
        let factor = 1.0 + fraction.clamp(0.0, 1.0) * (2.0 * self.random_fraction() - 1.0);
        base.mul_f64(factor)
    }

    /// A duration from zero to `limit`; draws nothing when the limit is zero.
    pub fn up_to(&self, limit: Duration) -> Duration {
        if limit.is_zero() {
            return Duration::ZERO;
        }
        limit.mul_f64(self.random_fraction())
    }

    /// A random UUID (RFC 9562, version 4).
    pub fn uuid(&self) -> String {
        let high = (self.random_u64() & !0xf000) | 0x4000;
        let low = (self.random_u64() & !(0b11 << 62)) | (0b10 << 62);
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xffff,
            low >> 48,
            low & 0xffff_ffff_ffff
        )
    }
}

/// Where in a period the thing named `name` has its turn: always the same place, and many names spread evenly.
pub fn phase(name: &str, period: Duration) -> Duration {
    // FNV-1a, then a mix: short names that differ in one byte land far apart.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let share = u32::try_from(mixed >> 32).unwrap_or(u32::MAX);
    period.mul_f64(f64::from(share) / (f64::from(u32::MAX) + 1.0))
}

#[derive(Clone)]
enum Clock {
    System,
    Simulated(Instant),
}

#[derive(Clone)]
enum Random {
    Thread,
    Seeded(Arc<Mutex<StdRng>>),
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.clock {
            Clock::System => "Env::system",
            Clock::Simulated(_) => "Env::simulated",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_seed_decides_everything() {
        let (one, two) = (Env::simulated(7), Env::simulated(7));
        assert_eq!(one.random_u64(), two.random_u64());
        assert_eq!(one.uuid(), two.uuid());
        assert_eq!(one.now().to_string(), "2025-01-01T00:00:00Z");
        tokio::time::advance(Duration::from_millis(90_999)).await;
        assert_eq!(one.now().to_string(), "2025-01-01T00:01:30Z");
        assert_ne!(
            Env::simulated(8).random_u64(),
            Env::simulated(9).random_u64()
        );
    }

    #[test]
    fn time_in_objects_has_whole_seconds() {
        let now = Env::system().now();
        assert_eq!(now.subsec_nanosecond(), 0);
        assert!(now <= Timestamp::now());
    }

    #[tokio::test]
    async fn jitter_and_chances_keep_their_limits() {
        let env = Env::simulated(1);
        let base = Duration::from_secs(10);
        for _ in 0..1000 {
            let jittered = env.jitter(base, 0.2);
            assert!(jittered >= base.mul_f64(0.8) && jittered <= base.mul_f64(1.2));
            assert!(env.up_to(base) <= base);
            assert!(!env.chance(0.0) && env.chance(1.0));
        }
        let hits = (0..10_000).filter(|_| env.chance(0.25)).count();
        assert!((2_000..3_000).contains(&hits), "{hits}");
    }

    #[tokio::test]
    async fn a_uuid_is_of_version_4() {
        let uuid = Env::simulated(3).uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(uuid.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&uuid.as_bytes()[19]), "{uuid}");
    }

    #[test]
    fn phases_spread() {
        let period = Duration::from_secs(100);
        let mut tenths = [0; 10];
        for n in 0..1000 {
            let phase = phase(&format!("node-{n}"), period);
            assert!(phase < period);
            tenths[usize::try_from(phase.as_secs() / 10).unwrap()] += 1;
        }
        assert!(tenths.iter().all(|n| (50..200).contains(n)), "{tenths:?}");
        assert_eq!(phase("a", period), phase("a", period));
    }
}
