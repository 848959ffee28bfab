//! Why a procedure failed although the BMC answered each command.

use bmc_core::{Effect, ErrorKind};

use crate::command::UserId;
use crate::record::fru::{FruEncodeError, FruError};

/// Why a procedure failed although the BMC answered each command.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The device changes faster than it can be read.
    #[error("{0} changes all the time")]
    Unsteady(&'static str),
    /// The device was still busy at the deadline.
    #[error("{0} is busy")]
    Busy(&'static str),
    /// The BMC has none of what the procedure needs.
    #[error("BMC has no {0}")]
    Missing(&'static str),
    /// The BMC has accepted a password and still holds another one.
    #[error("BMC does not keep the new password of user {0}")]
    PasswordNotKept(UserId),
    /// The BMC has accepted a LAN configuration parameter, named here, and still holds another value.
    #[error("BMC does not keep the new value of \"{0}\"")]
    LanNotKept(&'static str),
    /// The BMC has accepted a SOL configuration parameter, numbered here, and still holds another value.
    #[error("BMC does not keep the new value of SOL configuration parameter {0}")]
    SolNotKept(u8),
    /// A FRU device holds no inventory.
    #[error(transparent)]
    Fru(#[from] FruError),
    /// An inventory cannot be written as bytes.
    #[error(transparent)]
    FruEncode(#[from] FruEncodeError),
    /// The bytes to write go beyond the end of the FRU device.
    #[error("FRU device {device} has {size} bytes; {end} were to be written")]
    FruSize {
        /// The FRU device ID.
        device: u8,
        /// Bytes that it has.
        size: usize,
        /// End of what was to be written.
        end: usize,
    },
    /// A FRU device that is written by words was to be written from or to the middle of one.
    #[error("FRU device {device} is written by words: offset and length must be even")]
    FruAlignment {
        /// The FRU device ID.
        device: u8,
    },
    /// What was written to a FRU device does not read back.
    #[error("FRU device {device} does not keep what was written at offset {offset}")]
    FruNotKept {
        /// The FRU device ID.
        device: u8,
        /// The first byte that differs.
        offset: usize,
    },
}

impl DeviceError {
    /// The class of the failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unsteady(_) | Self::Busy(_) => ErrorKind::Busy,
            Self::Fru(_) => ErrorKind::Protocol,
            Self::FruEncode(_) | Self::FruSize { .. } | Self::FruAlignment { .. } => {
                ErrorKind::InvalidInput
            }
            Self::Missing(_) => ErrorKind::NotFound,
            Self::FruNotKept { .. }
            | Self::PasswordNotKept(_)
            | Self::LanNotKept(_)
            | Self::SolNotKept(_) => ErrorKind::Rejected,
        }
    }

    /// Whether something may have changed.
    pub fn effect(&self) -> Effect {
        match self {
            Self::FruNotKept { .. }
            | Self::PasswordNotKept(_)
            | Self::LanNotKept(_)
            | Self::SolNotKept(_)
            | Self::Busy(_) => Effect::Unknown,
            _ => Effect::None,
        }
    }
}
