//! Get LAN Configuration Parameters, §23.2.

use crate::codec::{DecodeError, Reader};
use crate::command::{
    ChannelParameter, ConfigurationParameter, GetConfiguration, LanParameter, LanSetting,
};
use crate::wire::Privilege;

/// Reads one LAN configuration parameter.
pub type GetLanConfiguration = GetConfiguration<LanParameter>;

impl ConfigurationParameter for LanParameter {
    type Setting = LanSetting;

    fn read(self, data: &[u8]) -> Result<LanSetting, DecodeError> {
        LanSetting::decode(self, &mut Reader::new("LAN configuration parameter", data))
    }
}

impl ChannelParameter for LanParameter {
    const GET: &'static str = "Get LAN Configuration Parameters";
    const GET_CMD: u8 = 0x02;
    const GET_PRIVILEGE: Privilege = Privilege::OPERATOR;

    fn new(number: u8) -> Self {
        Self(number)
    }

    fn number(self) -> u8 {
        self.0
    }
}
