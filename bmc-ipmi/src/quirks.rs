//! Deviations of BMCs from the specification that a console can live with, as data.
//!
//! | Quirk | The BMC | What the console does |
//! |---|---|---|
//! | `opensesspriv` | hashes the privilege of Open Session | asks for the exact privilege and never for "highest" |
//! | `highestpriv` | refuses an exact privilege in Open Session | asks for "highest" from the start |
//! | `nonameonly` | does not know the name-only look-up | leaves role bit 10h out of RAKP Message 1: the user's exact privilege is needed |
//! | `intelplus` | leaves role bit 10h out of RAKP Message 3, takes the integrity algorithm in RAKP Message 4 | does the same; without an integrity algorithm RAKP Message 4 has no proof |
//! | `i82571spt` | leaves role bit 10h out of all codes, wants 16 bytes of user name, has no Set Session Privilege Level | does the same |
//! | `intel20` | pads user names to 16 bytes except in RAKP Message 3, cuts passwords there for RAKP-HMAC-MD5 | does the same; includes `intelplus` |
//! | `supermicro20`, `sun20` | sends codes that are too long in RAKP Messages 2 and 4 | cuts them; `sun20` includes `opensesspriv` |
//! | `integritycheckvalue` | sends an integrity check value with suite 0 | ignores it |
//! | `icts` | leaves pad length and next header out when it pads packets | pads so, too |
//! | `nochecksumcheck` | sends wrong checksums in IPMI messages | does not check them, and warns once a login |
//! | `authcap` | lists wrong authentication types (v1.5) | asks for the configured one all the same |
//! | `nopermsg` | sends no AuthCode in an IPMI v1.5 session that it did not say so of in Activate Session | believes Get Channel Authentication Capabilities, which anybody can forge |
//! | `forcepermsg` | announces sessions without AuthCodes (v1.5) and wants them all the same | sends and expects them |
//! | `endianseq` | sends v1.5 session sequence numbers most significant byte first | reads them so |
//! | `idzero` | answers in a v1.5 session with session ID 0 | accepts that, where the AuthCode is right |
//! | `solpayloadsize` | reports impossible SOL payload sizes | takes the common one |
//! | `solport` | reports an impossible SOL port | uses the port of the session |
//!
//! Names are those of ipmitool (`-o`) and FreeIPMI (`-W`) where these have one.
//!
//! What needs no quirk, as it is always tolerated: session sequence numbers that skip or start anywhere, refusals in
//! wrong forms, privilege 0 in Open Session Response, wrong tags in lists of cipher suites, AuthCodes where none were
//! announced (`unexpectedauth`), bytes behind a response, no answer to Close Session, swapped addresses.
//!
//! What there is no quirk for: `noauthcodecheck` would believe anybody; the OEM authentication types (`supermicro`,
//! `quanta`) and the extra packets of `intelwv2` are for hardware that has long been gone and are described nowhere.

use std::fmt;
use std::str::FromStr;

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{DeviceId, GetDeviceId};
use crate::error::Error;

macro_rules! quirks {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// One deviation; the [module](self) says what each means.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum Quirk {
            $(#[doc = concat!("`", $name, "`.")] $(#[$doc])* $variant,)*
        }

        impl Quirk {
            /// All quirks.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name by which a user asks for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

quirks! {
    OpenSessionPrivilege = "opensesspriv";
    HighestPrivilege = "highestpriv";
    NoNameOnly = "nonameonly";
    IntelPlus = "intelplus";
    I82571Spt = "i82571spt";
    Intel20 = "intel20";
    Supermicro20 = "supermicro20";
    Sun20 = "sun20";
    IntegrityCheckValue = "integritycheckvalue";
    IntegrityPad = "icts";
    NoChecksumCheck = "nochecksumcheck";
    AuthCapabilities = "authcap";
    NoPerMessage = "nopermsg";
    ForcePerMessage = "forcepermsg";
    BigEndianSequence = "endianseq";
    SessionIdZero = "idzero";
    SolPayloadSize = "solpayloadsize";
    SolPort = "solport";
}

/// A set of quirks; empty by default.
///
/// ```
/// use bmc_ipmi::quirks::{Quirk, Quirks};
///
/// let quirks: Quirks = "opensesspriv, icts".parse()?;
/// assert!(quirks.has(Quirk::IntegrityPad) && !quirks.has(Quirk::SolPort));
/// assert_eq!(quirks.to_string(), "opensesspriv,icts");
/// # Ok::<(), bmc_ipmi::quirks::UnknownQuirk>(())
/// ```
#[derive(Clone, Copy, Default, Eq, PartialEq)]
pub struct Quirks(u32);

/// A name that no quirk has.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{name:?} is no quirk: use one of {}", names(Quirk::ALL.iter().copied()))]
pub struct UnknownQuirk {
    /// The name.
    pub name: String,
}

/// Enterprise numbers and product IDs whose quirks are known from FreeIPMI's lists.
const KNOWN: &[(u32, u16, Quirks)] = &[
    // Intel S5500WB and SR1625.
    (343, 62, STRICT_PRIVILEGE_AND_CHECK_VALUE),
    // Quanta QSSC-S4R under Intel's number.
    (343, 64, STRICT_PRIVILEGE),
    // Supermicro X8DT boards, which also come with number 47488.
    (10876, 43707, X8DT),
    (47488, 43707, X8DT),
    // Inventec 5441 and 5442: Dell Xanadu II and III.
    (20569, 51, STRICT_PRIVILEGE),
    (20569, 52, STRICT_PRIVILEGE),
];

const STRICT_PRIVILEGE: Quirks = Quirks::NONE.with(Quirk::OpenSessionPrivilege);
const STRICT_PRIVILEGE_AND_CHECK_VALUE: Quirks = STRICT_PRIVILEGE.with(Quirk::IntegrityCheckValue);
const X8DT: Quirks = STRICT_PRIVILEGE_AND_CHECK_VALUE.with(Quirk::SolPayloadSize);

impl Quirks {
    /// No quirks.
    pub const NONE: Self = Self(0);

    /// The quirks known of a product.
    ///
    /// Get Device ID needs a session, so this comes too late for the login that finds it out; it is for later logins and
    /// for what follows in the session. A provider looks it up by itself whenever it has read the device ID.
    pub fn of(device: &DeviceId) -> Self {
        let product = (device.manufacturer, device.product);
        let mut known = KNOWN.iter().filter(|(m, p, _)| (*m, *p) == product);
        known.next().map_or(Self::NONE, |(.., quirks)| *quirks)
    }

    /// Asks the BMC what it is, in a session, and looks its quirks up.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn detect(client: &Client, deadline: Instant) -> Result<Self, Error> {
        let device = client.execute(&GetDeviceId, deadline).await?;
        Ok(Self::of(&device))
    }

    /// These quirks and one more.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        let set = Self(self.0 | 1 << quirk as u32);
        match quirk {
            Quirk::Intel20 => set.with(Quirk::IntelPlus),
            Quirk::Sun20 => set.with(Quirk::OpenSessionPrivilege),
            _ => set,
        }
    }

    /// The quirks of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set has this quirk.
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & 1 << quirk as u32 != 0
    }

    /// Whether the set has no quirk.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The quirks in the set.
    pub fn iter(self) -> impl Iterator<Item = Quirk> {
        let all = Quirk::ALL.iter().copied();
        all.filter(move |quirk| self.has(*quirk))
    }
}

impl From<Quirk> for Quirks {
    fn from(quirk: Quirk) -> Self {
        Self::NONE.with(quirk)
    }
}

impl FromIterator<Quirk> for Quirks {
    fn from_iter<I: IntoIterator<Item = Quirk>>(quirks: I) -> Self {
        quirks.into_iter().fold(Self::NONE, Self::with)
    }
}

impl FromStr for Quirk {
    type Err = UnknownQuirk;

    fn from_str(name: &str) -> Result<Self, UnknownQuirk> {
        let mut all = Self::ALL.iter().copied();
        all.find(|quirk| quirk.name() == name)
            .ok_or_else(|| UnknownQuirk { name: name.into() })
    }
}

/// Names between commas; nothing at all is the empty set.
impl FromStr for Quirks {
    type Err = UnknownQuirk;

    fn from_str(names: &str) -> Result<Self, UnknownQuirk> {
        if names.trim().is_empty() {
            return Ok(Self::NONE);
        }
        names.split(',').map(|name| name.trim().parse()).collect()
    }
}

impl fmt::Display for Quirk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Quirks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, quirk) in self.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{quirk}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Quirks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Quirks({self})")
    }
}

fn names(quirks: impl Iterator<Item = Quirk>) -> String {
    quirks.map(Quirk::name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for quirk in Quirk::ALL {
            assert_eq!(quirk.name().parse(), Ok(*quirk));
        }
        assert_eq!("".parse(), Ok(Quirks::NONE));
        let text = "opensesspriv,sun20";
        assert_eq!("sun20".parse::<Quirks>().unwrap().to_string(), text);
        let error = "icts,sun30".parse::<Quirks>().unwrap_err().to_string();
        assert!(error.starts_with("\"sun30\" is no quirk: use one of opensesspriv, "));
    }

    #[test]
    fn products_are_known_by_manufacturer_and_number() {
        let mut device = DeviceId {
            device_id: 0x20,
            revision: 1,
            firmware_major: 1,
            firmware_minor: 0,
            ipmi_version: 2,
            support: 0,
            manufacturer: 10876,
            product: 43707,
            auxiliary: None,
        };
        assert!(Quirks::of(&device).has(Quirk::OpenSessionPrivilege));
        device.product = 1;
        assert!(Quirks::of(&device).is_empty());
    }
}
