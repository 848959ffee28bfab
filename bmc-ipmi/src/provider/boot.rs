//! The boot override.

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{
    BootControl, BootDevice, BootMode, BootOverride, BootReading, Error as CoreError, ErrorKind,
    Persistence,
};
use tokio::time::sleep;

use super::session::{IpmiSession, without_effect};
use crate::codec::{DecodeError, DecodeErrorKind, Wire};
use crate::command::{
    BootFlagDevice, BootFlags, BootOption, BootParameter, Command, GetSystemBootOptions,
    SetSystemBootOptions, SystemBootOptions,
};
use crate::error::Error;
use crate::proto::Request;
use crate::wire::CompletionCode;

/// The longest wait for a BMC that takes time to show what it has accepted; all waits take twice as long.
const SETTLES: Duration = Duration::from_millis(1600);
/// Bytes of a Get System Boot Options response before the parameter's data.
const RESPONSE_HEADER: usize = 2;

#[async_trait]
impl BootControl for IpmiSession {
    async fn boot_override(&self) -> Result<BootReading, CoreError> {
        self.boot_flags().await.map_err(without_effect)
    }

    async fn set_boot_override(&self, wanted: BootOverride) -> Result<(), CoreError> {
        let flags = flags_for(wanted)?;
        // Else a BMC forgets the override after 60 seconds without a chassis control.
        let keep = SetSystemBootOptions::new(BootOption::KEEP_AFTER_TIMEOUT);
        match self.change(&keep).await {
            Err(error) if !is_optional(&error) => return Err(without_effect(error)),
            _ => {}
        }
        let set = SetSystemBootOptions::new(BootOption::Flags(flags));
        self.change(&set).await?;
        self.confirm(wanted).await
    }
}

impl IpmiSession {
    async fn boot_flags(&self) -> Result<BootReading, Error> {
        let command = GetSystemBootOptions::new(BootParameter::FLAGS);
        let bytes = self
            .client()
            .raw(
                &Request::new(&command, &command.to_bytes()),
                self.deadline(),
            )
            .await?;
        let response = GetSystemBootOptions::decode_response(&bytes)?;
        let BootOption::Flags(flags) = response.option else {
            return Err(Error::Decode(DecodeError {
                message: SystemBootOptions::NAME,
                field: "parameter",
                kind: DecodeErrorKind::Value {
                    found: response.option.parameter().value().into(),
                    expected: BootParameter::FLAGS.value().into(),
                },
            }));
        };
        Ok(reading(
            &flags,
            bytes.get(RESPONSE_HEADER..).unwrap_or_default(),
        ))
    }

    /// Reads back what was accepted. The device must be there, perhaps after a while; a BMC that drops other flags is
    /// left to those who read the override. One that cannot be read is believed.
    async fn confirm(&self, wanted: BootOverride) -> Result<(), CoreError> {
        let mut pause = Duration::from_millis(100);
        loop {
            let Ok(seen) = self.boot_flags().await else {
                return Ok(());
            };
            let is_kept = match wanted.device {
                BootDevice::None => !seen.valid || seen.settings.device == BootDevice::None,
                device => seen.settings.device == device,
            };
            if is_kept {
                if wanted.device != BootDevice::None && (!seen.valid || seen.settings != wanted) {
                    tracing::warn!(%wanted, seen = %seen.settings, raw = seen.raw, "BMC dropped boot flags");
                }
                return Ok(());
            }
            if pause > SETTLES {
                let message = format!(
                    "BMC accepted boot {wanted}, but holds {} ({})",
                    seen.settings, seen.raw
                );
                return Err(CoreError::new(ErrorKind::Rejected, message));
            }
            sleep(pause).await;
            pause *= 2;
        }
    }
}

/// Whether the BMC says that it has no such parameter.
fn is_optional(error: &Error) -> bool {
    error.completion().is_some_and(|code| {
        matches!(
            code,
            SetSystemBootOptions::UNSUPPORTED
                | SetSystemBootOptions::READ_ONLY
                | CompletionCode::INVALID_COMMAND
                | CompletionCode::OUT_OF_RANGE
                | CompletionCode::INVALID_DATA_FIELD
        )
    })
}

pub(super) fn flags_for(wanted: BootOverride) -> Result<BootFlags, CoreError> {
    let device = match wanted.device {
        // No flag is valid: nothing is overridden.
        BootDevice::None => return Ok(BootFlags::default()),
        BootDevice::Pxe => BootFlagDevice::PXE,
        BootDevice::Disk => BootFlagDevice::DISK,
        BootDevice::Safe => BootFlagDevice::SAFE_MODE,
        BootDevice::Diag => BootFlagDevice::DIAGNOSTIC,
        BootDevice::Cdrom => BootFlagDevice::CDROM,
        BootDevice::Bios => BootFlagDevice::BIOS_SETUP,
        BootDevice::Floppy => BootFlagDevice::FLOPPY,
        BootDevice::RemoteDrive => BootFlagDevice::REMOTE_DISK,
        other => {
            return Err(CoreError::new(
                ErrorKind::Unsupported,
                format!("IPMI has no boot device {other}"),
            ));
        }
    };
    Ok(BootFlags {
        valid: true,
        persistent: wanted.persistence == Persistence::Persistent,
        efi: wanted.mode == BootMode::Efi,
        device,
        ..BootFlags::default()
    })
}

fn reading(flags: &BootFlags, bytes: &[u8]) -> BootReading {
    let device = match flags.device {
        BootFlagDevice::PXE => BootDevice::Pxe,
        BootFlagDevice::DISK => BootDevice::Disk,
        BootFlagDevice::SAFE_MODE => BootDevice::Safe,
        BootFlagDevice::DIAGNOSTIC => BootDevice::Diag,
        BootFlagDevice::CDROM | BootFlagDevice::REMOTE_CDROM => BootDevice::Cdrom,
        BootFlagDevice::BIOS_SETUP => BootDevice::Bios,
        BootFlagDevice::FLOPPY | BootFlagDevice::REMOTE_FLOPPY => BootDevice::Floppy,
        BootFlagDevice::REMOTE_DISK | BootFlagDevice::REMOTE_PRIMARY => BootDevice::RemoteDrive,
        _ => BootDevice::None,
    };
    BootReading {
        settings: BootOverride {
            device,
            persistence: if flags.persistent {
                Persistence::Persistent
            } else {
                Persistence::Once
            },
            mode: if flags.efi {
                BootMode::Efi
            } else {
                BootMode::Legacy
            },
        },
        valid: flags.valid,
        raw: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_device_of_ipmi_reads_back_as_it_was_set() {
        for device in BootDevice::ALL.iter().copied() {
            for persistence in Persistence::ALL.iter().copied() {
                for mode in BootMode::ALL.iter().copied() {
                    let wanted = BootOverride {
                        device,
                        persistence,
                        mode,
                    };
                    match flags_for(wanted) {
                        Ok(flags) if device == BootDevice::None => {
                            assert_eq!(flags.to_bytes(), [0; 5]);
                        }
                        Ok(flags) => {
                            let reading = reading(&flags, &flags.to_bytes());
                            assert_eq!(reading.settings, wanted);
                            assert!(reading.valid);
                        }
                        Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported),
                    }
                }
            }
        }
    }

    #[test]
    fn the_raw_bytes_are_kept() {
        let response = SystemBootOptions::from_prefix(&[1, 5, 0xe0, 4, 0, 0, 0]).unwrap();
        let BootOption::Flags(flags) = response.option else {
            unreachable!("parameter 5 is the boot flags");
        };
        assert_eq!(reading(&flags, &[0xe0, 4, 0, 0, 0]).raw, "e004000000");
    }
}
