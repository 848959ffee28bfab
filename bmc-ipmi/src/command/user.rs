//! User commands, §22.26 to §22.31.

mod set_user_password;
mod user_access;
mod user_id;
mod user_name;

pub use set_user_password::{Password, PasswordOperation, SetUserPassword};
pub use user_access::{GetUserAccess, SetUserAccess, UserAccess, UserFlags, UserStatus};
pub use user_id::{UserId, UserValueError};
pub use user_name::{GetUserName, SetUserName, UserName};
