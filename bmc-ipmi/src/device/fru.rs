//! FRU inventories, §34.

mod access;
mod located;

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{FruInventoryArea, GetFruInventoryAreaInfo};
use crate::error::Error;
use crate::record::fru::{FruInventory, needed};

use super::error::DeviceError;
use access::Access;

pub use located::LocatedFru;

/// The FRU inventories of a controller.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::{sync::Arc, time::Duration};
/// # use bmc_core::{Credentials, Endpoint};
/// # use bmc_ipmi::{Client, Login, Transport, proto::Known};
/// # use tokio::time::Instant;
/// use bmc_ipmi::device::FruStorage;
///
/// # #[cfg(feature = "sim")] {
/// # let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
/// # let deadline = Instant::now() + Duration::from_secs(5);
/// # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
/// let inventory = FruStorage::new(&client).read(FruStorage::BMC, deadline).await?;
/// if let Some(product) = &inventory.product {
///     println!("{} {}, serial number {}", product.manufacturer, product.name, product.serial_number);
/// }
/// for damage in &inventory.damage {
///     println!("{damage}"); // the other areas were read all the same
/// }
/// # }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct FruStorage {
    client: Client,
}

impl FruStorage {
    /// The FRU device of the BMC's own board: it exists even where no SDR names it.
    pub const BMC: u8 = 0;

    /// The inventories of the client's target.
    pub fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
        }
    }

    /// How large the inventory of a device is.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`NOT_PRESENT`](crate::wire::CompletionCode::NOT_PRESENT) if there is no such device.
    pub async fn info(&self, device: u8, deadline: Instant) -> Result<FruInventoryArea, Error> {
        let command = GetFruInventoryAreaInfo { device };
        self.client.execute(&command, deadline).await
    }

    /// The inventory of a device. Of its memory only what the areas take is read.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`DeviceError::Fru`] if the device holds no inventory. A damaged area is no error: see
    /// [`FruInventory::damage`].
    pub async fn read(&self, device: u8, deadline: Instant) -> Result<FruInventory, Error> {
        let bytes = self.fill(device, needed, deadline).await?;
        Ok(FruInventory::decode(&bytes).map_err(DeviceError::from)?)
    }

    /// The whole memory of a device. Ends where the device does, if that is before its size.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn bytes(&self, device: u8, deadline: Instant) -> Result<Vec<u8>, Error> {
        self.fill(device, |_, size| size, deadline).await
    }

    /// Writes to the memory of a device and reads it back.
    ///
    /// # Errors
    /// [`DeviceError::FruSize`] and [`DeviceError::FruAlignment`] before anything is written;
    /// [`DeviceError::FruNotKept`] if something else reads back; else as [`Client::execute`].
    pub async fn write(
        &self,
        device: u8,
        offset: usize,
        data: &[u8],
        deadline: Instant,
    ) -> Result<(), Error> {
        let area = self.info(device, deadline).await?;
        let (size, end) = (usize::from(area.size), offset + data.len());
        if end > size {
            return Err(DeviceError::FruSize { device, size, end }.into());
        }
        let unit = usize::from(area.access.unit());
        if !offset.is_multiple_of(unit) || !data.len().is_multiple_of(unit) {
            return Err(DeviceError::FruAlignment { device }.into());
        }
        let mut access = Access::new(&self.client, device, area.access);
        access.write(offset, data, deadline).await?;
        let mut kept = Vec::with_capacity(data.len());
        while kept.len() < data.len() {
            let more = access
                .read(offset + kept.len(), data.len() - kept.len(), deadline)
                .await?;
            if more.is_empty() {
                break;
            }
            kept.extend(more);
        }
        let same = data.iter().zip(&kept).take_while(|(a, b)| a == b).count();
        if same < data.len() {
            let offset = offset + same;
            return Err(DeviceError::FruNotKept { device, offset }.into());
        }
        Ok(())
    }

    /// Writes a whole inventory and reads it back.
    ///
    /// # Errors
    /// [`DeviceError::FruEncode`] if the inventory has no form in bytes; else as [`write`](Self::write).
    pub async fn write_inventory(
        &self,
        device: u8,
        inventory: &FruInventory,
        deadline: Instant,
    ) -> Result<(), Error> {
        let bytes = inventory.encode().map_err(DeviceError::from)?;
        self.write(device, 0, &bytes, deadline).await
    }

    /// Reads until there is as much as `needed` wants of what is known and the size.
    async fn fill(
        &self,
        device: u8,
        needed: impl Fn(&[u8], usize) -> usize,
        deadline: Instant,
    ) -> Result<Vec<u8>, Error> {
        let area = self.info(device, deadline).await?;
        let size = usize::from(area.size);
        let mut access = Access::new(&self.client, device, area.access);
        let mut bytes = Vec::new();
        while bytes.len() < needed(&bytes, size) {
            let more = access
                .read(bytes.len(), size - bytes.len(), deadline)
                .await?;
            if more.is_empty() {
                break;
            }
            bytes.extend(more);
        }
        Ok(bytes)
    }
}
