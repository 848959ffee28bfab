//! Boot parameters, §28.13 table 28-14.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{BootAgents, BootFlags, BootInitiatorInfo, BootMailbox, KeepBootFlags, bit};

/// Number of a boot parameter: seven bits.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct BootParameter(u8);

impl BootParameter {
    /// Set in progress.
    pub const SET_IN_PROGRESS: Self = Self(0);
    /// Which service partition to boot.
    pub const PARTITION_SELECTOR: Self = Self(1);
    /// Whether to look for a service partition.
    pub const PARTITION_SCAN: Self = Self(2);
    /// When the BMC must not clear the valid bit of the boot flags.
    pub const VALID_BIT_CLEARING: Self = Self(3);
    /// Which agents have handled the boot.
    pub const INFO_ACKNOWLEDGE: Self = Self(4);
    /// Boot flags.
    pub const FLAGS: Self = Self(5);
    /// Who has asked for the boot.
    pub const INITIATOR_INFO: Self = Self(6);
    /// Messages of who has asked for the boot.
    pub const INITIATOR_MAILBOX: Self = Self(7);

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
    /// Parameter 1: which service partition to boot; 0 is unspecified.
    PartitionSelector(u8),
    /// Parameter 2: the firmware's search for service partitions.
    PartitionScan {
        /// Whether it shall look for one.
        requested: bool,
        /// Whether it has found one.
        discovered: bool,
    },
    /// Parameter 3: which events leave the boot flags valid.
    ValidBitClearing(KeepBootFlags),
    /// Parameter 4: which agents have handled the boot.
    InfoAcknowledge {
        /// Which bits of `data` are written; 0 when read.
        mask: BootAgents,
        /// The agents.
        data: BootAgents,
    },
    /// Parameter 5.
    Flags(BootFlags),
    /// Parameter 6: who has asked for the boot.
    InitiatorInfo(BootInitiatorInfo),
    /// Parameter 7: a block of a message from who has asked for the boot.
    InitiatorMailbox(BootMailbox),
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
    /// Value of [`BootOption::SetInProgress`]: write all at once; optional.
    pub const SET_COMMIT: Self = Self::SetInProgress(2);
    /// Value of [`BootOption::ValidBitClearing`]: keep the flags valid for longer than 60 seconds.
    pub const KEEP_AFTER_TIMEOUT: Self = Self::ValidBitClearing(KeepBootFlags::AFTER_TIMEOUT);
    const LOCKED: u8 = 0x80;
    const SCAN_REQUESTED: u8 = 0x02;
    const SCAN_DISCOVERED: u8 = 0x01;

    /// The parameter's number.
    pub fn parameter(&self) -> BootParameter {
        match self {
            Self::SetInProgress(_) => BootParameter::SET_IN_PROGRESS,
            Self::PartitionSelector(_) => BootParameter::PARTITION_SELECTOR,
            Self::PartitionScan { .. } => BootParameter::PARTITION_SCAN,
            Self::ValidBitClearing(_) => BootParameter::VALID_BIT_CLEARING,
            Self::InfoAcknowledge { .. } => BootParameter::INFO_ACKNOWLEDGE,
            Self::Flags(_) => BootParameter::FLAGS,
            Self::InitiatorInfo(_) => BootParameter::INITIATOR_INFO,
            Self::InitiatorMailbox(_) => BootParameter::INITIATOR_MAILBOX,
            Self::Other { parameter, .. } => *parameter,
        }
    }

    /// Reads selector and data up to the end; also whether the parameter is locked.
    pub(crate) fn decode(r: &mut Reader<'_>) -> Result<(bool, Self), DecodeError> {
        let selector = r.u8("parameter selector")?;
        let option = match BootParameter::new(selector) {
            BootParameter::SET_IN_PROGRESS => Self::SetInProgress(r.u8("set in progress")?),
            BootParameter::PARTITION_SELECTOR => {
                Self::PartitionSelector(r.u8("service partition selector")?)
            }
            BootParameter::PARTITION_SCAN => {
                let scan = r.u8("service partition scan")?;
                Self::PartitionScan {
                    requested: scan & Self::SCAN_REQUESTED != 0,
                    discovered: scan & Self::SCAN_DISCOVERED != 0,
                }
            }
            BootParameter::VALID_BIT_CLEARING => Self::ValidBitClearing(KeepBootFlags::decode(r)?),
            BootParameter::INFO_ACKNOWLEDGE => Self::InfoAcknowledge {
                mask: BootAgents::new(r.u8("write mask")?),
                data: BootAgents::new(r.u8("boot initiator acknowledge data")?),
            },
            BootParameter::FLAGS => Self::Flags(BootFlags::decode(r)?),
            BootParameter::INITIATOR_INFO => Self::InitiatorInfo(BootInitiatorInfo::decode(r)?),
            BootParameter::INITIATOR_MAILBOX => Self::InitiatorMailbox(BootMailbox::decode(r)?),
            parameter => Self::Other {
                parameter,
                data: r.rest().to_vec(),
            },
        };
        Ok((selector & Self::LOCKED != 0, option))
    }

    pub(crate) fn encode(&self, locked: bool, out: &mut impl BufMut) {
        out.put_u8(self.parameter().value() | bit(locked, Self::LOCKED));
        match self {
            Self::SetInProgress(value) | Self::PartitionSelector(value) => out.put_u8(*value),
            Self::PartitionScan {
                requested,
                discovered,
            } => out.put_u8(
                bit(*requested, Self::SCAN_REQUESTED) | bit(*discovered, Self::SCAN_DISCOVERED),
            ),
            Self::ValidBitClearing(keep) => keep.encode(out),
            Self::InfoAcknowledge { mask, data } => {
                out.put_slice(&[mask.value(), data.value()]);
            }
            Self::Flags(flags) => flags.encode(out),
            Self::InitiatorInfo(info) => info.encode(out),
            Self::InitiatorMailbox(block) => block.encode(out),
            Self::Other { data, .. } => out.put_slice(data),
        }
    }
}
