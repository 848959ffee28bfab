//! User names: at most 16 bytes of any kind.

use std::fmt;

/// A user name as RAKP Message 1 carries it.
#[derive(Clone, Copy, Default, Eq, PartialEq)]
pub struct Username {
    bytes: [u8; Self::MAX],
    length: u8,
}

impl Username {
    /// Longest name in bytes, §13.20.
    pub const MAX: usize = Self::LENGTH as usize;
    const LENGTH: u8 = 16;

    /// A name of at most [`Username::MAX`] bytes; `None` if there are more.
    pub fn new(name: &[u8]) -> Option<Self> {
        let mut bytes = [0; Self::MAX];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        let length = u8::try_from(name.len()).ok()?;
        Some(Self { bytes, length })
    }

    /// The name, without padding.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }

    /// The name with zeroes behind it, up to the greatest length.
    #[must_use]
    pub fn padded(mut self) -> Self {
        self.length = Self::LENGTH;
        self
    }

    /// The name without zeroes behind it.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        while let [.., 0] = self.as_bytes() {
            self.length -= 1;
        }
        self
    }

    /// Number of bytes.
    pub fn length(&self) -> u8 {
        self.length
    }
}

impl fmt::Debug for Username {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Username({:?})",
            String::from_utf8_lossy(self.as_bytes())
        )
    }
}
