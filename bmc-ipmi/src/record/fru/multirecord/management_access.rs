//! Management access records, FRU §18.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// Where a part is managed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ManagementAccess {
    /// What `data` is.
    pub kind: ManagementAccessKind,
    /// The bytes: text, or the sixteen bytes of a UUID.
    pub data: Vec<u8>,
}

/// What a management access record tells.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ManagementAccessKind(pub u8);

impl ManagementAccessKind {
    /// URL of the system's management.
    pub const SYSTEM_URL: Self = Self(0x01);
    /// Name of the system.
    pub const SYSTEM_NAME: Self = Self(0x02);
    /// Address at which the system answers pings.
    pub const SYSTEM_PING_ADDRESS: Self = Self(0x03);
    /// URL of the component's management.
    pub const COMPONENT_URL: Self = Self(0x04);
    /// Name of the component.
    pub const COMPONENT_NAME: Self = Self(0x05);
    /// Address at which the component answers pings.
    pub const COMPONENT_PING_ADDRESS: Self = Self(0x06);
    /// Unique ID of the system.
    pub const SYSTEM_UUID: Self = Self(0x07);
}

impl ManagementAccess {
    /// The text; `None` for a UUID.
    pub fn text(&self) -> Option<String> {
        (self.kind != ManagementAccessKind::SYSTEM_UUID)
            .then(|| self.data.iter().copied().map(char::from).collect())
    }
}

impl Wire for ManagementAccess {
    const NAME: &'static str = "FRU management access record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            kind: ManagementAccessKind(r.u8("sub-record type")?),
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.kind.0);
        out.put_slice(&self.data);
    }
}
