//! How the typed vocabulary is spelled and read.

use std::fmt;

/// A word that the vocabulary does not hold; says what would have been accepted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownWord {
    what: &'static str,
    given: String,
    allowed: &'static [&'static str],
}

impl UnknownWord {
    pub(crate) fn new(what: &'static str, given: &str, allowed: &'static [&'static str]) -> Self {
        Self {
            what,
            given: given.chars().take(64).collect(),
            allowed,
        }
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown {} {:?}: expected one of {}",
            self.what,
            self.given,
            self.allowed.join(", ")
        )
    }
}

impl std::error::Error for UnknownWord {}

/// Gives a field-less enum its one spelling: `ALL`, `as_str`, `Display`, and a case-insensitive `FromStr`.
macro_rules! word {
    ($type:ident, $what:literal { $($variant:ident => $text:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for this value.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|value| value.as_str().eq_ignore_ascii_case(text))
                    .ok_or_else(|| UnknownWord::new($what, text, &[$($text),+]))
            }
        }
    };
}

pub(crate) use word;

#[cfg(test)]
mod tests {
    use crate::capability::{
        BmcReset, BootDevice, BootMode, ComponentKind, IdentifyLight, MediaKind, Persistence,
        PowerAction, PowerState, RestartCause, SensorStatus, Severity, UserRole,
    };
    use crate::client::Evidence;

    macro_rules! check {
        ($type:ident) => {
            for word in $type::ALL.iter().copied() {
                assert_eq!(word.to_string().parse(), Ok(word));
                assert_eq!(word.as_str().to_uppercase().parse(), Ok(word));
                let json = serde_json::to_string(&word).unwrap();
                assert_eq!(json, format!("\"{word}\""), "serde spells it differently");
                assert_eq!(serde_json::from_str::<$type>(&json).unwrap(), word);
            }
        };
    }

    #[test]
    fn every_word_has_one_spelling() {
        check!(BmcReset);
        check!(BootDevice);
        check!(BootMode);
        check!(ComponentKind);
        check!(Evidence);
        check!(IdentifyLight);
        check!(MediaKind);
        check!(Persistence);
        check!(PowerAction);
        check!(PowerState);
        check!(RestartCause);
        check!(SensorStatus);
        check!(Severity);
        check!(UserRole);
    }

    #[test]
    fn an_unknown_word_is_told_what_is_allowed() {
        let error = "reboot".parse::<PowerAction>().unwrap_err();
        let expected =
            "unknown power action \"reboot\": expected one of on, off, soft, cycle, reset";
        assert_eq!(error.to_string(), expected);
        let long = "x".repeat(1000).parse::<PowerAction>().unwrap_err();
        assert!(long.to_string().len() < 200);
    }

    #[test]
    fn words_pad_in_tables() {
        assert_eq!(format!("{:>5}|", PowerState::On), "   on|");
    }
}
