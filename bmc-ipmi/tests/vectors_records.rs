//! Golden bytes of event log, FRU and PEF commands: answers of OpenIPMI's `ipmi_sim` 2.0.33 to ipmitool's `raw`, and the
//! requests that made it answer.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fmt::Debug;

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{
    AddSelEntry, AddedSelEntry, AlertPolicy, ClearSel, Command, ConfigurationData, DeleteSelEntry,
    DeletedSelEntry, ErasureProgress, FruAccess, FruData, FruInventoryArea,
    GetFruInventoryAreaInfo, GetPefCapabilities, GetPefConfiguration, GetSelEntry, GetSelInfo,
    GetSelTime, PefCapabilities, PefParameter, PefSetting, ReadFruData, ReserveSel, SelEntryPart,
    SelErasure, SelInfo, SelReservation, SelTime, SetSelTime, WriteFruData, WrittenFruData,
};
use bmc_ipmi::record::sel::SelRecord;
use bmc_ipmi::wire::Timestamp;

/// Request and response are these bytes, and these bytes are them.
fn golden<C: Command + Debug + PartialEq>(
    command: &C,
    request: &[u8],
    response: &C::Response,
    answer: &[u8],
) where
    C::Response: Debug + PartialEq,
{
    let [netfn, number, data @ ..] = request else {
        unreachable!("network function and command");
    };
    assert_eq!((C::NETFN.value(), C::CMD), (*netfn, *number));
    assert_eq!(command.to_bytes(), data);
    assert_eq!(C::from_bytes(data).as_ref(), Ok(command));
    assert_eq!(response.to_bytes(), answer);
    assert_eq!(C::Response::from_bytes(answer).as_ref(), Ok(response));
}

const TIME: Timestamp = Timestamp(0x65e1_1901);
const RECORD: [u8; 16] = [
    0x01, 0x00, 0x02, 0x01, 0x19, 0xe1, 0x65, 0x20, 0x00, 0x04, 0x01, 0x30, 0x01, 0x59, 0x5c, 0x5a,
];

#[test]
fn event_log() {
    golden(
        &SetSelTime(Timestamp(0x65e1_1900)),
        &[0x0a, 0x49, 0x00, 0x19, 0xe1, 0x65],
        &(),
        &[],
    );
    golden(
        &GetSelTime,
        &[0x0a, 0x48],
        &SelTime(TIME),
        &[0x01, 0x19, 0xe1, 0x65],
    );
    let reservation = SelReservation(1);
    golden(&ReserveSel, &[0x0a, 0x42], &reservation, &[0x01, 0x00]);
    golden(
        &GetSelInfo,
        &[0x0a, 0x40],
        &SelInfo {
            version: 0x51,
            entries: 1,
            free_bytes: 15_984,
            last_addition: TIME,
            last_erase: Timestamp(0),
            operations: SelInfo::DELETE | SelInfo::RESERVE,
        },
        &[
            0x51, 0x01, 0x00, 0x70, 0x3e, 0x01, 0x19, 0xe1, 0x65, 0x00, 0x00, 0x00, 0x00, 0x0a,
        ],
    );
    // The BMC chooses ID and time.
    let mut record = RECORD;
    record[0] = 0;
    record[3..7].fill(0);
    golden(
        &AddSelEntry { record },
        &[
            0x0a, 0x44, 0, 0, 0x02, 0, 0, 0, 0, 0x20, 0, 0x04, 0x01, 0x30, 0x01, 0x59, 0x5c, 0x5a,
        ],
        &AddedSelEntry { record_id: 1 },
        &[0x01, 0x00],
    );
    golden(
        &GetSelEntry::whole(GetSelEntry::FIRST),
        &[0x0a, 0x43, 0, 0, 0, 0, 0, 0xff],
        &SelEntryPart {
            next: GetSelEntry::LAST,
            data: RECORD.to_vec(),
        },
        &[&[0xff, 0xff], &RECORD[..]].concat(),
    );
    golden(
        &DeleteSelEntry {
            reservation: SelReservation(2),
            record_id: 0,
        },
        &[0x0a, 0x46, 0x02, 0x00, 0x00, 0x00],
        &DeletedSelEntry { record_id: 1 },
        &[0x01, 0x00],
    );
    golden(
        &ClearSel {
            reservation: SelReservation(3),
            erasure: SelErasure::START,
        },
        &[0x0a, 0x47, 0x03, 0x00, 0x43, 0x4c, 0x52, 0xaa],
        &ErasureProgress::COMPLETE,
        &[0x01],
    );
    let record = SelRecord::from_bytes(&RECORD).unwrap();
    assert_eq!(
        record.timestamp().unwrap().to_string(),
        "2024-02-29 23:53:37"
    );
    assert_eq!(
        record.describe(&()),
        "temperature #30h of BMC: upper critical going high; reading 5Ch (raw); threshold 5Ah (raw)"
    );
}

#[test]
fn fru_inventory() {
    let device = 0;
    golden(
        &GetFruInventoryAreaInfo { device },
        &[0x0a, 0x10, 0x00],
        &FruInventoryArea {
            size: 512,
            access: FruAccess::Bytes,
        },
        &[0x00, 0x02, 0x00],
    );
    let header = [0x01, 0x01, 0x03, 0x06, 0x0b, 0x0f, 0x00, 0xdb];
    golden(
        &ReadFruData {
            device,
            offset: 0,
            count: 8,
        },
        &[0x0a, 0x11, 0x00, 0x00, 0x00, 0x08],
        &FruData {
            count: 8,
            data: header.to_vec(),
        },
        &[&[0x08], &header[..]].concat(),
    );
    golden(
        &WriteFruData {
            device,
            offset: 8,
            data: vec![1, 2],
        },
        &[0x0a, 0x12, 0x00, 0x08, 0x00, 0x01, 0x02],
        &WrittenFruData { count: 2 },
        &[0x02],
    );
}

#[test]
fn event_filters() {
    golden(
        &GetPefCapabilities,
        &[0x04, 0x10],
        &PefCapabilities {
            version: 0x51,
            actions: 0x3f,
            filters: 16,
        },
        &[0x51, 0x3f, 0x10],
    );
    let configuration = |data: &[u8]| ConfigurationData {
        revision: 0x11,
        data: data.to_vec(),
    };
    golden(
        &GetPefConfiguration::new(PefParameter::CONTROL, 0),
        &[0x04, 0x13, 0x01, 0x00, 0x00],
        &configuration(&[0]),
        &[0x11, 0x00],
    );
    let policy = GetPefConfiguration::new(PefParameter::POLICY, 1);
    golden(
        &policy,
        &[0x04, 0x13, 0x09, 0x01, 0x00],
        &configuration(&[1, 0, 0, 0]),
        &[0x11, 0x01, 0x00, 0x00, 0x00],
    );
    let nothing = AlertPolicy {
        policy: 0,
        destination: 0,
        string: 0,
    };
    assert_eq!(
        PefSetting::decode(PefParameter::POLICY, &[1, 0, 0, 0]),
        Ok(PefSetting::Policy {
            set: 1,
            policy: nothing
        })
    );
    let filter = GetPefConfiguration::new(PefParameter::FILTER, 1);
    let mut answer = [0; 22];
    answer[..2].copy_from_slice(&[0x11, 0x01]);
    golden(
        &filter,
        &[0x04, 0x13, 0x06, 0x01, 0x00],
        &configuration(&answer[1..]),
        &answer,
    );
    assert!(PefSetting::decode(PefParameter::FILTER, &answer[1..]).is_ok());
}
