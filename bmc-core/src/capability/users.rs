//! Who may log in to the BMC.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::secret::Secret;
use crate::vocabulary::{UnknownWord, word};

/// Lists and changes the BMC's users.
#[async_trait]
pub trait Users: Send + Sync {
    /// Reads all users, in the BMC's order; unused places are left out.
    async fn users(&self) -> Result<Vec<User>, Error>;

    /// Changes a user, or creates one, and reads back how it stands then.
    ///
    /// A user that is created without a role gets none, and is not enabled by it.
    async fn set_user(&self, wanted: &UserSettings) -> Result<User, Error>;

    /// Lets a user log in, or no longer. Succeeds when it is so already.
    async fn set_user_enabled(&self, id: &str, enabled: bool) -> Result<(), Error>;

    /// Deletes a user. Succeeds when there is none.
    async fn delete_user(&self, id: &str) -> Result<(), Error>;
}

/// A user of the BMC.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// What the protocol calls it, such as its number.
    pub id: String,
    /// The name to log in with.
    pub name: String,
    /// Whether it may log in; `None` if the BMC does not tell.
    pub enabled: Option<bool>,
    /// What it may do; `None` for a role that has no word here.
    pub role: Option<UserRole>,
}

/// What a user is to be. What is `None` stays.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct UserSettings {
    /// The user to change; without one, the user of that name, which is created if there is none.
    pub id: Option<String>,
    /// The name. Necessary without an id.
    pub name: Option<String>,
    /// The password. Necessary to create a user.
    pub password: Option<Secret>,
    /// What it may do.
    pub role: Option<UserRole>,
}

/// What a user may do, from least to most.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UserRole {
    /// Nothing.
    None,
    /// Have the BMC call back.
    Callback,
    /// Read.
    User,
    /// Switch the host, but not change the BMC.
    Operator,
    /// Everything.
    Administrator,
}

word!(UserRole, "user role" {
    None => "none", Callback => "callback", User => "user", Operator => "operator",
    Administrator => "administrator",
});
