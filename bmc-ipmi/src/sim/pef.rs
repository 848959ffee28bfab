//! The platform event filters of the simulated BMC: what can be read of them. Nothing is filtered.

use std::collections::BTreeMap;

use crate::command::{EventReceiver, PefCapabilities, PefSetting};

/// What the BMC tells of its event filters.
#[derive(Clone, Debug, PartialEq)]
pub struct SimPef {
    /// What they can do. Default: all actions, no filter.
    pub capabilities: PefCapabilities,
    /// The last entries that software and the BMC processed. Default: none.
    pub processed: (u16, u16),
    /// Where the BMC sends its events. Default: to itself.
    pub receiver: EventReceiver,
    settings: BTreeMap<(u8, u8), PefSetting>,
}

impl Default for SimPef {
    fn default() -> Self {
        let mut pef = Self {
            capabilities: PefCapabilities {
                version: 0x51,
                actions: 0x2f,
                filters: 0,
            },
            processed: (0xffff, 0xffff),
            receiver: EventReceiver {
                address: 0x20,
                lun: 0,
            },
            settings: BTreeMap::new(),
        };
        for setting in [
            PefSetting::Control(0),
            PefSetting::Actions(0),
            PefSetting::StartupDelay(0),
            PefSetting::AlertStartupDelay(0),
            PefSetting::Filters(0),
            PefSetting::Policies(0),
            PefSetting::Strings(0),
        ] {
            pef.set(setting);
        }
        pef
    }
}

impl SimPef {
    /// Sets a parameter.
    pub fn set(&mut self, setting: PefSetting) {
        let set = match &setting {
            PefSetting::Filter { set, .. } | PefSetting::Policy { set, .. } => *set,
            _ => 0,
        };
        self.settings
            .insert((setting.parameter().value(), set), setting);
    }

    pub(crate) fn get(&self, parameter: u8, set: u8) -> Option<&PefSetting> {
        self.settings.get(&(parameter, set))
    }
}
