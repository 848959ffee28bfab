//! A point in time as a BMC tells it.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time by the BMC's clock, to the second, in UTC. Shown and serialised as RFC 3339 has it:
/// `2026-11-21T07:37:21Z`.
///
/// BMC clocks are often wrong; compare times of one BMC only with each other.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Timestamp(i64);

/// Why a text is not a [`Timestamp`].
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("time is not of the form 2026-11-21T07:37:21Z, with years 0000 to 9999")]
pub struct InvalidTimestamp;

const DAY: i64 = 24 * 3600;
/// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
const RANGE: (i64, i64) = (-62_167_219_200, 253_402_300_799);

impl Timestamp {
    /// The time this many seconds after 1970-01-01T00:00:00Z, within the years 0000 to 9999.
    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds.clamp(RANGE.0, RANGE.1))
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub fn unix(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date(self.0.div_euclid(DAY));
        let second = self.0.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
        f.pad(&text)
    }
}

/// Reads RFC 3339 with any offset; fractions of a second are dropped.
impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or(InvalidTimestamp)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_at_checked(10)?;
    let [year, month, day] = numbers(date, '-', &[4, 2, 2])?;
    let (clock, rest) = rest.strip_prefix(['T', 't', ' '])?.split_at_checked(8)?;
    let [hour, minute, second] = numbers(clock, ':', &[2, 2, 2])?;
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            (rest.len() < fraction.len()).then_some(rest)?
        }
        None => rest,
    };
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = match rest.get(..1)? {
                "+" => 1,
                "-" => -1,
                _ => return None,
            };
            let [hours, minutes] = numbers(rest.get(1..)?, ':', &[2, 2])?;
            (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))?
        }
    };
    let exists = (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    let seconds = days(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset;
    (exists && (RANGE.0..=RANGE.1).contains(&seconds)).then_some(Timestamp(seconds))
}

/// Numbers of exactly these widths with `separator` between them.
fn numbers<const N: usize>(text: &str, separator: char, widths: &[usize; N]) -> Option<[i64; N]> {
    let mut values = [0; N];
    let mut parts = text.split(separator);
    for (value, width) in values.iter_mut().zip(widths) {
        let part = parts.next()?;
        let is_number = part.len() == *width && part.bytes().all(|byte| byte.is_ascii_digit());
        *value = part.parse().ok().filter(|_| is_number)?;
    }
    parts.next().is_none().then_some(values)
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse of [`days`].
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = (from_march + 2) % 12 + 1;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_times_are_spelled_as_the_rest_of_the_world_does() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_795_246_641, "2026-11-21T07:37:21Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (i64::MAX, "9999-12-31T23:59:59Z"),
            (i64::MIN, "0000-01-01T00:00:00Z"),
        ] {
            assert_eq!(Timestamp::from_unix(seconds).to_string(), text);
        }
    }

    #[test]
    fn offsets_and_fractions_are_read() {
        for text in [
            "2026-11-21T07:37:21Z",
            "2026-11-21t07:37:21.999z",
            "2026-11-21T09:07:21+01:30",
            "2026-11-20 23:37:21-08:00",
        ] {
            assert_eq!(text.parse(), Ok(Timestamp(1_795_246_641)), "{text}");
        }
        for text in [
            "",
            "2026-11-21",
            "2026-11-21T07:37:21",
            "2026-13-21T07:37:21Z",
            "2026-02-29T07:37:21Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T07:37:21.Z",
            "2026-11-21T07:37:21+1:00",
            "+026-11-21T07:37:21Z",
            "2026-11-21T07:37:21é",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(InvalidTimestamp), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_time_reads_back(seconds in RANGE.0..=RANGE.1) {
            let time = Timestamp::from_unix(seconds);
            prop_assert_eq!(time.to_string().parse(), Ok(time));
            let json = serde_json::to_string(&time).unwrap();
            prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), time);
        }

        #[test]
        fn no_text_is_too_bad(text in ".{0,40}") {
            let _ = text.parse::<Timestamp>();
        }
    }
}
