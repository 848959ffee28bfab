//! The users of the BMC in memory. Passwords are not kept.

use async_trait::async_trait;

use super::super::host::Host;
use super::MemorySession;
use crate::capability::{User, UserSettings, Users};
use crate::error::{Error, ErrorKind};

#[async_trait]
impl Users for MemorySession {
    async fn users(&self) -> Result<Vec<User>, Error> {
        self.request(|host| host.users.clone(), |_| Vec::new())
            .await
    }

    async fn set_user(&self, wanted: &UserSettings) -> Result<User, Error> {
        let set = self.request(|host| set(host, wanted), |_| Err(unknown()));
        set.await?
    }

    async fn set_user_enabled(&self, id: &str, enabled: bool) -> Result<(), Error> {
        let set = self.request(
            |host| {
                host.counters.user_sets += 1;
                let user = host.users.iter_mut().find(|user| user.id == id);
                user.ok_or_else(unknown)?.enabled = Some(enabled);
                Ok(())
            },
            |_| Ok(()),
        );
        set.await?
    }

    async fn delete_user(&self, id: &str) -> Result<(), Error> {
        let deleted = self.request(
            |host| {
                host.counters.user_sets += 1;
                host.users.retain(|user| user.id != id);
            },
            |()| (),
        );
        deleted.await
    }
}

fn set(host: &mut Host, wanted: &UserSettings) -> Result<User, Error> {
    host.counters.user_sets += 1;
    let is_meant = |user: &User| match (&wanted.id, &wanted.name) {
        (Some(id), _) => user.id == *id,
        (None, Some(name)) => user.name == *name,
        (None, None) => false,
    };
    let index = match host.users.iter().position(is_meant) {
        Some(index) => index,
        None => {
            host.users.push(create(host, wanted)?);
            host.users.len() - 1
        }
    };
    let user = host.users.get_mut(index).ok_or_else(unknown)?;
    if let Some(name) = &wanted.name {
        user.name.clone_from(name);
    }
    user.role = wanted.role.or(user.role);
    Ok(user.clone())
}

fn create(host: &Host, wanted: &UserSettings) -> Result<User, Error> {
    if wanted.id.is_some() {
        return Err(unknown());
    }
    let (Some(name), Some(_)) = (&wanted.name, &wanted.password) else {
        let message = "a new user needs a name and a password";
        return Err(Error::new(ErrorKind::InvalidInput, message));
    };
    let is_free = |id: &u32| host.users.iter().all(|user| user.id != id.to_string());
    Ok(User {
        id: (1..).find(is_free).unwrap_or(0).to_string(),
        name: name.clone(),
        enabled: Some(false),
        role: None,
    })
}

fn unknown() -> Error {
    Error::new(ErrorKind::NotFound, "no such user")
}
