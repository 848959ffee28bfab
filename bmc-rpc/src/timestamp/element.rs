//! What a layout is made of, after `nextStdChunk` and `appendFormat` of Go's `time` package.

use std::fmt::Write as _;

use jiff::civil::DateTime;

/// One piece of a layout.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Element {
    Literal(String),
    LongMonth,
    Month,
    ZeroMonth,
    NumMonth,
    LongWeekday,
    Weekday,
    Day,
    UnderDay,
    ZeroDay,
    UnderYearDay,
    ZeroYearDay,
    Hour,
    Hour12,
    ZeroHour12,
    Minute,
    ZeroMinute,
    Second,
    ZeroSecond,
    LongYear,
    Year,
    UpperPm,
    LowerPm,
    Zone(Zone),
    Fraction {
        separator: char,
        digits: usize,
        /// Zeros at the end are left out, and the separator with the last of them.
        trim: bool,
    },
}

/// How a layout shows the zone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Zone {
    /// An abbreviation: `MST`.
    Name,
    /// An offset.
    Offset {
        /// UTC is `Z`.
        z: bool,
        colon: bool,
        /// 1: hours, 2: minutes too, 3: seconds too.
        parts: u8,
    },
}

/// Words that are elements wherever they stand, the longer before the shorter that they begin with.
const WORDS: &[(&str, Element)] = &[
    ("January", Element::LongMonth),
    ("Monday", Element::LongWeekday),
    ("MST", Element::Zone(Zone::Name)),
    ("2006", Element::LongYear),
    ("002", Element::ZeroYearDay),
    ("__2", Element::UnderYearDay),
    ("01", Element::ZeroMonth),
    ("02", Element::ZeroDay),
    ("03", Element::ZeroHour12),
    ("04", Element::ZeroMinute),
    ("05", Element::ZeroSecond),
    ("06", Element::Year),
    ("15", Element::Hour),
    ("_2", Element::UnderDay),
    ("PM", Element::UpperPm),
    ("pm", Element::LowerPm),
    ("1", Element::NumMonth),
    ("2", Element::Day),
    ("3", Element::Hour12),
    ("4", Element::Minute),
    ("5", Element::Second),
];

const ZONES: &[(&str, bool, u8)] = &[
    ("070000", false, 3),
    ("07:00:00", true, 3),
    ("0700", false, 2),
    ("07:00", true, 2),
    ("07", false, 1),
];

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Takes a layout apart.
pub(super) fn elements(layout: &str) -> Vec<Element> {
    let mut elements = Vec::new();
    let mut literal = String::new();
    let mut rest = layout;
    while let Some(first) = rest.chars().next() {
        if let Some((element, length)) = at_start(rest) {
            if !literal.is_empty() {
                elements.push(Element::Literal(std::mem::take(&mut literal)));
            }
            elements.push(element);
            rest = rest.get(length..).unwrap_or_default();
        } else {
            literal.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    if !literal.is_empty() {
        elements.push(Element::Literal(literal));
    }
    elements
}

/// The element that `text` begins with, and its length.
fn at_start(text: &str) -> Option<(Element, usize)> {
    // An underscore before a long year stands for itself.
    if text.starts_with("_2006") {
        return None;
    }
    if let Some((word, element)) = WORDS.iter().find(|(word, _)| text.starts_with(word)) {
        return Some((element.clone(), word.len()));
    }
    // Short names, unless a longer word goes on.
    for (word, element) in [("Jan", Element::Month), ("Mon", Element::Weekday)] {
        let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
        if text.strip_prefix(word).is_some_and(|rest| !goes_on(rest)) {
            return Some((element, word.len()));
        }
    }
    match text.chars().next()? {
        sign @ ('Z' | '-') => {
            let rest = text.get(1..)?;
            let (digits, colon, parts) =
                *ZONES.iter().find(|(digits, ..)| rest.starts_with(digits))?;
            let zone = Zone::Offset {
                z: sign == 'Z',
                colon,
                parts,
            };
            Some((Element::Zone(zone), 1 + digits.len()))
        }
        separator @ ('.' | ',') => fraction(separator, text.get(1..)?),
        _ => None,
    }
}

/// `000` or `999` of any length behind the separator, if no other digit follows.
fn fraction(separator: char, text: &str) -> Option<(Element, usize)> {
    let digit = text
        .chars()
        .next()
        .filter(|digit| ['0', '9'].contains(digit))?;
    let rest = text.trim_start_matches(digit);
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = text.len() - rest.len();
    let trim = digit == '9';
    let element = Element::Fraction {
        separator,
        digits,
        trim,
    };
    Some((element, 1 + digits))
}

impl Element {
    /// Appends what stands for this element at a moment in UTC.
    pub(super) fn write(&self, text: &mut String, at: &DateTime) {
        let (year, month, day) = (at.year(), at.month(), at.day());
        let hour12 = match at.hour() % 12 {
            0 => 12,
            hour => hour,
        };
        // Writing to a String does not fail.
        let _ = match self {
            Self::Literal(literal) => text.write_str(literal),
            Self::LongMonth => text.write_str(month_name(month)),
            Self::Month => text.write_str(short(month_name(month))),
            Self::ZeroMonth => write!(text, "{month:02}"),
            Self::NumMonth => write!(text, "{month}"),
            Self::LongWeekday => text.write_str(weekday_name(at)),
            Self::Weekday => text.write_str(short(weekday_name(at))),
            Self::Day => write!(text, "{day}"),
            Self::UnderDay => write!(text, "{day:2}"),
            Self::ZeroDay => write!(text, "{day:02}"),
            Self::UnderYearDay => write!(text, "{:3}", at.day_of_year()),
            Self::ZeroYearDay => write!(text, "{:03}", at.day_of_year()),
            Self::Hour => write!(text, "{:02}", at.hour()),
            Self::Hour12 => write!(text, "{hour12}"),
            Self::ZeroHour12 => write!(text, "{hour12:02}"),
            Self::Minute => write!(text, "{}", at.minute()),
            Self::ZeroMinute => write!(text, "{:02}", at.minute()),
            Self::Second => write!(text, "{}", at.second()),
            Self::ZeroSecond => write!(text, "{:02}", at.second()),
            Self::LongYear => write!(text, "{year:04}"),
            Self::Year => write!(text, "{:02}", year.rem_euclid(100)),
            Self::UpperPm => text.write_str(if at.hour() < 12 { "AM" } else { "PM" }),
            Self::LowerPm => text.write_str(if at.hour() < 12 { "am" } else { "pm" }),
            Self::Zone(zone) => text.write_str(zone.utc()),
            Self::Fraction {
                separator,
                digits,
                trim,
            } => {
                let nanoseconds = format!("{:09}", at.subsec_nanosecond());
                let shown = nanoseconds.get(..*digits).unwrap_or(&nanoseconds);
                let shown = if *trim {
                    shown.trim_end_matches('0')
                } else {
                    shown
                };
                if shown.is_empty() {
                    Ok(())
                } else {
                    write!(text, "{separator}{shown}")
                }
            }
        };
    }
}

impl Zone {
    fn utc(self) -> &'static str {
        match self {
            Self::Name => "UTC",
            Self::Offset { z: true, .. } => "Z",
            Self::Offset { parts: 1, .. } => "+00",
            Self::Offset {
                colon: false,
                parts: 2,
                ..
            } => "+0000",
            Self::Offset { colon: false, .. } => "+000000",
            Self::Offset { parts: 2, .. } => "+00:00",
            Self::Offset { .. } => "+00:00:00",
        }
    }
}

fn month_name(month: i8) -> &'static str {
    let index = usize::try_from(month - 1).unwrap_or_default();
    MONTHS.get(index).copied().unwrap_or_default()
}

fn weekday_name(at: &DateTime) -> &'static str {
    let index = usize::try_from(at.weekday().to_monday_zero_offset()).unwrap_or_default();
    WEEKDAYS.get(index).copied().unwrap_or_default()
}

/// The first three letters.
pub(super) fn short(name: &str) -> &str {
    name.get(..3).unwrap_or(name)
}
