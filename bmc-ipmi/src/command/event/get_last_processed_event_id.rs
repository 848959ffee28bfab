//! Get Last Processed Event ID, §30.6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, Timestamp};

/// Asks which events the filters have seen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetLastProcessedEventId;

without_data!(GetLastProcessedEventId, "Get Last Processed Event ID");

impl Command for GetLastProcessedEventId {
    type Response = LastProcessedEvent;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x15;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

/// Which events the filters have seen. Record IDs are those of the event log.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LastProcessedEvent {
    /// When an entry was last added to the event log.
    pub last_addition: Timestamp,
    /// The last entry; FFFFh if the log is empty.
    pub last_record: u16,
    /// The last entry that software processed.
    pub by_software: u16,
    /// The last entry that the BMC processed; 0 if it was processed but could not be logged.
    pub by_bmc: u16,
}

impl Wire for LastProcessedEvent {
    const NAME: &'static str = "Get Last Processed Event ID response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            last_addition: Timestamp(r.u32_le("most recent addition timestamp")?),
            last_record: r.u16_le("last record ID")?,
            by_software: r.u16_le("last software processed event")?,
            by_bmc: r.u16_le("last BMC processed event")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.last_addition.0);
        for record_id in [self.last_record, self.by_software, self.by_bmc] {
            out.put_u16_le(record_id);
        }
    }
}
