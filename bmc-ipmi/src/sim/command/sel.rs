//! Event log commands.

use crate::command::{
    AddSelEntry, AddedSelEntry, ClearSel, DeleteSelEntry, DeletedSelEntry, ErasureProgress,
    GetSelAllocationInfo, GetSelEntry, GetSelInfo, GetSelTime, GetSelTimeUtcOffset, ReserveSel,
    SelAllocationInfo, SelEntryPart, SelInfo, SelReservation, SelTime, SelTimeUtcOffset,
    SetSelTime, SetSelTimeUtcOffset,
};
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn sel_info(
        &mut self,
        call: Call,
        _: GetSelInfo,
    ) -> Result<SelInfo, CompletionCode> {
        self.event_log.begin(call.now)?;
        Ok(self.event_log.info())
    }

    pub(in crate::sim) fn sel_allocation(
        &mut self,
        call: Call,
        _: GetSelAllocationInfo,
    ) -> Result<SelAllocationInfo, CompletionCode> {
        self.event_log.begin(call.now)?;
        Ok(self.event_log.allocation())
    }

    pub(in crate::sim) fn reserve_sel(
        &mut self,
        call: Call,
        _: ReserveSel,
    ) -> Result<SelReservation, CompletionCode> {
        self.event_log.begin(call.now)?;
        self.event_log.reserve()
    }

    pub(in crate::sim) fn sel_entry(
        &mut self,
        call: Call,
        command: GetSelEntry,
    ) -> Result<SelEntryPart, CompletionCode> {
        self.event_log.begin(call.now)?;
        self.event_log.read(command)
    }

    pub(in crate::sim) fn add_sel_entry(
        &mut self,
        call: Call,
        command: AddSelEntry,
    ) -> Result<AddedSelEntry, CompletionCode> {
        self.event_log.begin(call.now)?;
        let record_id = self.event_log.add(call.now, &command.record)?;
        Ok(AddedSelEntry { record_id })
    }

    pub(in crate::sim) fn delete_sel_entry(
        &mut self,
        call: Call,
        command: DeleteSelEntry,
    ) -> Result<DeletedSelEntry, CompletionCode> {
        self.event_log.begin(call.now)?;
        let record_id = self.event_log.delete(call.now, command)?;
        Ok(DeletedSelEntry { record_id })
    }

    pub(in crate::sim) fn clear_sel(
        &mut self,
        call: Call,
        command: ClearSel,
    ) -> Result<ErasureProgress, CompletionCode> {
        self.event_log.begin(call.now)?;
        self.event_log
            .clear(call.now, command.reservation, command.erasure)
    }

    pub(in crate::sim) fn sel_time(
        &mut self,
        call: Call,
        _: GetSelTime,
    ) -> Result<SelTime, CompletionCode> {
        Ok(SelTime(self.event_log.time(call.now)))
    }

    pub(in crate::sim) fn set_sel_time(
        &mut self,
        call: Call,
        command: SetSelTime,
    ) -> Result<(), CompletionCode> {
        self.event_log.set_time(call.now, command.0);
        Ok(())
    }

    pub(in crate::sim) fn sel_utc_offset(
        &mut self,
        _: Call,
        _: GetSelTimeUtcOffset,
    ) -> Result<SelTimeUtcOffset, CompletionCode> {
        Ok(self.event_log.utc_offset())
    }

    pub(in crate::sim) fn set_sel_utc_offset(
        &mut self,
        _: Call,
        command: SetSelTimeUtcOffset,
    ) -> Result<(), CompletionCode> {
        self.event_log.set_utc_offset(command.0);
        Ok(())
    }
}
