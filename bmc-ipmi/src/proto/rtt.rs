//! When to send again: round-trip estimate and back-off.

use std::time::Duration;

/// Before anything is known: long enough for a slow BMC, short enough for a lost datagram.
const INITIAL: Duration = Duration::from_millis(500);
const FLOOR: Duration = Duration::from_millis(250);
const CEILING: Duration = Duration::from_secs(8);
/// Repeats in a row grow up to this, or to three round trips where those are longer.
const BACKOFF_CAP: Duration = Duration::from_secs(2);

/// Jacobson's estimator (RFC 6298) over the round trips of one BMC.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rtt {
    estimate: Option<(Duration, Duration)>,
}

impl Rtt {
    /// Starts from a round trip measured earlier.
    pub(crate) fn known(round_trip: Duration) -> Self {
        let mut rtt = Self::default();
        rtt.sample(round_trip);
        rtt
    }

    /// Takes in one unambiguous round trip.
    pub(crate) fn sample(&mut self, round_trip: Duration) {
        self.estimate = Some(match self.estimate {
            None => (round_trip, round_trip / 2),
            Some((smooth, variation)) => (
                (smooth * 7 + round_trip) / 8,
                (variation * 3 + smooth.abs_diff(round_trip)) / 4,
            ),
        });
    }

    /// The smoothed round trip, once there is one.
    pub(crate) fn smoothed(&self) -> Option<Duration> {
        self.estimate.map(|(smooth, _)| smooth)
    }

    /// How long to wait after transmission number `repeats` (0 for the first) of the same message.
    pub(crate) fn timeout(&self, repeats: u32) -> Duration {
        let base = match self.estimate {
            None => INITIAL,
            Some((smooth, variation)) => (smooth + variation * 4).clamp(FLOOR, CEILING),
        };
        let cap = BACKOFF_CAP.max(self.smoothed().unwrap_or_default() * 3);
        let mut wait = base;
        for _ in 0..repeats {
            if wait >= cap {
                break;
            }
            wait = (wait * 3 / 2).min(cap);
        }
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn starts_at_half_a_second_and_grows_by_half_to_two_seconds() {
        let waits: Vec<_> = (0..6)
            .map(|n| Rtt::default().timeout(n).as_millis())
            .collect();
        assert_eq!(waits, [500, 750, 1125, 1687, 2000, 2000]);
    }

    #[test]
    fn the_first_sample_sets_three_round_trips_within_bounds() {
        assert_eq!(Rtt::known(ms(200)).timeout(0), ms(600));
        assert_eq!(Rtt::known(ms(1)).timeout(0), FLOOR);
        assert_eq!(Rtt::known(ms(60_000)).timeout(0), CEILING);
        // A slow BMC is not hurried by the cap.
        assert_eq!(Rtt::known(ms(1300)).timeout(3), ms(3900));
    }

    #[test]
    fn steady_round_trips_shrink_the_timeout() {
        let mut rtt = Rtt::known(ms(400));
        for _ in 0..40 {
            rtt.sample(ms(400));
        }
        assert!(rtt.timeout(0) < ms(420), "{:?}", rtt.timeout(0));
    }
}
