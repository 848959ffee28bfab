//! Secrets: redacted when printed, zeroized when dropped, never serialised.

use std::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes that must not leak.
#[derive(Clone, Eq, PartialEq, Zeroize, ZeroizeOnDrop)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Takes over the bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// The bytes themselves; every call is a place to review.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A user name and its password. User names are bytes on some wires and text for people.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Credentials {
    /// The user name.
    pub username: String,
    /// The password.
    pub password: Secret,
}

impl Credentials {
    /// A user name and its password.
    pub fn new(username: impl Into<String>, password: impl Into<Secret>) -> Self {
        Self {
            username: username.into(),
            password: password.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed() {
        let credentials = Credentials::new("admin", "hunter2");
        let shown = format!("{credentials:?} {credentials:#?}");
        assert!(shown.contains("admin") && shown.contains("Secret(..)"));
        for leak in ["hunter2", "104", "0x68", "[104"] {
            assert!(!shown.contains(leak), "{shown}");
        }
        assert_eq!(credentials.password.expose(), b"hunter2");
    }

    #[test]
    fn a_secret_can_be_wiped() {
        let mut secret = Secret::from("hunter2".to_owned());
        assert_eq!(secret.len(), 7);
        secret.zeroize();
        assert!(secret.is_empty());
    }
}
