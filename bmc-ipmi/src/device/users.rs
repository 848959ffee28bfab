//! The BMC's users.

mod create;

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{
    GetUserAccess, GetUserName, GetUserPayloadAccess, Password, PasswordOperation, PayloadAccess,
    SetUserAccess, SetUserName, SetUserPassword, SetUserPayloadAccess, UserAccess, UserFlags,
    UserId, UserName,
};
use crate::device::{Channels, DeviceError};
use crate::error::Error;
use crate::wire::{CompletionCode, Privilege};

pub use create::NewUser;

/// The BMC's users, and what they may do on one channel.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::{sync::Arc, time::Duration};
/// # use bmc_core::{Credentials, Endpoint};
/// # use bmc_ipmi::{Client, Login, Transport, proto::Known};
/// use bmc_ipmi::command::Password;
/// use bmc_ipmi::device::{NewUser, Users};
/// use bmc_ipmi::wire::Privilege;
/// use tokio::time::Instant;
///
/// # let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?;
/// # let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
/// # let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
/// # let deadline = Instant::now() + Duration::from_secs(5);
/// # let client = Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
/// let users = Users::on_lan(&client, deadline).await?;
/// let metrics = NewUser::new("metrics", Password::new("correct horse")?, Privilege::USER)?;
/// let id = users.create(&metrics, deadline).await?;
/// assert_eq!(users.list(deadline).await?.len(), 2);
/// users.delete(id, deadline).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Users {
    client: Client,
    channel: u8,
}

/// A user of the BMC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct User {
    /// Number.
    pub id: UserId,
    /// Name.
    pub name: UserName,
    /// What the user may do on the channel, and whether the user is enabled.
    pub access: UserAccess,
}

/// What became of a user that was to be deleted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Deletion {
    /// The place is free.
    Removed,
    /// The BMC keeps the name, but the user is disabled and has no access.
    Disabled,
}

impl Users {
    /// The users, and what they may do on the LAN channel.
    ///
    /// # Errors
    /// As [`Channels::lan`].
    pub async fn on_lan(client: &Client, deadline: Instant) -> Result<Self, Error> {
        let channel = Channels::new(client).lan(deadline).await?;
        Ok(Self::on_channel(client, channel))
    }

    /// The users, and what they may do on this channel.
    pub fn on_channel(client: &Client, channel: u8) -> Self {
        let client = client.clone();
        Self { client, channel }
    }

    /// All users in the order of their numbers; free places are left out.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn list(&self, deadline: Instant) -> Result<Vec<User>, Error> {
        let mut users = Vec::new();
        let null_user = self.access(UserId::NULL_USER, deadline).await?;
        for id in places(null_user.max_users) {
            let name = self.name(id, deadline).await?;
            let access = match id {
                UserId::NULL_USER if name.is_empty() && !can_log_in(&null_user) => continue,
                UserId::NULL_USER => null_user,
                _ if name.is_empty() => continue,
                _ => self.access(id, deadline).await?,
            };
            users.push(User { id, name, access });
        }
        Ok(users)
    }

    /// What a user may do, and whether the user is enabled.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn access(&self, user: UserId, deadline: Instant) -> Result<UserAccess, Error> {
        let channel = self.channel;
        self.execute(&GetUserAccess { channel, user }, deadline)
            .await
    }

    /// Name of a user; empty if the place is free.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn name(&self, user: UserId, deadline: Instant) -> Result<UserName, Error> {
        match self.execute(&GetUserName(user), deadline).await {
            Err(error) if is_absent(&error) => Ok(UserName::default()),
            other => other,
        }
    }

    /// The number of the user with this name.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn find(&self, name: &UserName, deadline: Instant) -> Result<Option<UserId>, Error> {
        let places = places(self.access(UserId::NULL_USER, deadline).await?.max_users);
        for id in places {
            if !name.is_empty() && self.name(id, deadline).await? == *name {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Gives a user another name.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn set_name(
        &self,
        user: UserId,
        name: UserName,
        deadline: Instant,
    ) -> Result<(), Error> {
        self.execute(&SetUserName { user, name }, deadline).await
    }

    /// Gives a user another password, and has the BMC test it.
    ///
    /// # Errors
    /// [`DeviceError::PasswordNotKept`] if the BMC has only accepted it. Else as [`Client::execute`].
    pub async fn set_password(
        &self,
        user: UserId,
        password: &Password,
        deadline: Instant,
    ) -> Result<(), Error> {
        let operation = PasswordOperation::Set(password.clone());
        self.execute(&SetUserPassword { user, operation }, deadline)
            .await?;
        match self.test_password(user, password, deadline).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(DeviceError::PasswordNotKept(user).into()),
            // Not every BMC can test.
            Err(error) if error.completion().is_some() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Whether this is the user's password, in the form that the BMC keeps.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn test_password(
        &self,
        user: UserId,
        password: &Password,
        deadline: Instant,
    ) -> Result<bool, Error> {
        let operation = PasswordOperation::Test(password.clone());
        let command = SetUserPassword { user, operation };
        match self.execute(&command, deadline).await {
            Ok(()) => Ok(true),
            Err(error) if is_mismatch(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Lets a user log in, or no longer.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn set_enabled(
        &self,
        user: UserId,
        is_enabled: bool,
        deadline: Instant,
    ) -> Result<(), Error> {
        let operation = match is_enabled {
            true => PasswordOperation::Enable,
            false => PasswordOperation::Disable,
        };
        self.execute(&SetUserPassword { user, operation }, deadline)
            .await
    }

    /// Changes the highest privilege of a user's sessions, and lets the user have sessions.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn set_privilege(
        &self,
        user: UserId,
        limit: Privilege,
        deadline: Instant,
    ) -> Result<(), Error> {
        self.set_access(user, UserFlags::LAN, limit, deadline).await
    }

    /// Allows Serial over LAN to a user, or no longer.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn set_sol(
        &self,
        user: UserId,
        is_allowed: bool,
        deadline: Instant,
    ) -> Result<(), Error> {
        let command = SetUserPayloadAccess {
            channel: self.channel,
            user,
            enable: is_allowed,
            payloads: PayloadAccess::SOL,
        };
        self.execute(&command, deadline).await
    }

    /// The payloads that a user may use.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn payloads(&self, user: UserId, deadline: Instant) -> Result<PayloadAccess, Error> {
        let channel = self.channel;
        self.execute(&GetUserPayloadAccess { channel, user }, deadline)
            .await
    }

    /// Disables a user, takes away all access and, where the BMC lets that happen, the name.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for user 1, who cannot be deleted: nothing was sent. Else as [`Client::execute`].
    pub async fn delete(&self, user: UserId, deadline: Instant) -> Result<Deletion, Error> {
        if user == UserId::NULL_USER {
            return Err(invalid(
                "user ID",
                "must not be 1, a user who cannot be deleted",
            ));
        }
        self.set_enabled(user, false, deadline).await?;
        self.withdraw(user, deadline).await?;
        match self.set_name(user, UserName::default(), deadline).await {
            Ok(()) => Ok(Deletion::Removed),
            Err(error) if error.completion().is_some() => Ok(Deletion::Disabled),
            Err(error) => Err(error),
        }
    }

    /// Takes away all access.
    async fn withdraw(&self, user: UserId, deadline: Instant) -> Result<(), Error> {
        let none = UserFlags::default();
        self.set_access(user, none, UserAccess::NO_ACCESS, deadline)
            .await
    }

    async fn set_access(
        &self,
        user: UserId,
        flags: UserFlags,
        limit: Privilege,
        deadline: Instant,
    ) -> Result<(), Error> {
        let command = SetUserAccess {
            channel: self.channel,
            user,
            flags: Some(flags),
            limit,
            session_limit: None,
        };
        self.execute(&command, deadline).await
    }

    async fn execute<C: crate::command::Command>(
        &self,
        command: &C,
        deadline: Instant,
    ) -> Result<C::Response, Error> {
        self.client.execute(command, deadline).await
    }
}

/// The numbers that a BMC with so many places may use.
fn places(max_users: u8) -> impl Iterator<Item = UserId> {
    (1..=max_users).map_while(|id| UserId::new(id).ok())
}

fn can_log_in(access: &UserAccess) -> bool {
    access.flags.messaging
        && access.limit != UserAccess::NO_ACCESS
        && access.status != crate::command::UserStatus::DISABLED
}

/// Whether the BMC says that there is no such user.
fn is_absent(error: &Error) -> bool {
    error.completion().is_some_and(|code| {
        matches!(
            code,
            CompletionCode::OUT_OF_RANGE
                | CompletionCode::NOT_PRESENT
                | CompletionCode::INVALID_DATA_FIELD
                | CompletionCode::ILLEGAL_FOR_SENSOR
                | CompletionCode::UNSPECIFIED
        )
    })
}

fn is_mismatch(error: &Error) -> bool {
    matches!(
        error.completion(),
        Some(SetUserPassword::WRONG | SetUserPassword::OTHER_FORM)
    )
}

fn invalid(field: &'static str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    Error::InvalidInput { field, reason }
}
