//! LAN configuration commands.

use crate::command::{
    ArpSuspension, ConfigurationData, GetIpStatistics, GetLanConfiguration, IpStatistics,
    SetLanConfiguration, SuspendArps, THIS_CHANNEL,
};
use crate::sim::dispatch::Call;
use crate::sim::{LAN_CHANNEL, Sim};
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn lan_configuration(
        &mut self,
        _: Call,
        command: GetLanConfiguration,
    ) -> Result<ConfigurationData, CompletionCode> {
        lan(command.channel)?;
        let data = match command.revision_only {
            true => Vec::new(),
            false => {
                let suites = &self.settings.suites;
                self.lan.data(command.parameter, command.set, suites)?
            }
        };
        Ok(ConfigurationData {
            revision: ConfigurationData::REVISION,
            data,
        })
    }

    pub(in crate::sim) fn set_lan_configuration(
        &mut self,
        call: Call,
        command: SetLanConfiguration,
    ) -> Result<(), CompletionCode> {
        lan(command.channel)?;
        if call.ignore {
            return Ok(());
        }
        self.lan.set(&command.setting)
    }

    pub(in crate::sim) fn suspend_arps(
        &mut self,
        _: Call,
        command: SuspendArps,
    ) -> Result<ArpSuspension, CompletionCode> {
        lan(command.channel)?;
        self.lan.arps = command.suspended;
        Ok(command.suspended)
    }

    pub(in crate::sim) fn ip_statistics(
        &mut self,
        _: Call,
        command: GetIpStatistics,
    ) -> Result<IpStatistics, CompletionCode> {
        lan(command.channel)?;
        let statistics = self.lan.statistics;
        if command.clear {
            self.lan.statistics = IpStatistics::default();
        }
        Ok(statistics)
    }
}

/// Only the LAN channel has a LAN configuration.
pub(super) fn lan(channel: u8) -> Result<(), CompletionCode> {
    match channel {
        LAN_CHANNEL | THIS_CHANNEL => Ok(()),
        _ => Err(CompletionCode::INVALID_DATA_FIELD),
    }
}
