//! Get SOL Configuration Parameters, §26.3.

use crate::codec::{DecodeError, Reader};
use crate::command::{
    ChannelParameter, ConfigurationParameter, GetConfiguration, SolParameter, SolSetting,
};
use crate::wire::Privilege;

/// Reads one SOL configuration parameter.
pub type GetSolConfiguration = GetConfiguration<SolParameter>;

impl ConfigurationParameter for SolParameter {
    type Setting = SolSetting;

    fn read(self, data: &[u8]) -> Result<SolSetting, DecodeError> {
        SolSetting::decode(self, &mut Reader::new("SOL configuration parameter", data))
    }
}

impl ChannelParameter for SolParameter {
    const GET: &'static str = "Get SOL Configuration Parameters";
    const GET_CMD: u8 = 0x22;
    const GET_PRIVILEGE: Privilege = Privilege::USER;

    fn new(number: u8) -> Self {
        Self(number)
    }

    fn number(self) -> u8 {
        self.0
    }
}
