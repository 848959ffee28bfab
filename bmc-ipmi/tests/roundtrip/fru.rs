//! FRU inventory commands.

use super::*;

wire_type! {
    get_fru_inventory_area_info: GetFruInventoryAreaInfo = any::<u8>()
        .prop_map(|device| GetFruInventoryAreaInfo { device });
    fru_inventory_area: FruInventoryArea = any::<(u16, bool)>().prop_map(|(size, words)| FruInventoryArea {
        size, access: if words { FruAccess::Words } else { FruAccess::Bytes },
    });
    read_fru_data: ReadFruData = any::<(u8, u16, u8)>()
        .prop_map(|(device, offset, count)| ReadFruData { device, offset, count });
    fru_data: FruData = (any::<u8>(), vec(any::<u8>(), 0..40)).prop_map(|(count, data)| FruData { count, data });
    write_fru_data: WriteFruData = (any::<u8>(), any::<u16>(), vec(any::<u8>(), 0..40))
        .prop_map(|(device, offset, data)| WriteFruData { device, offset, data });
    written_fru_data: WrittenFruData = any::<u8>().prop_map(|count| WrittenFruData { count });
}
