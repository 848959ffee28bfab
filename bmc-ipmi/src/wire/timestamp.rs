//! The time of events and of changes, §37.

use std::fmt;

/// A time as BMCs keep it: seconds of the BMC's own clock.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Timestamp(pub u32);

/// The largest value that counts from the start of the BMC.
const LAST_SINCE_START: u32 = 0x2000_0000;

impl Timestamp {
    /// No time is known.
    pub const UNSPECIFIED: Self = Self(u32::MAX);

    /// Seconds since 1970-01-01 00:00 in the BMC's time zone, which it does not tell; `None` if the clock was not set.
    pub fn seconds_since_epoch(self) -> Option<u32> {
        (self != Self::UNSPECIFIED && self.0 > LAST_SINCE_START).then_some(self.0)
    }

    /// Seconds since the BMC started, for events that came before its clock was set.
    pub fn seconds_since_start(self) -> Option<u32> {
        (self.0 <= LAST_SINCE_START).then_some(self.0)
    }
}

/// Date and time, `+` and the seconds since the BMC's start, or `unspecified`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seconds) = self.seconds_since_start() {
            return f.pad(&format!("+{seconds} s"));
        }
        let Some(seconds) = self.seconds_since_epoch() else {
            return f.pad("unspecified");
        };
        let (year, month, day) = date(seconds / 86_400);
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        f.pad(&format!(
            "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"
        ))
    }
}

/// The Gregorian date so many days after 1970-01-01. Years are counted from March, so that leap days come last.
fn date(days: u32) -> (u32, u32, u32) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    (era * 400 + year + u32::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // From GNU date: `date -u -d @1709164800 +%F` and so on.
        for (seconds, shown) in [
            (0x2000_0001, "1987-01-05 18:48:33"),
            (951_782_399, "2000-02-28 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_709_164_800, "2024-02-29 00:00:00"),
            (1_709_251_200, "2024-03-01 00:00:00"),
            (4_294_967_294, "2106-02-07 06:28:14"),
        ] {
            assert_eq!(Timestamp(seconds).to_string(), shown);
        }
    }

    #[test]
    fn times_that_are_none() {
        assert_eq!(Timestamp(90).to_string(), "+90 s");
        assert_eq!(Timestamp(0x2000_0000).seconds_since_epoch(), None);
        assert_eq!(Timestamp::UNSPECIFIED.to_string(), "unspecified");
        assert_eq!(Timestamp::UNSPECIFIED.seconds_since_epoch(), None);
    }
}
