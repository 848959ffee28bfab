//! Event and PEF commands.

use crate::command::{
    ConfigurationData, EventReceiver, GetEventReceiver, GetLastProcessedEventId,
    GetPefCapabilities, GetPefConfiguration, LastProcessedEvent, PefCapabilities, PetAcknowledge,
    PlatformEvent, SetEventReceiver,
};
use crate::record::sel::{Event, Generator, SelBody, SystemEvent};
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

/// Software ID of a remote console.
const REMOTE_CONSOLE: u8 = 0x40;

impl Sim {
    pub(in crate::sim) fn event_receiver(
        &mut self,
        _: Call,
        _: GetEventReceiver,
    ) -> Result<EventReceiver, CompletionCode> {
        Ok(self.pef.receiver)
    }

    pub(in crate::sim) fn set_event_receiver(
        &mut self,
        _: Call,
        command: SetEventReceiver,
    ) -> Result<(), CompletionCode> {
        self.pef.receiver = command.0;
        Ok(())
    }

    pub(in crate::sim) fn platform_event(
        &mut self,
        call: Call,
        command: PlatformEvent,
    ) -> Result<(), CompletionCode> {
        self.event_log.begin(call.now)?;
        let body = SelBody::System(SystemEvent {
            timestamp: self.event_log.time(call.now),
            generator: Generator::software(REMOTE_CONSOLE),
            revision: command.revision,
            event: Event {
                sensor_type: command.sensor_type,
                sensor_number: command.sensor_number,
                deassertion: command.deassertion,
                event_type: command.event_type,
                data: command.data,
            },
        });
        // An event that finds the log full is dropped; the sender does not learn of it.
        let _ = self.event_log.push(body);
        Ok(())
    }

    pub(in crate::sim) fn pef_capabilities(
        &mut self,
        _: Call,
        _: GetPefCapabilities,
    ) -> Result<PefCapabilities, CompletionCode> {
        Ok(self.pef.capabilities)
    }

    pub(in crate::sim) fn pef_configuration(
        &mut self,
        _: Call,
        command: GetPefConfiguration,
    ) -> Result<ConfigurationData, CompletionCode> {
        let setting = self.pef.get(command.parameter.value(), command.set);
        let setting = setting.ok_or(GetPefConfiguration::UNSUPPORTED)?;
        let mut data = Vec::new();
        if !command.revision_only {
            setting.encode(&mut data);
        }
        Ok(ConfigurationData {
            revision: ConfigurationData::REVISION,
            data,
        })
    }

    pub(in crate::sim) fn last_processed_event(
        &mut self,
        _: Call,
        _: GetLastProcessedEventId,
    ) -> Result<LastProcessedEvent, CompletionCode> {
        let (by_software, by_bmc) = self.pef.processed;
        Ok(LastProcessedEvent {
            last_addition: self.event_log.info().last_addition,
            last_record: self.event_log.last_id().unwrap_or(0xffff),
            by_software,
            by_bmc,
        })
    }

    pub(in crate::sim) fn pet_acknowledge(
        &mut self,
        _: Call,
        _: PetAcknowledge,
    ) -> Result<(), CompletionCode> {
        Ok(())
    }
}
