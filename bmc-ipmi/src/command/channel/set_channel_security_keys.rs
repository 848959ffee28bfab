//! Set Channel Security Keys, §22.25.

use bmc_core::Secret;
use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Reads, sets or locks a key of the BMC.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetChannelSecurityKeys {
    /// The channel, four bits.
    pub channel: u8,
    /// Which key.
    pub key: ChannelKey,
    /// What to do.
    pub operation: KeyOperation,
}

/// Which key of the BMC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChannelKey(u8);

code_table! {
    ChannelKey, 0xff, "key":
    KR = 0, "random number key K_R";
    KG = 1, "key generation key K_G";
}

/// What [`SetChannelSecurityKeys`] does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum KeyOperation {
    /// Reads the key, which few BMCs allow.
    Read,
    /// Sets the key: 20 bytes, padded with zeroes.
    Set(Secret),
    /// Nobody can read or set the key any more.
    Lock,
}

impl SetChannelSecurityKeys {
    /// Completion code: the key is locked.
    pub const LOCKED: CompletionCode = CompletionCode(0x80);
    /// Completion code: the key is too short.
    pub const TOO_SHORT: CompletionCode = CompletionCode(0x81);
    /// Completion code: the key is too long.
    pub const TOO_LONG: CompletionCode = CompletionCode(0x82);
    /// Completion code: the key does not meet the BMC's criteria.
    pub const CRITERIA: CompletionCode = CompletionCode(0x83);
    /// Completion code: the BMC has no K_R.
    pub const NO_KR: CompletionCode = CompletionCode(0x84);
    /// Length of a key in bytes.
    pub const KEY: usize = 20;
    const READ: u8 = 0;
    const SET: u8 = 1;
    const LOCK: u8 = 2;

    /// Sets K_G, with which logins prove that they know the BMC; all zeroes mean that there is none.
    ///
    /// `None`: the key is longer than 20 bytes.
    pub fn set_kg(channel: u8, kg: Secret) -> Option<Self> {
        (kg.len() <= Self::KEY).then_some(Self {
            channel,
            key: ChannelKey::KG,
            operation: KeyOperation::Set(kg),
        })
    }
}

impl Wire for SetChannelSecurityKeys {
    const NAME: &'static str = "Set Channel Security Keys";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")? & 0x0f;
        let operation = r.u8("operation")? & 0x03;
        let key = ChannelKey::new(r.u8("key ID")?);
        let operation = match operation {
            Self::READ => KeyOperation::Read,
            Self::SET => KeyOperation::Set(key_field(r)?),
            Self::LOCK => KeyOperation::Lock,
            found => {
                let (found, expected) = (found.into(), Self::LOCK.into());
                return Err(r.error("operation", DecodeErrorKind::Value { found, expected }));
            }
        };
        Ok(Self {
            channel,
            key,
            operation,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let operation = match &self.operation {
            KeyOperation::Read => Self::READ,
            KeyOperation::Set(_) => Self::SET,
            KeyOperation::Lock => Self::LOCK,
        };
        out.put_slice(&[self.channel & 0x0f, operation, self.key.value()]);
        if let KeyOperation::Set(key) = &self.operation {
            put_key(key, out);
        }
    }
}

impl Command for SetChannelSecurityKeys {
    type Response = ChannelSecurityKeys;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x56;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

/// State of a key of the BMC.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ChannelSecurityKeys {
    /// Whether it can be changed.
    pub lock: KeyLock,
    /// The key, where it was read.
    pub key: Option<Secret>,
}

/// Whether a key can be changed: two bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KeyLock(u8);

code_table! {
    KeyLock, 0x03, "lock status":
    NOT_LOCKABLE = 0, "not lockable";
    LOCKED = 1, "locked";
    UNLOCKED = 2, "unlocked";
}

impl Wire for ChannelSecurityKeys {
    const NAME: &'static str = "Set Channel Security Keys response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        // BMCs that only set keys leave out everything behind the completion code.
        let lock = KeyLock::new(r.optional_u8("lock status")?.unwrap_or_default());
        let key = match r.remaining() {
            0 => None,
            _ => Some(key_field(r)?),
        };
        Ok(Self { lock, key })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.lock.value());
        if let Some(key) = &self.key {
            put_key(key, out);
        }
    }
}

fn key_field(r: &mut Reader<'_>) -> Result<Secret, DecodeError> {
    let key = r.take(SetChannelSecurityKeys::KEY, "key")?;
    Ok(Secret::new(key))
}

fn put_key(key: &Secret, out: &mut impl BufMut) {
    let key = key.expose();
    let length = key.len().min(SetChannelSecurityKeys::KEY);
    out.put_slice(key.get(..length).unwrap_or_default());
    out.put_bytes(0, SetChannelSecurityKeys::KEY - length);
}
