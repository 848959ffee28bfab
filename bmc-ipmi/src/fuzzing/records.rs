//! Properties of the records that BMCs store.

use crate::codec::Wire;
use crate::command::SensorReading;
use crate::record::fru::{FruInventory, needed};
use crate::record::sdr::SdrBody;
use crate::record::sel::{EventData, Generator, SelRecord, SensorLookup};
use crate::record::sensor::Availability;
use crate::record::{Sdr, Sensor};

/// Sixteen bytes are a record that gives the same bytes again, and whose text has no control characters.
pub fn ipmi_sel_record(data: &[u8]) {
    let Ok(record) = SelRecord::from_prefix(data) else {
        assert!(data.len() < SelRecord::LENGTH);
        return;
    };
    assert_eq!(
        Some(record.to_bytes().as_slice()),
        data.get(..SelRecord::LENGTH)
    );
    let text = record.describe(&Echo);
    assert!(!text.contains(char::is_control));
    assert!(text.len() < 512);
    let Some(system) = record.event() else { return };
    let (event, details) = (&system.event, system.details(&()));
    let silent = [event.data_2(), event.data_3()]
        .iter()
        .all(|data| *data == EventData::Unspecified);
    assert!(details.len() <= if silent { 0 } else { 2 });
    if event.deassertion {
        assert!(matches!(
            event.severity(),
            None | Some(bmc_core::Severity::Ok)
        ));
    }
}

/// An inventory is refused, or what was read of it is encoded without damage and read again as the same; reading no
/// more than is needed makes no difference.
pub fn ipmi_fru(data: &[u8]) {
    let mut known = 0;
    for step in 0.. {
        let more = needed(data.get(..known).unwrap_or_default(), data.len());
        assert!(more <= data.len());
        if more <= known {
            break;
        }
        known = more;
        assert!(step <= data.len());
    }
    let whole = FruInventory::decode(data);
    assert_eq!(
        FruInventory::decode(data.get(..known).unwrap_or_default()).is_ok(),
        whole.is_ok()
    );
    let Ok(whole) = whole else { return };
    assert_eq!(
        FruInventory::decode(data.get(..known).unwrap_or_default()).as_ref(),
        Ok(&whole)
    );
    let Ok(bytes) = whole.encode() else { return };
    let again = FruInventory::decode(&bytes);
    let again = again.unwrap_or_else(|error| unreachable!("{error}"));
    assert!(again.damage.is_empty(), "{:?}", again.damage);
    assert_eq!(
        (
            &again.chassis,
            &again.board,
            &again.product,
            &again.multirecords
        ),
        (
            &whole.chassis,
            &whole.board,
            &whole.product,
            &whole.multirecords
        )
    );
    let internal = whole.internal.unwrap_or_default();
    let padded = again.internal.unwrap_or_default();
    assert!(padded.starts_with(&internal) && padded.len() < internal.len() + 8);
}

/// Names and converts everything.
struct Echo;

impl SensorLookup for Echo {
    fn name(&self, _: Generator, sensor: u8) -> Option<String> {
        Some(format!("sensor {sensor}"))
    }

    fn reading(&self, _: Generator, _: u8, raw: u8) -> Option<String> {
        Some(format!("{raw} units"))
    }
}

/// A record of sensors is read; nothing that it says makes an endless list, a control character or a value that is no
/// number; and raw readings that have values go back to readings of the same value.
pub fn ipmi_sdr_record(data: &[u8]) {
    let Ok(record) = Sdr::from_prefix(data) else {
        assert!(data.len() < Sdr::HEADER);
        return;
    };
    let bytes = record.to_bytes();
    assert!(bytes.len() <= Sdr::MAXIMUM);
    assert_eq!(Sdr::from_bytes(&bytes).as_ref(), Ok(&record));
    if let Some(name) = record.body.name() {
        assert!(!name.contains(char::is_control));
    }
    if let SdrBody::EntityAssociation(association) = &record.body {
        assert!(association.entities().len() <= 512);
    }
    let sensors = Sensor::of(&record);
    assert!(sensors.len() <= 15);
    for sensor in &sensors {
        readings(sensor, data);
    }
}

/// All readings of a sensor; the flags and states are taken from `noise`.
fn readings(sensor: &Sensor, noise: &[u8]) {
    let byte = |at: usize| noise.get(at).copied().unwrap_or(0);
    for raw in 0..=u8::MAX {
        let reading = SensorReading {
            raw,
            flags: byte(5) ^ raw,
            states: Some(byte(6)),
            more_states: Some(byte(7)),
        };
        let status = sensor.status(&reading, None);
        assert!(status.value.is_none_or(f64::is_finite));
        let is_available = status.availability == Availability::Available;
        assert_eq!(status.raw.is_some(), is_available);
        assert!(status.value.is_none() || is_available);
        assert!(status.state_names(sensor).len() <= 15);
        let Some(analog) = sensor.analog else {
            continue;
        };
        // The way back looks at all readings: sixteen of them will do.
        let Some(value) = analog.conversion.value(raw).filter(|_| raw % 17 == 0) else {
            continue;
        };
        let back = analog
            .conversion
            .raw(value)
            .and_then(|raw| analog.conversion.value(raw));
        assert_eq!(back, Some(value));
    }
}
