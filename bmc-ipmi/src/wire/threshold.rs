//! Thresholds of sensors, §35.

use std::fmt;

/// One of the six thresholds, in the order of commands and masks.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Threshold {
    /// Lower non-critical.
    LowerNonCritical,
    /// Lower critical.
    LowerCritical,
    /// Lower non-recoverable.
    LowerNonRecoverable,
    /// Upper non-critical.
    UpperNonCritical,
    /// Upper critical.
    UpperCritical,
    /// Upper non-recoverable.
    UpperNonRecoverable,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// Within all thresholds.
    Ok,
    /// A warning.
    NonCritical,
    /// Out of the specified range.
    Critical,
    /// Damage is likely.
    NonRecoverable,
}

/// A set of thresholds; six bits, lower non-critical is bit 0.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct ThresholdMask(u8);

/// One raw reading for each threshold, in the order of the commands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RawThresholds(pub [u8; 6]);

impl Threshold {
    /// All six, in the order of the bits.
    pub const ALL: [Self; 6] = [
        Self::LowerNonCritical,
        Self::LowerCritical,
        Self::LowerNonRecoverable,
        Self::UpperNonCritical,
        Self::UpperCritical,
        Self::UpperNonRecoverable,
    ];

    /// Its bit in a [`ThresholdMask`], 0 to 5.
    pub fn bit(self) -> u8 {
        match self {
            Self::LowerNonCritical => 0,
            Self::LowerCritical => 1,
            Self::LowerNonRecoverable => 2,
            Self::UpperNonCritical => 3,
            Self::UpperCritical => 4,
            Self::UpperNonRecoverable => 5,
        }
    }

    /// Whether readings above it are bad.
    pub fn is_upper(self) -> bool {
        self.bit() >= 3
    }

    /// How bad it is to be beyond it.
    pub fn severity(self) -> Severity {
        match self {
            Self::LowerNonCritical | Self::UpperNonCritical => Severity::NonCritical,
            Self::LowerCritical | Self::UpperCritical => Severity::Critical,
            Self::LowerNonRecoverable | Self::UpperNonRecoverable => Severity::NonRecoverable,
        }
    }

    /// Three letters, as ipmitool abbreviates it: `lnc` to `unr`.
    pub fn abbreviation(self) -> &'static str {
        match self {
            Self::LowerNonCritical => "lnc",
            Self::LowerCritical => "lcr",
            Self::LowerNonRecoverable => "lnr",
            Self::UpperNonCritical => "unc",
            Self::UpperCritical => "ucr",
            Self::UpperNonRecoverable => "unr",
        }
    }
}

impl ThresholdMask {
    /// The low six bits of `bits`.
    pub const fn new(bits: u8) -> Self {
        Self(bits & 0x3f)
    }

    /// The six bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether it holds none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds `threshold`.
    pub fn contains(self, threshold: Threshold) -> bool {
        self.0 & 1 << threshold.bit() != 0
    }

    /// Its thresholds in the order of the bits.
    pub fn iter(self) -> impl Iterator<Item = Threshold> {
        Threshold::ALL
            .into_iter()
            .filter(move |threshold| self.contains(*threshold))
    }

    /// The worst of them.
    pub fn severity(self) -> Severity {
        let severities = self.iter().map(Threshold::severity);
        severities.max().unwrap_or(Severity::Ok)
    }
}

impl FromIterator<Threshold> for ThresholdMask {
    fn from_iter<T: IntoIterator<Item = Threshold>>(thresholds: T) -> Self {
        let bits = thresholds.into_iter().map(|threshold| 1 << threshold.bit());
        Self(bits.fold(0, |all, bit: u8| all | bit))
    }
}

impl RawThresholds {
    /// The raw reading of one.
    pub fn get(&self, threshold: Threshold) -> u8 {
        let [lnc, lc, lnr, unc, uc, unr] = self.0;
        match threshold {
            Threshold::LowerNonCritical => lnc,
            Threshold::LowerCritical => lc,
            Threshold::LowerNonRecoverable => lnr,
            Threshold::UpperNonCritical => unc,
            Threshold::UpperCritical => uc,
            Threshold::UpperNonRecoverable => unr,
        }
    }

    /// Changes one.
    pub fn set(&mut self, threshold: Threshold, raw: u8) {
        if let Some(place) = self.0.get_mut(usize::from(threshold.bit())) {
            *place = raw;
        }
    }

    /// In the order of sensor records: from the upper non-recoverable one down.
    pub fn in_record_order(&self) -> [u8; 6] {
        let mut bytes = self.0;
        bytes.reverse();
        bytes
    }

    /// From the order of sensor records.
    pub fn from_record_order(mut bytes: [u8; 6]) -> Self {
        bytes.reverse();
        Self(bytes)
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::LowerNonCritical => "lower non-critical",
            Self::LowerCritical => "lower critical",
            Self::LowerNonRecoverable => "lower non-recoverable",
            Self::UpperNonCritical => "upper non-critical",
            Self::UpperCritical => "upper critical",
            Self::UpperNonRecoverable => "upper non-recoverable",
        })
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "ok",
            Self::NonCritical => "non-critical",
            Self::Critical => "critical",
            Self::NonRecoverable => "non-recoverable",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_places_are_the_same_order() {
        let mut raw = RawThresholds::default();
        for threshold in Threshold::ALL {
            raw.set(threshold, threshold.bit() + 10);
        }
        assert_eq!(raw.0, [10, 11, 12, 13, 14, 15]);
        assert_eq!(raw.in_record_order(), [15, 14, 13, 12, 11, 10]);
        assert_eq!(RawThresholds::from_record_order(raw.in_record_order()), raw);
        assert_eq!(raw.get(Threshold::UpperCritical), 14);
    }

    #[test]
    fn the_worst_threshold_decides() {
        assert_eq!(ThresholdMask::new(0xc0).severity(), Severity::Ok);
        let both: ThresholdMask = [Threshold::UpperCritical, Threshold::UpperNonCritical]
            .into_iter()
            .collect();
        assert_eq!(both.bits(), 0x18);
        assert_eq!(both.severity(), Severity::Critical);
    }
}
