//! Reads a moment from a text of a known layout.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

use super::element::{Element, MONTHS, WEEKDAYS, Zone, short};

/// What was read so far.
#[derive(Debug, Default)]
struct Seen {
    year: Option<i16>,
    month: Option<i8>,
    day: Option<i8>,
    year_day: Option<i16>,
    hour: Option<i8>,
    hour12: Option<i8>,
    afternoon: Option<bool>,
    minute: Option<i8>,
    second: i8,
    nanosecond: i32,
    /// Seconds east of Greenwich.
    offset: i32,
}

pub(super) fn read(elements: &[Element], text: &str) -> Option<Timestamp> {
    let mut seen = Seen::default();
    let mut rest = text;
    for element in elements {
        rest = seen.take(element, rest)?;
    }
    if !rest.is_empty() {
        return None;
    }
    seen.moment()
}

impl Seen {
    /// Reads one element from the start of `text`; gives what is behind it.
    fn take<'t>(&mut self, element: &Element, text: &'t str) -> Option<&'t str> {
        let rest;
        match element {
            Element::Literal(literal) => rest = text.strip_prefix(literal.as_str())?,
            Element::LongMonth => rest = self.name(text, &MONTHS, |name| name, Some)?,
            Element::Month => rest = self.name(text, &MONTHS, short, Some)?,
            Element::LongWeekday => rest = self.name(text, &WEEKDAYS, |name| name, |_| None)?,
            Element::Weekday => rest = self.name(text, &WEEKDAYS, short, |_| None)?,
            Element::ZeroMonth => (self.month, rest) = number(text, 2, 2)?,
            Element::NumMonth => (self.month, rest) = number(text, 1, 2)?,
            Element::ZeroDay => (self.day, rest) = number(text, 2, 2)?,
            Element::Day => (self.day, rest) = number(text, 1, 2)?,
            Element::UnderDay => (self.day, rest) = number(padded(text, 2)?, 1, 2)?,
            Element::ZeroYearDay => (self.year_day, rest) = number(text, 3, 3)?,
            Element::UnderYearDay => (self.year_day, rest) = number(padded(text, 3)?, 1, 3)?,
            Element::Hour => (self.hour, rest) = number(text, 2, 2)?,
            Element::Hour12 => (self.hour12, rest) = number(text, 1, 2)?,
            Element::ZeroHour12 => (self.hour12, rest) = number(text, 2, 2)?,
            Element::Minute => (self.minute, rest) = number(text, 1, 2)?,
            Element::ZeroMinute => (self.minute, rest) = number(text, 2, 2)?,
            Element::Second | Element::ZeroSecond => {
                let least = if *element == Element::Second { 1 } else { 2 };
                let (second, behind) = number(text, least, 2)?;
                (self.second, rest) = (second?, behind);
            }
            Element::LongYear => (self.year, rest) = number(text, 4, 4)?,
            Element::Year => {
                let (year, behind) = number::<i16>(text, 2, 2)?;
                // As Go and POSIX have it.
                self.year = year.map(|year| if year >= 69 { 1900 + year } else { 2000 + year });
                rest = behind;
            }
            Element::UpperPm | Element::LowerPm => {
                let (half, behind) = text.split_at_checked(2)?;
                self.afternoon = Some(match half {
                    "AM" | "am" => false,
                    "PM" | "pm" => true,
                    _ => return None,
                });
                rest = behind;
            }
            Element::Zone(zone) => (self.offset, rest) = offset(*zone, text)?,
            Element::Fraction {
                separator,
                digits,
                trim,
            } => {
                let Some(behind) = text.strip_prefix(*separator) else {
                    return trim.then_some(text);
                };
                let length = behind.bytes().take_while(u8::is_ascii_digit).count();
                let shown = (*digits).min(9);
                if if *trim {
                    length > shown
                } else {
                    length != shown
                } {
                    return None;
                }
                let (digits, behind) = behind.split_at_checked(length)?;
                self.nanosecond = format!("{digits:0<9}").parse().ok()?;
                rest = behind;
            }
        }
        Some(rest)
    }

    /// Reads one of `names`; a month's is remembered.
    fn name<'t>(
        &mut self,
        text: &'t str,
        names: &[&'static str],
        form: impl Fn(&'static str) -> &'static str,
        month: impl Fn(i8) -> Option<i8>,
    ) -> Option<&'t str> {
        let mut numbers = 1_i8..;
        let mut pairs = names.iter().map(|name| form(name)).zip(&mut numbers);
        let (name, number) = pairs.find(|(name, _)| text.starts_with(name))?;
        self.month = month(number).or(self.month);
        text.strip_prefix(name)
    }

    fn moment(&self) -> Option<Timestamp> {
        let date = match (self.month, self.day, self.year_day) {
            (Some(month), Some(day), _) => Date::new(self.year?, month, day).ok()?,
            (_, _, Some(day)) => Date::new(self.year?, 1, 1)
                .ok()?
                .with()
                .day_of_year(day)
                .build()
                .ok()?,
            _ => return None,
        };
        let hour = match (self.hour, self.hour12, self.afternoon) {
            (Some(hour), ..) => hour,
            (None, Some(hour @ 1..=12), Some(afternoon)) => {
                hour % 12 + if afternoon { 12 } else { 0 }
            }
            _ => return None,
        };
        let time = jiff::civil::Time::new(hour, self.minute?, self.second, self.nanosecond).ok()?;
        let offset = Offset::from_seconds(self.offset).ok()?;
        offset.to_timestamp(date.to_datetime(time)).ok()
    }
}

/// `least` to `most` ASCII digits.
fn number<T: std::str::FromStr>(
    text: &str,
    least: usize,
    most: usize,
) -> Option<(Option<T>, &str)> {
    let length = text
        .bytes()
        .take(most)
        .take_while(u8::is_ascii_digit)
        .count();
    if length < least {
        return None;
    }
    let (digits, rest) = text.split_at_checked(length)?;
    Some((Some(digits.parse().ok()?), rest))
}

/// Leaves out the blanks that pad a number to `width`.
fn padded(text: &str, width: usize) -> Option<&str> {
    let blanks = text
        .bytes()
        .take(width - 1)
        .take_while(|byte| *byte == b' ')
        .count();
    text.get(blanks..)
}

fn offset(zone: Zone, text: &str) -> Option<(i32, &str)> {
    let Zone::Offset { z, colon, parts } = zone else {
        let names = ["UTC", "GMT"];
        return names
            .iter()
            .find_map(|name| text.strip_prefix(name))
            .map(|rest| (0, rest));
    };
    if z && let Some(rest) = text.strip_prefix('Z') {
        return Some((0, rest));
    }
    let (sign, mut rest) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => return None,
    };
    let mut seconds = 0;
    for (part, unit) in (0..parts).zip([3600, 60, 1]) {
        if colon && part > 0 {
            rest = rest.strip_prefix(':')?;
        }
        let (value, behind) = number::<i32>(rest, 2, 2)?;
        seconds += value? * unit;
        rest = behind;
    }
    Some((sign * seconds, rest))
}
