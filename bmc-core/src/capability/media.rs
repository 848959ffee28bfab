//! Virtual media: an image somewhere on the network that the host sees as a drive.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::vocabulary::{UnknownWord, word};

/// Inserts and ejects virtual media. A BMC has at most one medium of a kind.
#[async_trait]
pub trait VirtualMedia: Send + Sync {
    /// What is inserted. [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) where the protocol has no such question.
    async fn media(&self, kind: MediaKind) -> Result<Option<MediaSource>, Error>;

    /// Inserts `source`, in place of what was inserted.
    async fn insert_media(&self, kind: MediaKind, source: &MediaSource) -> Result<(), Error>;

    /// Ejects what is inserted; succeeds when nothing is.
    async fn eject_media(&self, kind: MediaKind) -> Result<(), Error>;
}

/// The drive that a medium appears in. The words are those of Redfish and bmclib.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize,
)]
#[non_exhaustive]
pub enum MediaKind {
    /// Compact disc.
    #[default]
    #[serde(rename = "CD")]
    Cd,
    /// Digital versatile disc.
    #[serde(rename = "DVD")]
    Dvd,
    /// Floppy disc.
    Floppy,
    /// USB stick.
    #[serde(rename = "USBStick")]
    UsbStick,
}

word!(MediaKind, "media kind" { Cd => "CD", Dvd => "DVD", Floppy => "Floppy", UsbStick => "USBStick" });

/// Where the BMC fetches an image from: an absolute URL. A user name and a password in it are never printed.
#[derive(Clone, Eq, PartialEq)]
pub struct MediaSource(String);

/// Why a text is not a [`MediaSource`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum InvalidMediaSource {
    /// It does not begin with a scheme and `//`.
    #[error("media source is not an absolute URL such as https://server/image.iso")]
    NotAbsolute,
    /// It holds a blank or a control character.
    #[error("media source has a blank or control character at byte {0}; percent-encode it")]
    Character(usize),
}

impl MediaSource {
    /// The URL itself, with what may be secret in it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for MediaSource {
    type Err = InvalidMediaSource;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        let unfit = |c: char| c.is_whitespace() || c.is_control();
        if let Some(at) = url.find(unfit) {
            return Err(InvalidMediaSource::Character(at));
        }
        // RFC 3986 section 3.1.
        let is_scheme = |scheme: &str| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        };
        match url.split_once("://") {
            Some((scheme, rest)) if is_scheme(scheme) && !rest.is_empty() => {
                Ok(Self(url.to_owned()))
            }
            _ => Err(InvalidMediaSource::NotAbsolute),
        }
    }
}

impl fmt::Display for MediaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("", &self.0));
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        match authority.rfind('@').and_then(|at| rest.get(at..)) {
            Some(host_and_path) => write!(f, "{scheme}://..{host_and_path}"),
            None => f.write_str(&self.0),
        }
    }
}

impl fmt::Debug for MediaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MediaSource({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_urls_are_sources() {
        for url in [
            "https://10.0.0.1/boot.iso",
            "nfs://server/share/a.iso",
            "smb://u:p@h/x",
        ] {
            assert_eq!(url.parse::<MediaSource>().unwrap().expose(), url);
        }
        for url in ["", "boot.iso", "/boot.iso", "https://", "1x://a", "://a"] {
            assert_eq!(
                url.parse::<MediaSource>(),
                Err(InvalidMediaSource::NotAbsolute),
                "{url}"
            );
        }
        assert_eq!(
            "http://a/b c".parse::<MediaSource>(),
            Err(InvalidMediaSource::Character(10))
        );
    }

    #[test]
    fn credentials_are_not_printed() {
        let source: MediaSource = "smb://user:hunter2@nas/a@b.iso".parse().unwrap();
        assert_eq!(source.to_string(), "smb://..@nas/a@b.iso");
        assert!(!format!("{source:?}").contains("hunter2"));
    }
}
