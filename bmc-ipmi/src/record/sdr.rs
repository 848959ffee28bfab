//! Sensor data records: what sensors, devices and connections a BMC knows, §43.
//!
//! Every record that a BMC can store decodes: unknown types, and records too short for their type, are kept as bytes.

mod association;
mod compact;
mod event_only;
mod full;
mod locator;
mod mc_confirmation;
mod message_channels;
mod name;
mod sensor;
mod sharing;

use std::fmt;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

pub use association::{AssociatedEntity, Association, DeviceEntityAssociation, EntityAssociation};
pub use compact::CompactSensor;
pub use event_only::EventOnlySensor;
pub use full::{AnalogRange, FullSensor};
pub use locator::{FruLocator, GenericLocator, McLocator};
pub use mc_confirmation::McConfirmation;
pub use message_channels::{MessageChannel, MessageChannels};
pub use sensor::{Access, SensorCapabilities, SensorDefinition, SensorKey};
pub use sharing::Sharing;

/// A sensor data record.
#[derive(Clone, Debug, PartialEq)]
pub struct Sdr {
    /// The number by which the BMC hands the record out. It can change whenever the repository does.
    pub id: u16,
    /// Version of the record, nibbles swapped: 51h is 1.5, as in IPMI v2.0.
    pub version: u8,
    /// What it says.
    pub body: SdrBody,
}

/// Type and content of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SdrBody {
    /// 01h: any sensor, with the factors of its readings.
    Full(Box<FullSensor>),
    /// 02h: sensors without an analog reading, several in one record.
    Compact(Box<CompactSensor>),
    /// 03h: sensors that only generate events, several in one record.
    EventOnly(Box<EventOnlySensor>),
    /// 08h: which entities an entity contains.
    EntityAssociation(EntityAssociation),
    /// 09h: the same across controllers.
    DeviceEntityAssociation(DeviceEntityAssociation),
    /// 10h: a device that is no controller.
    GenericLocator(GenericLocator),
    /// 11h: where FRU inventory is.
    FruLocator(FruLocator),
    /// 12h: a management controller.
    McLocator(McLocator),
    /// 13h: a management controller that was found.
    McConfirmation(McConfirmation),
    /// 14h: the channels of a v1.0 BMC.
    MessageChannels(MessageChannels),
    /// C0h: a record of a manufacturer's own.
    Oem {
        /// The manufacturer's enterprise number, 24 bits.
        manufacturer: u32,
        /// Its data.
        data: Vec<u8>,
    },
    /// Another type, or one of the above with too few bytes.
    Raw {
        /// The type.
        kind: SdrType,
        /// Everything behind the header.
        data: Vec<u8>,
    },
}

/// Type of a record.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SdrType(pub u8);

impl SdrType {
    /// Full sensor record.
    pub const FULL: Self = Self(0x01);
    /// Compact sensor record.
    pub const COMPACT: Self = Self(0x02);
    /// Event-only record.
    pub const EVENT_ONLY: Self = Self(0x03);
    /// Entity association record.
    pub const ENTITY_ASSOCIATION: Self = Self(0x08);
    /// Device-relative entity association record.
    pub const DEVICE_ENTITY_ASSOCIATION: Self = Self(0x09);
    /// Generic device locator record.
    pub const GENERIC_LOCATOR: Self = Self(0x10);
    /// FRU device locator record.
    pub const FRU_LOCATOR: Self = Self(0x11);
    /// Management controller device locator record.
    pub const MC_LOCATOR: Self = Self(0x12);
    /// Management controller confirmation record.
    pub const MC_CONFIRMATION: Self = Self(0x13);
    /// BMC message channel info record.
    pub const MESSAGE_CHANNELS: Self = Self(0x14);
    /// OEM record.
    pub const OEM: Self = Self(0xc0);
}

impl Sdr {
    /// Bytes of the header.
    pub const HEADER: usize = 5;
    /// Longest record, header included.
    pub const MAXIMUM: usize = Self::HEADER + 255;
    /// The version of records of IPMI v1.5 and v2.0.
    pub const VERSION: u8 = 0x51;

    /// A record of the current version.
    pub fn new(id: u16, body: SdrBody) -> Self {
        let version = Self::VERSION;
        Self { id, version, body }
    }
}

impl Wire for Sdr {
    const NAME: &'static str = "sensor data record";

    /// A record that ends before its length does is taken as it is.
    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let id = r.u16_le("record ID")?;
        let version = r.u8("SDR version")?;
        let kind = SdrType(r.u8("record type")?);
        let length = usize::from(r.u8("record length")?);
        let data = r.take(length.min(r.remaining()), "record")?;
        let body = SdrBody::read(kind, data);
        Ok(Self { id, version, body })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let mut data = Vec::new();
        self.body.write(&mut data);
        data.truncate(255);
        out.put_u16_le(self.id);
        let length = u8::try_from(data.len()).unwrap_or(u8::MAX);
        out.put_slice(&[self.version, self.body.kind().0, length]);
        out.put_slice(&data);
    }
}

impl SdrBody {
    /// The type.
    pub fn kind(&self) -> SdrType {
        match self {
            Self::Full(_) => SdrType::FULL,
            Self::Compact(_) => SdrType::COMPACT,
            Self::EventOnly(_) => SdrType::EVENT_ONLY,
            Self::EntityAssociation(_) => SdrType::ENTITY_ASSOCIATION,
            Self::DeviceEntityAssociation(_) => SdrType::DEVICE_ENTITY_ASSOCIATION,
            Self::GenericLocator(_) => SdrType::GENERIC_LOCATOR,
            Self::FruLocator(_) => SdrType::FRU_LOCATOR,
            Self::McLocator(_) => SdrType::MC_LOCATOR,
            Self::McConfirmation(_) => SdrType::MC_CONFIRMATION,
            Self::MessageChannels(_) => SdrType::MESSAGE_CHANNELS,
            Self::Oem { .. } => SdrType::OEM,
            Self::Raw { kind, .. } => *kind,
        }
    }

    /// The name that the record holds, if its type has one.
    pub fn name(&self) -> Option<String> {
        let name = match self {
            Self::Full(sensor) => &sensor.name,
            Self::Compact(sensor) => &sensor.name,
            Self::EventOnly(sensor) => &sensor.name,
            Self::GenericLocator(locator) => &locator.name,
            Self::FruLocator(locator) => &locator.name,
            Self::McLocator(locator) => &locator.name,
            _ => return None,
        };
        Some(name.to_string())
    }

    fn read(kind: SdrType, data: &[u8]) -> Self {
        Self::read_known(kind, data).unwrap_or_else(|| Self::Raw {
            kind,
            data: data.to_vec(),
        })
    }

    fn read_known(kind: SdrType, data: &[u8]) -> Option<Self> {
        Some(match kind {
            SdrType::FULL => Self::Full(read(data)?),
            SdrType::COMPACT => Self::Compact(read(data)?),
            SdrType::EVENT_ONLY => Self::EventOnly(read(data)?),
            SdrType::ENTITY_ASSOCIATION => Self::EntityAssociation(*read(data)?),
            SdrType::DEVICE_ENTITY_ASSOCIATION => Self::DeviceEntityAssociation(*read(data)?),
            SdrType::GENERIC_LOCATOR => Self::GenericLocator(*read(data)?),
            SdrType::FRU_LOCATOR => Self::FruLocator(*read(data)?),
            SdrType::MC_LOCATOR => Self::McLocator(*read(data)?),
            SdrType::MC_CONFIRMATION => Self::McConfirmation(*read(data)?),
            SdrType::MESSAGE_CHANNELS => Self::MessageChannels(*read(data)?),
            SdrType::OEM => {
                let ([low, middle, high], data) = data.split_first_chunk()?;
                let manufacturer = u32::from_le_bytes([*low, *middle, *high, 0]);
                let data = data.to_vec();
                Self::Oem { manufacturer, data }
            }
            _ => return None,
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Full(sensor) => sensor.encode(out),
            Self::Compact(sensor) => sensor.encode(out),
            Self::EventOnly(sensor) => sensor.encode(out),
            Self::EntityAssociation(association) => association.encode(out),
            Self::DeviceEntityAssociation(association) => association.encode(out),
            Self::GenericLocator(locator) => locator.encode(out),
            Self::FruLocator(locator) => locator.encode(out),
            Self::McLocator(locator) => locator.encode(out),
            Self::McConfirmation(confirmation) => confirmation.encode(out),
            Self::MessageChannels(channels) => channels.encode(out),
            Self::Oem { manufacturer, data } => {
                let [low, middle, high, _] = manufacturer.to_le_bytes();
                out.put_slice(&[low, middle, high]);
                out.put_slice(data);
            }
            Self::Raw { data, .. } => out.put_slice(data),
        }
    }
}

impl fmt::Display for SdrType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match *self {
            Self::FULL => "full sensor",
            Self::COMPACT => "compact sensor",
            Self::EVENT_ONLY => "event-only sensor",
            Self::ENTITY_ASSOCIATION => "entity association",
            Self::DEVICE_ENTITY_ASSOCIATION => "device-relative entity association",
            Self::GENERIC_LOCATOR => "generic device locator",
            Self::FRU_LOCATOR => "FRU device locator",
            Self::MC_LOCATOR => "controller locator",
            Self::MC_CONFIRMATION => "controller confirmation",
            Self::MESSAGE_CHANNELS => "message channels",
            Self::OEM => "OEM",
            Self(other) => return f.pad(&format!("type {other:02X}h")),
        })
    }
}

fn read<T: Wire>(data: &[u8]) -> Option<Box<T>> {
    T::from_prefix(data).ok().map(Box::new)
}
