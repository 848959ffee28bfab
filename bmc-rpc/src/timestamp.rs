//! Timestamps in a layout of Go's `time` package, always in UTC.
//!
//! The wire protocol leaves the format of its timestamp to a Go layout: the text that `Mon Jan 2 15:04:05 MST 2006` gives
//! in the wanted format.

use std::fmt;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::Offset;

mod element;
mod read;

use element::{Element, elements};

/// A Go time layout such as `2006-01-02T15:04:05Z07:00`.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use bmc_rpc::Layout;
///
/// let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
/// assert_eq!(Layout::new("2006-01-02T15:04:05Z07:00").format(at), "2023-11-14T22:13:20Z");
/// assert_eq!(Layout::new("Mon 02 Jan 15:04").format(at), "Tue 14 Nov 22:13");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Layout {
    text: String,
    elements: Vec<Element>,
}

impl Layout {
    /// RFC 3339 in whole seconds: the protocol's default.
    pub const RFC3339: &str = "2006-01-02T15:04:05Z07:00";

    /// Reads a layout. Every text is one; what is no element stands for itself.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            elements: elements(text),
        }
    }

    /// The text of this layout at this moment, in UTC.
    pub fn format(&self, at: SystemTime) -> String {
        let at = Timestamp::try_from(at).unwrap_or(Timestamp::MAX);
        let at = Offset::UTC.to_datetime(at);
        let mut text = String::with_capacity(self.text.len() + 16);
        for element in &self.elements {
            element.write(&mut text, &at);
        }
        text
    }

    /// The moment that a text of this layout tells. Without a zone it is in UTC. `None`: the text has another layout, or
    /// [`is_readable`](Self::is_readable) is false.
    pub fn read(&self, text: &str) -> Option<SystemTime> {
        read::read(&self.elements, text).map(SystemTime::from)
    }

    /// Whether a text tells a moment: it has year, day, hour and minute.
    pub fn is_readable(&self) -> bool {
        let has = |wanted: &[Element]| self.elements.iter().any(|element| wanted.contains(element));
        let year = has(&[Element::LongYear, Element::Year]);
        let month = has(&[
            Element::LongMonth,
            Element::Month,
            Element::ZeroMonth,
            Element::NumMonth,
        ]);
        let day = has(&[Element::Day, Element::UnderDay, Element::ZeroDay]);
        let year_day = has(&[Element::UnderYearDay, Element::ZeroYearDay]);
        let half = has(&[Element::UpperPm, Element::LowerPm]);
        let hour = has(&[Element::Hour]) || half && has(&[Element::Hour12, Element::ZeroHour12]);
        let minute = has(&[Element::Minute, Element::ZeroMinute]);
        year && (month && day || year_day) && hour && minute
    }

    /// Whether it gives the same text at all times.
    pub(crate) fn is_constant(&self) -> bool {
        self.elements
            .iter()
            .all(|element| matches!(element, Element::Literal(_) | Element::Zone(_)))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_layout_that_tells_no_moment_is_known() {
        for (layout, readable) in [
            (Layout::RFC3339, true),
            ("06-1-2 3:4pm", true),
            ("2006 002 15:04", true),
            ("2006-01-02", false),
            ("15:04:05", false),
            ("2006-01-02 03:04", false),
            ("RFC", false),
        ] {
            assert_eq!(Layout::new(layout).is_readable(), readable, "{layout}");
        }
        assert!(Layout::new("UTC").is_constant());
        assert!(!Layout::new("2006").is_constant());
    }

    #[test]
    fn zones_are_minded() {
        let layout = Layout::new(Layout::RFC3339);
        let at = layout.read("2023-11-14T22:13:20Z").unwrap();
        assert_eq!(layout.read("2023-11-15T00:13:20+02:00"), Some(at));
        assert_eq!(layout.read("2023-11-14T17:43:20-04:30"), Some(at));
        for wrong in [
            "",
            "2023-11-14T22:13:20",
            "2023-13-14T22:13:20Z",
            "2023-11-14T22:13:20Z ",
            "2023-11-31T22:13:20Z",
            "2023-11-14T22:13:20+99:00",
            "2023-11-14T22:13:2\u{0663}Z",
        ] {
            assert_eq!(layout.read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn two_digits_of_a_year_are_those_of_go() {
        let layout = Layout::new("06-01-02 15:04");
        let year = |text: &str| Layout::new("2006").format(layout.read(text).unwrap());
        assert_eq!(year("69-07-20 20:17"), "1969");
        assert_eq!(year("68-07-20 20:17"), "2068");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(seconds in 0u64..4_102_444_800) {
            let at = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            for layout in [Layout::RFC3339, "Mon Jan _2 15:04:05 MST 2006", "2006 __2 03.04.05PM -0700", "20060102150405Z07",
                "Monday, 2 January 2006 3:4:5 pm", "2006-01-02T15:04:05.000000-07:00:00"]
            {
                let layout = Layout::new(layout);
                prop_assert_eq!(layout.read(&layout.format(at)), Some(at), "{}", layout);
            }
        }

        #[test]
        fn no_text_is_a_trap(layout in "[0-9A-Za-z:_.,+ -]{0,24}", text in "\\PC{0,24}") {
            let layout = Layout::new(&layout);
            let _ = layout.read(&text);
            let _ = layout.read(&layout.format(SystemTime::UNIX_EPOCH));
        }
    }
}
