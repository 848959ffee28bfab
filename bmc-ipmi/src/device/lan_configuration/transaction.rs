//! Writing several parameters between "set in progress" and "set complete".

use tokio::time::Instant;

use super::LanConfiguration;
use crate::command::{Ipv4Source, LanSetting, SetLanConfiguration};
use crate::device::DeviceError;
use crate::error::Error;

impl LanConfiguration {
    /// Writes what is not so yet, in the order given, and reads it back.
    pub(super) async fn transact(
        &self,
        wanted: &[LanSetting],
        deadline: Instant,
    ) -> Result<(), Error> {
        let mut changes = Vec::new();
        for setting in wanted {
            if !self.is_so(setting, deadline).await?.unwrap_or(false) {
                changes.push(setting.clone());
            }
        }
        if changes.is_empty() {
            return Ok(());
        }
        self.begin(deadline).await?;
        let written = self.write_all(&changes, deadline).await;
        // Also after a failure, lest the BMC wait for the rest.
        let completed = self.write(&LanSetting::SET_COMPLETE, deadline).await;
        written?;
        completed.or_else(unless_unsupported)?;
        for setting in &changes {
            if self.is_so(setting, deadline).await? == Some(false) {
                let name = setting.parameter().name();
                return Err(DeviceError::LanNotKept(name).into());
            }
        }
        Ok(())
    }

    async fn write_all(&self, changes: &[LanSetting], deadline: Instant) -> Result<(), Error> {
        let mut is_static = false;
        for setting in changes {
            match self.write(setting, deadline).await {
                // Some take no address while another source is in force.
                Err(error) if is_refused(&error) && !is_static && is_by_hand(setting) => {
                    is_static = true;
                    let source = LanSetting::Ipv4Source(Ipv4Source::STATIC);
                    self.write(&source, deadline).await?;
                    self.write(setting, deadline).await?;
                }
                result => result?,
            }
        }
        Ok(())
    }

    /// BMCs without this parameter have no such order.
    async fn begin(&self, deadline: Instant) -> Result<(), Error> {
        let mut begun = self.write(&LanSetting::SET_BEGUN, deadline).await;
        if let Err(Error::NoReply { .. }) = begun {
            // It may have begun for us: end that, and begin again.
            self.write(&LanSetting::SET_COMPLETE, deadline).await?;
            begun = self.write(&LanSetting::SET_BEGUN, deadline).await;
        }
        match begun {
            Err(error) if error.completion() == Some(SetLanConfiguration::SET_IN_PROGRESS) => {
                Err(DeviceError::Busy("LAN configuration").into())
            }
            result => result.or_else(unless_unsupported),
        }
    }

    async fn write(&self, setting: &LanSetting, deadline: Instant) -> Result<(), Error> {
        let command = SetLanConfiguration {
            channel: self.channel,
            setting: setting.clone(),
        };
        self.client.execute(&command, deadline).await
    }

    /// Whether a parameter has this value; `None` if that cannot be known.
    async fn is_so(&self, setting: &LanSetting, deadline: Instant) -> Result<Option<bool>, Error> {
        let set = set_of(setting);
        let now = self.get(setting.parameter(), set, deadline).await?;
        Ok(now.map(|now| comparable(now) == comparable(setting.clone())))
    }
}

/// What the BMC says of a value, and what is only filling, does not count.
fn comparable(setting: LanSetting) -> LanSetting {
    match setting {
        LanSetting::Ipv6StaticAddress(mut address) => {
            address.status = Default::default();
            LanSetting::Ipv6StaticAddress(address)
        }
        LanSetting::VlanId(vlan) if !vlan.enabled => LanSetting::VlanId(Default::default()),
        other => other,
    }
}

/// The number of the setting, where there are several.
fn set_of(setting: &LanSetting) -> u8 {
    let mut data = Vec::new();
    setting.encode(&mut data);
    match data.first() {
        Some(set) if setting.parameter().has_sets() => *set,
        _ => 0,
    }
}

fn is_by_hand(setting: &LanSetting) -> bool {
    matches!(
        setting,
        LanSetting::Ipv4Address(_) | LanSetting::SubnetMask(_) | LanSetting::Gateway(_)
    )
}

fn is_refused(error: &Error) -> bool {
    error.completion().is_some()
}

fn unless_unsupported(error: Error) -> Result<(), Error> {
    match error.completion() {
        Some(SetLanConfiguration::UNSUPPORTED) => Ok(()),
        _ => Err(error),
    }
}
