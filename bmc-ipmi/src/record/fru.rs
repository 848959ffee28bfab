//! FRU inventories: what parts a machine is made of, as defined by the *IPMI Platform Management FRU Information
//! Storage Definition*, v1.0 revision 1.3 ("FRU §").

mod area;
mod board;
mod chassis;
mod chassis_type;
mod damage;
mod extent;
mod header;
mod inventory;
mod multirecord;
mod product;

pub use board::BoardArea;
pub use chassis::ChassisArea;
pub use chassis_type::ChassisType;
pub use damage::{FruArea, FruDamage, FruEncodeError, FruError, FruProblem};
pub use extent::needed;
pub use inventory::FruInventory;
pub use multirecord::{
    Compatibility, CurrentStep, DcLoad, DcOutput, ManagementAccess, ManagementAccessKind,
    MultiRecord, PowerSupply,
};
pub use product::ProductArea;
