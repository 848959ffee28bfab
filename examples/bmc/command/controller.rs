//! Options that say which controller behind the address an IPMI command is for.

use bmc_ipmi::{Target, TargetError};

use super::raw::byte;

#[derive(Clone, Debug, clap::Args)]
pub struct Controller {
    /// A satellite controller on a bus of the BMC, such as 0/0x2c
    #[arg(long, value_name = "CHANNEL/ADDRESS", value_parser = hop)]
    satellite: Option<(u8, u8)>,
    /// The controller on a bus of the BMC that the satellite is behind
    #[arg(long, value_name = "CHANNEL/ADDRESS", value_parser = hop, requires = "satellite")]
    behind: Option<(u8, u8)>,
    /// The controller's logical unit
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3))]
    lun: u8,
}

impl Controller {
    pub fn target(&self) -> Target {
        self.checked().unwrap_or_default()
    }

    fn checked(&self) -> Result<Target, TargetError> {
        let mut target = Target::BMC;
        if let Some((channel, address)) = self.satellite {
            target = Target::satellite(channel, address)?;
        }
        if let Some((channel, address)) = self.behind {
            target = target.behind(channel, address)?;
        }
        target.at_lun(self.lun)
    }
}

/// A channel and a slave address that can exist.
fn hop(text: &str) -> Result<(u8, u8), String> {
    let (channel, address) = text
        .split_once('/')
        .ok_or("expected CHANNEL/ADDRESS, such as 0/0x2c")?;
    let (channel, address) = (byte(channel)?, byte(address)?);
    Target::satellite(channel, address)
        .map(|_| (channel, address))
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        controller: Controller,
    }

    fn parse(line: &str) -> Result<String, clap::Error> {
        let line = Line::try_parse_from(line.split(' '))?;
        Ok(line.controller.checked().unwrap().to_string())
    }

    #[test]
    fn words_name_a_controller() {
        let line = "raw --satellite 7/0x72 --behind 0/0x82 --lun 1";
        let wanted = Target::satellite(7, 0x72).unwrap().behind(0, 0x82).unwrap();
        assert_eq!(parse(line).unwrap(), wanted.at_lun(1).unwrap().to_string());
        assert_eq!(parse("raw").unwrap(), Target::BMC.to_string());
        for wrong in [
            "raw --behind 0/0x82",
            "raw --satellite 0/0x83",
            "raw --satellite 16/0x82",
            "raw --satellite 0x82",
            "raw --lun 4",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
