//! Users, and what they may do on the LAN channel.

use async_trait::async_trait;
use bmc_core::{Effect, Error as CoreError, ErrorKind, User, UserRole, UserSettings, Users};
use tokio::time::Instant;

use super::session::{IpmiSession, without_effect};
use crate::command::{Password, UserAccess, UserId, UserName, UserStatus, UserValueError};
use crate::device::{self, Deletion, NewUser};
use crate::error::Error;
use crate::wire::Privilege;

#[async_trait]
impl Users for IpmiSession {
    async fn users(&self) -> Result<Vec<User>, CoreError> {
        let deadline = self.sweep_deadline();
        let device = self.lan_users(deadline).await?;
        let users = device.list(deadline).await.map_err(without_effect)?;
        Ok(users.iter().map(user).collect())
    }

    async fn set_user(&self, wanted: &UserSettings) -> Result<User, CoreError> {
        let wish = Wish::new(wanted)?;
        let deadline = self.sweep_deadline();
        let device = self.lan_users(deadline).await?;
        let existing = match (wish.id, wish.name) {
            (Some(id), _) => Some(known(&device, id, deadline).await?),
            (None, Some(name)) => device.find(&name, deadline).await.map_err(without_effect)?,
            (None, None) => None,
        };
        let id = match existing {
            Some(id) => {
                change(&device, id, &wish, deadline).await?;
                id
            }
            None => create(&device, &wish, deadline).await?,
        };
        let seen = read(&device, id, deadline).await.map_err(after)?;
        let is_kept = wish.name.is_none_or(|name| text(&name) == seen.name)
            && wanted.role.is_none_or(|role| seen.role == Some(role));
        match is_kept {
            true => Ok(seen),
            false => Err(not_kept(format!(
                "user {id} is {:?} with role {:?}",
                seen.name, seen.role
            ))),
        }
    }

    async fn set_user_enabled(&self, id: &str, enabled: bool) -> Result<(), CoreError> {
        let id = number(id)?;
        let deadline = self.sweep_deadline();
        let device = self.lan_users(deadline).await?;
        known(&device, id, deadline).await?;
        device.set_enabled(id, enabled, deadline).await?;
        // A BMC that does not tell is believed.
        let unwanted = match enabled {
            true => UserStatus::DISABLED,
            false => UserStatus::ENABLED,
        };
        match device.access(id, deadline).await {
            Ok(access) if access.status == unwanted => {
                Err(not_kept(format!("user {id} is {}", access.status)))
            }
            _ => Ok(()),
        }
    }

    async fn delete_user(&self, id: &str) -> Result<(), CoreError> {
        let id = number(id)?;
        let deadline = self.sweep_deadline();
        let device = self.lan_users(deadline).await?;
        if device
            .name(id, deadline)
            .await
            .map_err(without_effect)?
            .is_empty()
        {
            return Ok(());
        }
        match device.delete(id, deadline).await? {
            Deletion::Removed => Ok(()),
            Deletion::Disabled => Err(not_kept(format!(
                "user {id} keeps its name; it is disabled and has no access"
            ))),
        }
    }
}

impl IpmiSession {
    async fn lan_users(&self, deadline: Instant) -> Result<device::Users, CoreError> {
        let users = device::Users::on_lan(self.client(), deadline).await;
        users.map_err(without_effect)
    }
}

/// Settings in IPMI's terms, checked before anything is sent.
pub(super) struct Wish {
    id: Option<UserId>,
    name: Option<UserName>,
    password: Option<Password>,
    limit: Option<Privilege>,
}

impl Wish {
    pub(super) fn new(wanted: &UserSettings) -> Result<Self, CoreError> {
        if wanted.id.is_none() && wanted.name.is_none() {
            return Err(invalid("user ID or name is missing"));
        }
        let name = wanted
            .name
            .as_ref()
            .map(|name| UserName::new(name.as_bytes()));
        let name = name.transpose().map_err(refused)?;
        if name.is_some_and(|name| name.is_empty()) {
            return Err(invalid("user name is empty"));
        }
        let password = wanted.password.clone().map(Password::new);
        Ok(Self {
            id: wanted.id.as_deref().map(number).transpose()?,
            name,
            password: password.transpose().map_err(refused)?,
            limit: wanted.role.map(limit).transpose()?,
        })
    }
}

/// Changes what is wished of a user that exists.
async fn change(
    device: &device::Users,
    id: UserId,
    wish: &Wish,
    deadline: Instant,
) -> Result<(), CoreError> {
    let mut is_touched = false;
    let mut note = |result: Result<(), Error>| match result {
        Ok(()) => {
            is_touched = true;
            Ok(())
        }
        Err(error) if is_touched => Err(after(error)),
        Err(error) => Err(error.into()),
    };
    if let Some(name) = wish.name
        && device.name(id, deadline).await.map_err(without_effect)? != name
    {
        note(device.set_name(id, name, deadline).await)?;
    }
    if let Some(password) = &wish.password {
        note(device.set_password(id, password, deadline).await)?;
    }
    if let Some(limit) = wish.limit {
        note(device.set_privilege(id, limit, deadline).await)?;
    }
    Ok(())
}

async fn create(
    device: &device::Users,
    wish: &Wish,
    deadline: Instant,
) -> Result<UserId, CoreError> {
    let Some(name) = wish.name else {
        return Err(invalid("a new user needs a name"));
    };
    let Some(password) = &wish.password else {
        let name = text(&name);
        return Err(invalid(format!(
            "BMC has no user {name:?}, and a new one needs a new password"
        )));
    };
    let limit = wish.limit.unwrap_or(UserAccess::NO_ACCESS);
    let new = NewUser::new(&text(&name), password.clone(), limit).map_err(refused)?;
    Ok(device.create(&new.enabled(false), deadline).await?)
}

/// The user, who must exist.
async fn known(device: &device::Users, id: UserId, deadline: Instant) -> Result<UserId, CoreError> {
    let name = device.name(id, deadline).await.map_err(without_effect)?;
    if name.is_empty() && id != UserId::NULL_USER {
        return Err(CoreError::new(
            ErrorKind::NotFound,
            format!("BMC has no user {id}"),
        ));
    }
    Ok(id)
}

async fn read(device: &device::Users, id: UserId, deadline: Instant) -> Result<User, Error> {
    let name = device.name(id, deadline).await?;
    let access = device.access(id, deadline).await?;
    Ok(user(&device::User { id, name, access }))
}

fn user(user: &device::User) -> User {
    User {
        id: user.id.to_string(),
        name: text(&user.name),
        enabled: match user.access.status {
            UserStatus::ENABLED => Some(true),
            UserStatus::DISABLED => Some(false),
            _ => None,
        },
        role: match user.access.limit {
            Privilege::CALLBACK => Some(UserRole::Callback),
            Privilege::USER => Some(UserRole::User),
            Privilege::OPERATOR => Some(UserRole::Operator),
            Privilege::ADMINISTRATOR => Some(UserRole::Administrator),
            UserAccess::NO_ACCESS => Some(UserRole::None),
            _ => None,
        },
    }
}

fn limit(role: UserRole) -> Result<Privilege, CoreError> {
    match role {
        UserRole::None => Ok(UserAccess::NO_ACCESS),
        UserRole::Callback => Ok(Privilege::CALLBACK),
        UserRole::User => Ok(Privilege::USER),
        UserRole::Operator => Ok(Privilege::OPERATOR),
        UserRole::Administrator => Ok(Privilege::ADMINISTRATOR),
        other => Err(CoreError::new(
            ErrorKind::Unsupported,
            format!("IPMI has no user role {other}"),
        )),
    }
}

pub(super) fn number(id: &str) -> Result<UserId, CoreError> {
    let known = id.parse().ok().and_then(|id: u8| UserId::new(id).ok());
    known.ok_or_else(|| {
        invalid(format!(
            "user ID {:?} is not a number from 1 to 63",
            shortened(id)
        ))
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(16).collect()
}

fn text(name: &UserName) -> String {
    String::from_utf8_lossy(name.as_bytes()).into_owned()
}

fn invalid(message: impl Into<std::borrow::Cow<'static, str>>) -> CoreError {
    CoreError::new(ErrorKind::InvalidInput, message)
}

fn refused(error: UserValueError) -> CoreError {
    invalid("wrong argument").with_source(error)
}

/// The error of a step behind one that has changed something.
fn after(error: Error) -> CoreError {
    CoreError::from(error).with_effect(Effect::Unknown)
}

fn not_kept(seen: String) -> CoreError {
    CoreError::new(ErrorKind::Rejected, format!("BMC accepted it, but {seen}"))
        .with_effect(Effect::Unknown)
}
