//! System event log (SEL) commands, network function Storage, §31.

mod add_sel_entry;
mod clear_sel;
mod delete_sel_entry;
mod get_sel_allocation_info;
mod get_sel_entry;
mod get_sel_info;
mod reserve_sel;
mod sel_time;
mod sel_time_utc_offset;

pub use add_sel_entry::{AddSelEntry, AddedSelEntry};
pub use clear_sel::{ClearSel, ErasureProgress, SelErasure};
pub use delete_sel_entry::{DeleteSelEntry, DeletedSelEntry};
pub use get_sel_allocation_info::{GetSelAllocationInfo, SelAllocationInfo};
pub use get_sel_entry::{GetSelEntry, SelEntryPart};
pub use get_sel_info::{GetSelInfo, SelInfo};
pub use reserve_sel::{ReserveSel, SelReservation};
pub use sel_time::{GetSelTime, SelTime, SetSelTime};
pub use sel_time_utc_offset::{GetSelTimeUtcOffset, SelTimeUtcOffset, SetSelTimeUtcOffset};
