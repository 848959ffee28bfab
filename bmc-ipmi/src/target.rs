//! Where a command goes: the BMC, one of its other LUNs, or a controller behind it, §6.13.

use std::fmt;

/// Where a command goes. The default is the BMC itself, LUN 0.
///
/// ```
/// use bmc_ipmi::Target;
///
/// let hot_swap = Target::satellite(0, 0xc0)?; // controller C0h on the IPMB
/// let blade = Target::satellite(7, 0x72)?.behind(0, 0x82)?; // 72h on channel 7 of controller 82h
/// assert_eq!(blade.to_string(), "72h on channel 7 behind 82h on channel 0");
/// let oem = Target::BMC.at_lun(1)?;
/// assert!(Target::BMC.at_lun(4).is_err());
/// # Ok::<(), bmc_ipmi::TargetError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Target {
    lun: u8,
    bridge: Option<Bridge>,
}

/// The way to a controller that is not the BMC.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Bridge {
    destination: Hop,
    transit: Option<Hop>,
}

/// One controller on the way.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Hop {
    channel: u8,
    address: u8,
}

/// A target that cannot exist. The text names the field and what is allowed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A LUN has two bits.
    #[error("LUN {0} does not exist: use 0 to 3")]
    Lun(u8),
    /// A channel number has four bits.
    #[error("channel {0} does not exist: use 0 to 15")]
    Channel(u8),
    /// Slave addresses are even, as the lowest bit belongs to the bus.
    #[error("slave address {0:#04x} is not possible: use an even number from 0x02 to 0xfe")]
    Address(u8),
    /// The way to it would start at the BMC itself.
    #[error("only a satellite can be behind another controller: name the satellite first")]
    NoSatellite,
}

impl Target {
    /// The BMC itself, LUN 0.
    pub const BMC: Self = Self {
        lun: 0,
        bridge: None,
    };

    /// The controller with the slave address `address` (eight bits, even) on `channel` of the BMC, LUN 0.
    ///
    /// # Errors
    /// Channel or address cannot exist.
    pub fn satellite(channel: u8, address: u8) -> Result<Self, TargetError> {
        let destination = Hop::new(channel, address)?;
        Ok(Self {
            lun: 0,
            bridge: Some(Bridge {
                destination,
                transit: None,
            }),
        })
    }

    /// The same satellite, but on a channel of another controller: that with the slave address `address` on `channel`
    /// of the BMC.
    ///
    /// # Errors
    /// Channel or address cannot exist, or this is no satellite.
    pub fn behind(self, channel: u8, address: u8) -> Result<Self, TargetError> {
        let bridge = self.bridge.ok_or(TargetError::NoSatellite)?;
        let transit = Some(Hop::new(channel, address)?);
        Ok(Self {
            bridge: Some(Bridge { transit, ..bridge }),
            ..self
        })
    }

    /// Another LUN of the same controller.
    ///
    /// # Errors
    /// It is none of 0 to 3.
    pub fn at_lun(self, lun: u8) -> Result<Self, TargetError> {
        if lun > 3 {
            return Err(TargetError::Lun(lun));
        }
        Ok(Self { lun, ..self })
    }

    /// The logical unit, 0 to 3.
    pub fn lun(self) -> u8 {
        self.lun
    }

    /// The way to the controller; `None` if it is the BMC.
    pub fn bridge(self) -> Option<Bridge> {
        self.bridge
    }

    /// The controllers on the way and the destination, nearest first.
    pub(crate) fn hops(self) -> impl Iterator<Item = Hop> {
        let transit = self.bridge.and_then(|bridge| bridge.transit);
        let destination = self.bridge.map(|bridge| bridge.destination);
        transit.into_iter().chain(destination)
    }
}

impl Bridge {
    /// The controller that executes the command.
    pub fn destination(self) -> Hop {
        self.destination
    }

    /// The controller that passes the command on behind the BMC.
    pub fn transit(self) -> Option<Hop> {
        self.transit
    }
}

impl Hop {
    fn new(channel: u8, address: u8) -> Result<Self, TargetError> {
        if channel > 15 {
            return Err(TargetError::Channel(channel));
        }
        if address == 0 || address & 1 == 1 {
            return Err(TargetError::Address(address));
        }
        Ok(Self { channel, address })
    }

    /// The channel that it is on.
    pub fn channel(self) -> u8 {
        self.channel
    }

    /// Its slave address, eight bits.
    pub fn address(self) -> u8 {
        self.address
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bridge {
            None => f.write_str("the BMC")?,
            Some(bridge) => {
                bridge.destination.fmt(f)?;
                if let Some(transit) = bridge.transit {
                    write!(f, " behind {transit}")?;
                }
            }
        }
        match self.lun {
            0 => Ok(()),
            lun => write!(f, ", LUN {lun}"),
        }
    }
}

impl fmt::Display for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X}h on channel {}", self.address, self.channel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_targets_are_refused_by_name() {
        for (target, text) in [
            (
                Target::satellite(16, 0x20),
                "channel 16 does not exist: use 0 to 15",
            ),
            (
                Target::satellite(0, 0x21),
                "slave address 0x21 is not possible: use an even number from 0x02 to 0xfe",
            ),
            (Target::BMC.at_lun(4), "LUN 4 does not exist: use 0 to 3"),
            (
                Target::BMC.behind(0, 0x82),
                "only a satellite can be behind another controller: name the satellite first",
            ),
        ] {
            assert_eq!(target.map_err(|error| error.to_string()), Err(text.into()));
        }
    }
}
