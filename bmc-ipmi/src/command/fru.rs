//! FRU inventory commands, network function Storage, §34.

mod get_fru_inventory_area_info;
mod read_fru_data;
mod write_fru_data;

pub use get_fru_inventory_area_info::{FruAccess, FruInventoryArea, GetFruInventoryAreaInfo};
pub use read_fru_data::{FruData, ReadFruData};
pub use write_fru_data::{WriteFruData, WrittenFruData};
