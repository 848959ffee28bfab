//! Sensor data record commands, §33 of the repository and §35 of the devices.

mod get_device_sdr;
mod get_device_sdr_info;
mod get_sdr;
mod get_sdr_repository_allocation_info;
mod get_sdr_repository_info;
mod get_sdr_repository_time;
mod reserve_device_sdr_repository;
mod reserve_sdr_repository;

pub use get_device_sdr::GetDeviceSdr;
pub use get_device_sdr_info::{DeviceSdrInfo, GetDeviceSdrInfo};
pub use get_sdr::{GetSdr, SdrPart, SdrRange};
pub use get_sdr_repository_allocation_info::{
    GetSdrRepositoryAllocationInfo, SdrRepositoryAllocation,
};
pub use get_sdr_repository_info::{GetSdrRepositoryInfo, SdrRepositoryInfo};
pub use get_sdr_repository_time::{GetSdrRepositoryTime, SdrRepositoryTime};
pub use reserve_device_sdr_repository::ReserveDeviceSdrRepository;
pub use reserve_sdr_repository::{ReserveSdrRepository, SdrReservation};
