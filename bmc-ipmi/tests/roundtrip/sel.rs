//! Event log commands and records.

use bmc_ipmi::record::sel::*;
use bmc_ipmi::record::{EventType, SensorType};

use super::*;

wire_type! {
    get_sel_info: GetSelInfo = Just(GetSelInfo);
    sel_info: SelInfo = any::<(u8, u16, u16, u32, u32, u8)>().prop_map(
        |(version, entries, free_bytes, added, erased, operations)| SelInfo {
            version, entries, free_bytes, last_addition: Timestamp(added), last_erase: Timestamp(erased), operations,
        });
    get_sel_allocation_info: GetSelAllocationInfo = Just(GetSelAllocationInfo);
    sel_allocation_info: SelAllocationInfo = any::<([u16; 4], u8)>().prop_map(|(w, maximum_record)| SelAllocationInfo {
        units: w[0], unit_size: w[1], free_units: w[2], largest_free: w[3], maximum_record,
    });
    reserve_sel: ReserveSel = Just(ReserveSel);
    sel_reservation: SelReservation = any::<u16>().prop_map(SelReservation);
    get_sel_entry: GetSelEntry = any::<(u16, u16, u8, u8)>().prop_map(|(reservation, record_id, offset, count)| {
        GetSelEntry { reservation: SelReservation(reservation), record_id, offset, count }
    });
    sel_entry_part: SelEntryPart = (any::<u16>(), vec(any::<u8>(), 0..=16))
        .prop_map(|(next, data)| SelEntryPart { next, data });
    add_sel_entry: AddSelEntry = any::<[u8; 16]>().prop_map(|record| AddSelEntry { record });
    added_sel_entry: AddedSelEntry = any::<u16>().prop_map(|record_id| AddedSelEntry { record_id });
    delete_sel_entry: DeleteSelEntry = any::<(u16, u16)>().prop_map(|(reservation, record_id)| DeleteSelEntry {
        reservation: SelReservation(reservation), record_id,
    });
    deleted_sel_entry: DeletedSelEntry = any::<u16>().prop_map(|record_id| DeletedSelEntry { record_id });
    clear_sel: ClearSel = any::<(u16, u8)>().prop_map(|(reservation, erasure)| ClearSel {
        reservation: SelReservation(reservation), erasure: SelErasure(erasure),
    });
    erasure_progress: ErasureProgress = any::<u8>().prop_map(ErasureProgress::new);
    get_sel_time: GetSelTime = Just(GetSelTime);
    sel_time: SelTime = any::<u32>().prop_map(|time| SelTime(Timestamp(time)));
    set_sel_time: SetSelTime = any::<u32>().prop_map(|time| SetSelTime(Timestamp(time)));
    get_sel_time_utc_offset: GetSelTimeUtcOffset = Just(GetSelTimeUtcOffset);
    sel_time_utc_offset: SelTimeUtcOffset = offsets();
    set_sel_time_utc_offset: SetSelTimeUtcOffset = offsets().prop_map(SetSelTimeUtcOffset);
    sel_record: SelRecord = (any::<u16>(), bodies()).prop_map(|(id, body)| SelRecord { id, body });
    system_event: SystemEvent = system_events();
}

fn offsets() -> impl Strategy<Value = SelTimeUtcOffset> {
    (-1440i16..=1441)
        .prop_map(|minutes| SelTimeUtcOffset::new(minutes).unwrap_or(SelTimeUtcOffset::UNSPECIFIED))
}

fn bodies() -> impl Strategy<Value = SelBody> {
    prop_oneof![
        system_events().prop_map(SelBody::System),
        (
            0xc0u8..=0xdf,
            any::<u32>(),
            0u32..0x0100_0000,
            any::<[u8; 6]>()
        )
            .prop_map(|(record_type, timestamp, manufacturer, data)| {
                SelBody::TimestampedOem {
                    record_type,
                    timestamp: Timestamp(timestamp),
                    manufacturer,
                    data,
                }
            }),
        (0xe0u8..=0xff, any::<[u8; 13]>())
            .prop_map(|(record_type, data)| SelBody::Oem { record_type, data }),
    ]
}

fn system_events() -> impl Strategy<Value = SystemEvent> {
    any::<(u32, [u8; 2], u8, [u8; 3], bool, [u8; 3])>().prop_map(
        |(timestamp, generator, revision, b, deassertion, data)| SystemEvent {
            timestamp: Timestamp(timestamp),
            generator: Generator(generator),
            revision,
            event: Event {
                sensor_type: SensorType(b[0]),
                sensor_number: b[1],
                deassertion,
                event_type: EventType::new(b[2]),
                data,
            },
        },
    )
}
