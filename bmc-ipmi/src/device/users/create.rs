//! New users.

use tokio::time::Instant;

use super::{Users, invalid, places};
use crate::command::{Password, UserAccess, UserId, UserName, UserValueError};
use crate::device::DeviceError;
use crate::error::Error;
use crate::wire::Privilege;

/// A user to be created.
#[derive(Clone, Debug)]
pub struct NewUser {
    name: UserName,
    password: Password,
    limit: Privilege,
    sol: bool,
    enabled: bool,
}

impl NewUser {
    /// A user who is enabled and may have sessions up to `limit`, without Serial over LAN.
    ///
    /// # Errors
    /// The name does not fit.
    pub fn new(name: &str, password: Password, limit: Privilege) -> Result<Self, UserValueError> {
        Ok(Self {
            name: UserName::new(name.as_bytes())?,
            password,
            limit,
            sol: false,
            enabled: true,
        })
    }

    /// Whether the user may use Serial over LAN.
    #[must_use]
    pub fn sol(self, sol: bool) -> Self {
        Self { sol, ..self }
    }

    /// Whether the user may log in.
    #[must_use]
    pub fn enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }
}

impl Users {
    /// Creates a user at the first free place. What was left there of another user is overwritten; if a step is refused,
    /// or the BMC does not keep the password, the place is freed again.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the name is empty or taken, [`DeviceError::Missing`] if there is no free place. Else as
    /// [`Client::execute`](crate::Client::execute).
    pub async fn create(&self, new: &NewUser, deadline: Instant) -> Result<UserId, Error> {
        if new.name.is_empty() {
            return Err(invalid("user name", "must not be empty"));
        }
        let id = self.free_place(&new.name, deadline).await?;
        let created = self.set_up(id, new, deadline).await;
        if let Err(error) = &created
            && (error.completion().is_some() || matches!(error, Error::Device(_)))
        {
            self.free(id, deadline).await;
        }
        created.map(|()| id)
    }

    /// The order matters: a user is enabled only when name and password are known, else some BMCs refuse.
    async fn set_up(&self, id: UserId, new: &NewUser, deadline: Instant) -> Result<(), Error> {
        self.set_name(id, new.name, deadline).await?;
        self.set_password(id, &new.password, deadline).await?;
        self.set_enabled(id, new.enabled, deadline).await?;
        self.set_privilege(id, new.limit, deadline).await?;
        match self.set_sol(id, new.sol, deadline).await {
            // A BMC without the command has no Serial over LAN to forbid.
            Err(error) if !new.sol && error.completion().is_some() => Ok(()),
            other => other,
        }
    }

    /// Undoes what can be undone: the refusal that led here is the one to report.
    async fn free(&self, id: UserId, deadline: Instant) {
        let _ = self.set_enabled(id, false, deadline).await;
        let _ = self.withdraw(id, deadline).await;
        let _ = self.set_name(id, UserName::default(), deadline).await;
    }

    async fn free_place(&self, name: &UserName, deadline: Instant) -> Result<UserId, Error> {
        let UserAccess {
            max_users,
            fixed_names,
            ..
        } = self.access(UserId::NULL_USER, deadline).await?;
        let mut free = None;
        for id in places(max_users) {
            let found = self.name(id, deadline).await?;
            if found == *name {
                return Err(invalid("user name", format!("is that of user {id}")));
            }
            if found.is_empty() && id.value() > fixed_names.max(1) {
                free = free.or(Some(id));
            }
        }
        free.ok_or_else(|| DeviceError::Missing("free place for a user").into())
    }
}
