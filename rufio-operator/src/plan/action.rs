//! What an Action asks for, checked before anything is sent.

use std::fmt;

use bmc_core::{
    BootDevice, BootMode, BootOverride, InvalidMediaSource, MediaKind, MediaSource, Persistence,
    PowerAction, PowerState,
};

use crate::api::{self, Action, Connection, VirtualMediaAction};

/// A checked [`Action`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Step {
    /// Read the power state: done once it was read.
    ReadPower,
    /// Switch the power.
    Power(PowerAction),
    /// Set the boot override.
    Boot(BootField, BootOverride),
    /// Insert virtual media or, without a source, eject it.
    Media(MediaKind, Option<MediaSource>),
}

/// Which of the two boot fields was used; they fail in different words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BootField {
    /// `oneTimeBootDeviceAction`.
    OneTime,
    /// `bootDevice`.
    BootDevice,
}

/// Why an Action cannot be carried out; nothing was sent.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum InvalidAction {
    /// No field is set.
    #[error(
        "no action specified in Task, nothing to do: set one of powerAction, oneTimeBootDeviceAction, bootDevice, virtualMediaAction"
    )]
    Empty,
    /// More than one field is set.
    #[error(
        "{}: exactly one of powerAction, oneTimeBootDeviceAction, bootDevice, virtualMediaAction is allowed",
        .0.join(" and ")
    )]
    Several(Vec<&'static str>),
    /// A field has a value that does not exist.
    #[error("{field}: {reason}")]
    Field {
        /// Path below the Action.
        field: &'static str,
        /// What is allowed.
        reason: String,
    },
    /// No provider of this connection can do it.
    #[error(
        "failed to perform SetVirtualMedia: no provider for this connection can do it: {provider} has no virtual media; rpc has it, redfish would, and this build has none"
    )]
    NoVirtualMedia {
        /// The provider that the connection leads to.
        provider: &'static str,
    },
}

impl Step {
    /// Checks an Action.
    ///
    /// # Errors
    /// It has no field or several, or a field names what does not exist.
    pub fn of(action: &Action) -> Result<Self, InvalidAction> {
        let fields = [
            ("powerAction", action.power_action.is_some()),
            (
                "oneTimeBootDeviceAction",
                action.one_time_boot_device_action.is_some(),
            ),
            ("bootDevice", action.boot_device.is_some()),
            ("virtualMediaAction", action.virtual_media_action.is_some()),
        ];
        let set: Vec<_> = fields
            .iter()
            .filter_map(|(name, set)| set.then_some(*name))
            .collect();
        if set.len() > 1 {
            return Err(InvalidAction::Several(set));
        }
        if let Some(power) = action.power_action {
            return Ok(match power {
                api::PowerAction::Status => Self::ReadPower,
                api::PowerAction::On => Self::Power(PowerAction::On),
                api::PowerAction::Off => Self::Power(PowerAction::Off),
                api::PowerAction::Soft => Self::Power(PowerAction::Soft),
                api::PowerAction::Cycle => Self::Power(PowerAction::Cycle),
                api::PowerAction::Reset => Self::Power(PowerAction::Reset),
            });
        }
        if let Some(boot) = &action.one_time_boot_device_action {
            const FIELD: &str = "oneTimeBootDeviceAction.device";
            let first = boot.device.first();
            let device = device(FIELD, first.map_or("", String::as_str))?;
            let wanted = BootOverride {
                device,
                persistence: Persistence::Once,
                mode: mode(boot.efi_boot),
            };
            return Ok(Self::Boot(BootField::OneTime, wanted));
        }
        if let Some(boot) = &action.boot_device {
            let device = device("bootDevice.device", &boot.device)?;
            let wanted = BootOverride {
                device,
                persistence: if boot.persistent {
                    Persistence::Persistent
                } else {
                    Persistence::Once
                },
                mode: mode(boot.efi_boot),
            };
            return Ok(Self::Boot(BootField::BootDevice, wanted));
        }
        if let Some(media) = &action.virtual_media_action {
            return self::media(media);
        }
        Err(InvalidAction::Empty)
    }

    /// Checks an Action, and that it can be carried out over a connection, where that is known.
    ///
    /// # Errors
    /// As [`of`](Self::of), or no provider of the connection can do it.
    pub fn feasible(
        action: &Action,
        connection: Option<&Connection>,
    ) -> Result<Self, InvalidAction> {
        let step = Self::of(action)?;
        match connection {
            Some(to) if matches!(step, Self::Media(..)) && to.webhook().is_none() => {
                let provider = if to.switch().is_some() {
                    "homeassistant"
                } else {
                    "ipmi"
                };
                Err(InvalidAction::NoVirtualMedia { provider })
            }
            _ => Ok(step),
        }
    }

    /// The power state that proves the step.
    pub fn goal(&self) -> Option<PowerState> {
        match self {
            Self::Power(action) => action.goal(),
            _ => None,
        }
    }

    /// Whether sending it twice may do more than sending it once.
    pub fn is_one_shot(&self) -> bool {
        matches!(
            self,
            Self::Power(PowerAction::Cycle | PowerAction::Reset | PowerAction::Soft)
        )
    }

    /// Whether a host that was off or has waited boots because of it.
    pub(super) fn starts_host(&self) -> bool {
        matches!(
            self,
            Self::Power(PowerAction::On | PowerAction::Cycle | PowerAction::Reset)
        )
    }

    /// What Rufio says when the step fails.
    pub(super) fn failure_prefix(&self) -> &'static str {
        match self {
            Self::ReadPower | Self::Power(_) => "failed to perform PowerAction: ",
            Self::Boot(BootField::OneTime, _) => "failed to perform OneTimeBootDeviceAction: ",
            Self::Boot(BootField::BootDevice, _) => "failed to set BootDevice: ",
            Self::Media(..) => "failed to perform SetVirtualMedia: ",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadPower => f.write_str("power status"),
            Self::Power(action) => write!(f, "power {action}"),
            Self::Boot(_, wanted) => write!(f, "boot {wanted}"),
            Self::Media(kind, Some(source)) => write!(f, "media {kind} {source}"),
            Self::Media(kind, None) => write!(f, "media {kind} ejected"),
        }
    }
}

fn device(field: &'static str, text: &str) -> Result<BootDevice, InvalidAction> {
    let reason = if text.is_empty() {
        let words: Vec<_> = BootDevice::ALL
            .iter()
            .map(|device| device.as_str())
            .collect();
        format!("a device is required: one of {}", words.join(", "))
    } else {
        match text.parse() {
            Ok(device) => return Ok(device),
            Err(error) => format!("{error}"),
        }
    };
    Err(InvalidAction::Field { field, reason })
}

fn media(action: &VirtualMediaAction) -> Result<Step, InvalidAction> {
    let kind = action.kind.parse().map_err(|_| InvalidAction::Field {
        field: "virtualMediaAction.kind",
        reason: {
            let words = MediaKind::ALL.iter().map(|kind| kind.as_str());
            let words: Vec<_> = words.collect();
            format!("{:?} is none of {}", action.kind, words.join(", "))
        },
    })?;
    let source = match action.media_url.as_str() {
        "" => None,
        url => Some(
            url.parse()
                .map_err(|error: InvalidMediaSource| InvalidAction::Field {
                    field: "virtualMediaAction.mediaURL",
                    reason: error.to_string(),
                })?,
        ),
    };
    Ok(Step::Media(kind, source))
}

fn mode(efi: bool) -> BootMode {
    if efi { BootMode::Efi } else { BootMode::Legacy }
}
