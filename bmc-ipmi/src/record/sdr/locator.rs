//! Records that say where devices are, §43.7 to §43.9.

mod fru;
mod generic;
mod mc;

pub use fru::FruLocator;
pub use generic::GenericLocator;
pub use mc::McLocator;
