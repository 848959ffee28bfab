//! The BMC key as people write it down.

use std::fmt;
use std::str::FromStr;

use bmc_core::Secret;
use zeroize::Zeroizing;

use super::{ConfigError, MAX_KG};

/// The BMC key K_G for two-key logins, §13.33: at most 20 bytes. Zeroes in front count, zeroes behind do not; nothing
/// but zeroes means that the BMC has no key.
///
/// Read from text, or from hexadecimal digits behind `0x`:
///
/// ```
/// use bmc_core::Secret;
/// use bmc_ipmi::Kg;
///
/// assert_eq!(Secret::from("kg"), "0x6B67".parse::<Kg>()?.into());
/// # Ok::<(), bmc_ipmi::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct Kg(Secret);

impl Kg {
    /// The key with these bytes.
    ///
    /// # Errors
    /// There are more than 20.
    pub fn new(bytes: Secret) -> Result<Self, ConfigError> {
        let length = bytes.len();
        if length > MAX_KG {
            return Err(ConfigError::Kg { length });
        }
        Ok(Self(bytes))
    }
}

/// `0x` and pairs of hexadecimal digits, or else the text itself.
impl FromStr for Kg {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
            return Self::new(text.into());
        };
        let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
            return Err(ConfigError::KgDigits);
        };
        let mut bytes = Zeroizing::new(Vec::with_capacity(pairs.len()));
        for [high, low] in pairs {
            let value = digit(*high).zip(digit(*low));
            let (high, low) = value.ok_or(ConfigError::KgDigits)?;
            bytes.push(high << 4 | low);
        }
        Self::new(Secret::new(bytes.as_slice()))
    }
}

impl From<Kg> for Secret {
    fn from(kg: Kg) -> Self {
        kg.0
    }
}

impl fmt::Debug for Kg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kg").field(&self.0).finish()
    }
}

fn digit(character: u8) -> Option<u8> {
    let value = char::from(character).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        Secret::from(text.parse::<Kg>().unwrap()).expose().to_vec()
    }

    #[test]
    fn text_and_digits() {
        assert_eq!(bytes("two-key"), b"two-key");
        assert_eq!(bytes("0x00ff0A"), [0, 0xff, 0x0a]);
        assert_eq!(bytes("0x"), []);
        for wrong in ["0x0", "0x0g", "0xé0"] {
            assert_eq!(wrong.parse::<Kg>().unwrap_err(), ConfigError::KgDigits);
        }
        let long = "0x".to_owned() + &"00".repeat(21);
        assert_eq!(
            long.parse::<Kg>().unwrap_err(),
            ConfigError::Kg { length: 21 }
        );
        assert!(!format!("{:?}", "secret".parse::<Kg>().unwrap()).contains("secret"));
    }
}
