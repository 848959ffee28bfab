//! Durations on the command line: `30s`, `500ms`, `2m`.

use std::time::Duration;

use jiff::SignedDuration;

/// Reads a duration that is longer than zero. A number needs its unit.
///
/// # Errors
/// A sentence that says what is allowed.
pub fn positive(text: &str) -> Result<Duration, String> {
    match any(text)? {
        Duration::ZERO => Err("must be longer than zero, such as 30s, 500ms or 2m".into()),
        duration => Ok(duration),
    }
}

/// Reads a duration, zero (`0` or `0s`) included.
///
/// # Errors
/// A sentence that says what is allowed.
pub fn any(text: &str) -> Result<Duration, String> {
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    text.parse::<SignedDuration>()
        .ok()
        .and_then(|duration| Duration::try_from(duration).ok())
        .filter(|duration| *duration <= LONGEST)
        .ok_or_else(|| "expected a number with a unit, such as 30s, 500ms or 2m".into())
}

/// Ten years: longer waits are mistakes, and clocks can add it.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_need_a_unit() {
        assert_eq!(positive("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(positive("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(positive("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(any("0"), Ok(Duration::ZERO));
        for wrong in ["", "30", "-3s", "s", "1e99s", "999999999999999999h"] {
            assert!(any(wrong).is_err(), "{wrong:?}");
        }
        assert!(positive("0s").is_err());
    }
}
