//! Commands of manufacturers: how to add one, and what their messages begin with, §5.1.
//!
//! The client knows no list of commands: whatever implements [`Command`](crate::command::Command) can be executed, with
//! all that belongs to it (repeats if it is idempotent, the session raised to its privilege, other LUNs, controllers
//! behind the BMC). In [`NetFn::OEM_GROUP`](crate::wire::NetFn::OEM_GROUP) requests and responses begin with the
//! manufacturer's [`Enterprise`] number, in [`NetFn::GROUP`](crate::wire::NetFn::GROUP) with one byte for the group;
//! from [`NetFn::OEM_FIRST`](crate::wire::NetFn::OEM_FIRST) on manufacturers do as they please.
//!
//! What a BMC understands is told by [`DeviceId`](crate::command::DeviceId): pick the command by its `manufacturer` and
//! `product`.
//!
//! ```
//! use std::time::Duration;
//!
//! use bmc_ipmi::codec::{DecodeError, Reader, Wire};
//! use bmc_ipmi::command::{Command, DeviceId, Enterprise, GetDeviceId};
//! use bmc_ipmi::wire::{NetFn, Privilege};
//! use bmc_ipmi::{Client, Error};
//! use bytes::BufMut;
//! use tokio::time::Instant;
//!
//! const ACME: Enterprise = Enterprise::new(47_110);
//!
//! /// Asks for the colour of the front panel.
//! struct GetPanelColour;
//!
//! /// Red, green and blue.
//! #[derive(Debug, PartialEq)]
//! struct PanelColour([u8; 3]);
//!
//! impl Wire for GetPanelColour {
//!     const NAME: &'static str = "Get Panel Colour";
//!
//!     fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
//!         ACME.expect(r).map(|()| Self)
//!     }
//!
//!     fn encode(&self, out: &mut impl BufMut) {
//!         ACME.encode(out);
//!     }
//! }
//!
//! impl Wire for PanelColour {
//!     const NAME: &'static str = "Get Panel Colour response";
//!
//!     fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
//!         ACME.expect(r)?;
//!         r.array("colour").map(Self)
//!     }
//!
//!     fn encode(&self, out: &mut impl BufMut) {
//!         ACME.encode(out);
//!         out.put_slice(&self.0);
//!     }
//! }
//!
//! impl Command for GetPanelColour {
//!     type Response = PanelColour;
//!     const NETFN: NetFn = NetFn::OEM_GROUP;
//!     const CMD: u8 = 0x21;
//!     const IDEMPOTENT: bool = true;
//!     const PRIVILEGE: Privilege = Privilege::USER;
//! }
//!
//! /// Each manufacturer in its own way; `None` where nobody knows how.
//! async fn panel_colour(client: &Client, deadline: Instant) -> Result<Option<PanelColour>, Error> {
//!     let device: DeviceId = client.execute(&GetDeviceId, deadline).await?;
//!     match Enterprise::new(device.manufacturer) {
//!         ACME => client.execute(&GetPanelColour, deadline).await.map(Some),
//!         _ => Ok(None),
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use std::sync::Arc;
//! # use bmc_core::{Credentials, Endpoint};
//! # use bmc_ipmi::{Login, Transport, proto::Known};
//! // A simulated BMC learns the command as well.
//! let bmc = bmc_ipmi::sim::Sim::builder()
//!     .manufacturer(ACME.value(), 1)
//!     .command::<GetPanelColour>(|_| Ok(PanelColour([255, 191, 0])))
//!     .spawn()
//!     .await?;
//! # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
//! # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
//! # let deadline = Instant::now() + Duration::from_secs(5);
//! # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
//! assert_eq!(panel_colour(&client, deadline).await?, Some(PanelColour([255, 191, 0])));
//! # Ok(()) }
//! ```
//!
//! A command that is needed once can be sent as bytes: [`Client::raw`](crate::Client::raw).

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};

/// An enterprise number that IANA has assigned: 24 bits, the least significant byte first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Enterprise(u32);

impl Enterprise {
    /// The number in the low 24 bits of `value`.
    pub const fn new(value: u32) -> Self {
        Self(value & 0x00ff_ffff)
    }

    /// The number.
    pub const fn value(self) -> u32 {
        self.0
    }

    /// Reads an enterprise number that must be this one.
    ///
    /// # Errors
    /// It is another one, or the bytes end.
    pub fn expect(self, r: &mut Reader<'_>) -> Result<(), DecodeError> {
        let found = Self::decode(r)?;
        if found == self {
            return Ok(());
        }
        let (found, expected) = (found.0, self.0);
        Err(r.error(
            "enterprise number",
            DecodeErrorKind::Value { found, expected },
        ))
    }
}

impl Wire for Enterprise {
    const NAME: &'static str = "enterprise number";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [low, middle, high] = r.array("enterprise number")?;
        Ok(Self(u32::from_le_bytes([low, middle, high, 0])))
    }

    fn encode(&self, out: &mut impl BufMut) {
        let [low, middle, high, _] = self.0.to_le_bytes();
        out.put_slice(&[low, middle, high]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_enterprise_is_refused_by_number() {
        let mut r = Reader::new("Get Panel Colour response", &[0xa2, 0x02, 0x00]);
        let error = Enterprise::new(343).expect(&mut r);
        assert_eq!(
            error.map_err(|error| error.to_string()),
            Err("Get Panel Colour response: enterprise number is 0x2a2, must be 0x157".into())
        );
    }
}
