//! Set System Boot Options, §28.12, and the boot parameters, §28.13 table 28-14.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::BootFlags;
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Writes one boot parameter.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetSystemBootOptions {
    /// Whether to mark the parameter invalid or locked.
    pub locked: bool,
    /// The parameter.
    pub option: BootOption,
}

impl SetSystemBootOptions {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    /// Completion code: somebody else is setting parameters.
    pub const SET_IN_PROGRESS: CompletionCode = CompletionCode(0x81);
    /// Completion code: the parameter can only be read.
    pub const READ_ONLY: CompletionCode = CompletionCode(0x82);

    /// Writes `option` without locking it.
    pub fn new(option: BootOption) -> Self {
        let locked = false;
        Self { locked, option }
    }
}

impl Wire for SetSystemBootOptions {
    const NAME: &'static str = "Set System Boot Options";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (locked, option) = BootOption::decode(r)?;
        Ok(Self { locked, option })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.option.encode(self.locked, out);
    }
}

impl Command for SetSystemBootOptions {
    type Response = ();
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x08;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

/// Number of a boot parameter: seven bits.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct BootParameter(u8);

impl BootParameter {
    /// Set in progress.
    pub const SET_IN_PROGRESS: Self = Self(0);
    /// When the BMC must not clear the valid bit of the boot flags.
    pub const VALID_BIT_CLEARING: Self = Self(3);
    /// Which agents have handled the boot.
    pub const INFO_ACKNOWLEDGE: Self = Self(4);
    /// Boot flags.
    pub const FLAGS: Self = Self(5);

    /// The number in the low seven bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x7f)
    }

    /// The seven bits.
    pub const fn value(self) -> u8 {
        self.0
    }
}

/// A boot parameter and its value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum BootOption {
    /// Parameter 0: 0 set complete, 1 set in progress, 2 commit write.
    SetInProgress(u8),
    /// Parameter 3: which events must *not* clear the valid bit. \[4\] PEF, \[3\] 60 seconds without a chassis control,
    /// \[2\] watchdog, \[1\] reset button, \[0\] power button.
    ValidBitClearing(u8),
    /// Parameter 4: which agents have handled the boot, one bit each.
    InfoAcknowledge {
        /// Which bits of `data` are written.
        mask: u8,
        /// The bits; 1 is handled.
        data: u8,
    },
    /// Parameter 5.
    Flags(BootFlags),
    /// Any other parameter.
    Other {
        /// Its number.
        parameter: BootParameter,
        /// Its data.
        data: Vec<u8>,
    },
}

impl BootOption {
    /// Value of [`BootOption::SetInProgress`]: set complete.
    pub const SET_COMPLETE: Self = Self::SetInProgress(0);
    /// Value of [`BootOption::SetInProgress`]: set in progress.
    pub const SET_BEGUN: Self = Self::SetInProgress(1);
    /// Value of [`BootOption::ValidBitClearing`]: keep the flags valid for longer than 60 seconds.
    pub const KEEP_AFTER_TIMEOUT: Self = Self::ValidBitClearing(0x08);
    const LOCKED: u8 = 0x80;

    /// The parameter's number.
    pub fn parameter(&self) -> BootParameter {
        match self {
            Self::SetInProgress(_) => BootParameter::SET_IN_PROGRESS,
            Self::ValidBitClearing(_) => BootParameter::VALID_BIT_CLEARING,
            Self::InfoAcknowledge { .. } => BootParameter::INFO_ACKNOWLEDGE,
            Self::Flags(_) => BootParameter::FLAGS,
            Self::Other { parameter, .. } => *parameter,
        }
    }

    /// Reads selector and data up to the end; also whether the parameter is locked.
    pub(crate) fn decode(r: &mut Reader<'_>) -> Result<(bool, Self), DecodeError> {
        let selector = r.u8("parameter selector")?;
        let option = match BootParameter::new(selector) {
            BootParameter::SET_IN_PROGRESS => Self::SetInProgress(r.u8("set in progress")?),
            BootParameter::VALID_BIT_CLEARING => {
                Self::ValidBitClearing(r.u8("valid bit clearing")?)
            }
            BootParameter::INFO_ACKNOWLEDGE => Self::InfoAcknowledge {
                mask: r.u8("write mask")?,
                data: r.u8("boot initiator acknowledge data")?,
            },
            BootParameter::FLAGS => Self::Flags(BootFlags::decode(r)?),
            parameter => Self::Other {
                parameter,
                data: r.rest().to_vec(),
            },
        };
        Ok((selector & Self::LOCKED != 0, option))
    }

    pub(crate) fn encode(&self, locked: bool, out: &mut impl BufMut) {
        let locked = if locked { Self::LOCKED } else { 0 };
        out.put_u8(self.parameter().value() | locked);
        match self {
            Self::SetInProgress(value) | Self::ValidBitClearing(value) => out.put_u8(*value),
            Self::InfoAcknowledge { mask, data } => out.put_slice(&[*mask, *data]),
            Self::Flags(flags) => flags.encode(out),
            Self::Other { data, .. } => out.put_slice(data),
        }
    }
}
