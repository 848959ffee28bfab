//! `bmc boot`.

use async_trait::async_trait;
use bmc_core::{
    BootDevice, BootMode, BootOverride, BootReading, GetBootOverride, Persistence, SetBootOverride,
};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum Boot {
    /// Read the boot override
    Get(Targets),
    /// Boot from a device, next time only unless --persistent
    Set(Set),
    /// Remove the boot override
    Clear(Targets),
}

#[derive(Debug, clap::Args)]
pub struct Set {
    #[arg(value_name = "DEVICE", value_parser = device())]
    device: BootDevice,
    /// Until it is changed
    #[arg(long)]
    persistent: bool,
    /// Boot by UEFI
    #[arg(long, conflicts_with = "legacy")]
    efi: bool,
    /// Boot by BIOS (the default)
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    of: Targets,
}

impl Boot {
    /// The override that it asks for, if it asks for one.
    fn wanted(&self) -> Option<BootOverride> {
        match self {
            Self::Get(_) => None,
            Self::Clear(_) => Some(BootOverride::once(BootDevice::None)),
            Self::Set(set) => Some(BootOverride {
                device: set.device,
                persistence: match set.persistent {
                    true => Persistence::Persistent,
                    false => Persistence::Once,
                },
                mode: match set.efi {
                    true => BootMode::Efi,
                    false => BootMode::Legacy,
                },
            }),
        }
    }
}

#[async_trait(?Send)]
impl Request for Boot {
    fn name(&self) -> &'static str {
        match self {
            Self::Get(_) => "boot get",
            Self::Set(_) => "boot set",
            Self::Clear(_) => "boot clear",
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Get(of) | Self::Clear(of) => &of.targets,
            Self::Set(set) => &set.of.targets,
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        match self.wanted() {
            Some(wanted) => {
                let accepted = |()| Answer::accepted();
                call.ask(SetBootOverride(wanted), accepted).await
            }
            None => {
                call.ask(GetBootOverride, |reading| {
                    Answer::new("boot", &reading, words(&reading))
                })
                .await
            }
        }
    }
}

fn words(reading: &BootReading) -> String {
    if reading.valid {
        reading.settings.to_string()
    } else {
        "none".into()
    }
}

/// Every device but "none", which is `boot clear`.
fn device() -> impl TypedValueParser<Value = BootDevice> {
    let words = BootDevice::ALL
        .iter()
        .filter(|device| **device != BootDevice::None);
    PossibleValuesParser::new(words.map(|device| device.as_str()))
        .try_map(|word| word.parse::<BootDevice>())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(subcommand)]
        boot: Boot,
    }

    fn parse(line: &str) -> Result<Option<BootOverride>, clap::Error> {
        Line::try_parse_from(line.split(' ')).map(|line| line.boot.wanted())
    }

    #[test]
    fn words_become_an_override() {
        let wanted = |line| parse(line).unwrap().map(|wanted| wanted.to_string());
        let set = wanted("boot set pxe --persistent --efi a");
        assert_eq!(set.as_deref(), Some("pxe persistent efi"));
        assert_eq!(wanted("boot clear a").as_deref(), Some("none once legacy"));
        assert_eq!(wanted("boot get a"), None);
        for wrong in ["boot set none a", "boot set pxe --efi --legacy a"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
