//! Operations on the BMC's users.

use async_trait::async_trait;

use super::{Argument, Operation, Repeat, answer};
use crate::capability::{User, UserSettings};
use crate::error::Error;
use crate::provider::Session;

/// Lists the users.
#[derive(Clone, Copy, Debug)]
pub struct GetUsers;

/// Changes or creates a user.
#[derive(Clone, Debug)]
pub struct SetUser(pub UserSettings);

/// Lets a user log in, or no longer.
#[derive(Clone, Debug)]
pub struct SetUserEnabled {
    /// The user's id.
    pub id: String,
    /// Whether it may log in.
    pub enabled: bool,
}

/// Deletes a user.
#[derive(Clone, Debug)]
pub struct DeleteUser {
    /// The user's id.
    pub id: String,
}

#[async_trait]
impl Operation for GetUsers {
    type Output = Vec<User>;

    fn name(&self) -> &'static str {
        "users list"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    fn is_sweep(&self) -> bool {
        true
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<Vec<User>, Error>> {
        Some(session.users()?.users().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<Vec<User>>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for SetUser {
    type Output = User;

    fn name(&self) -> &'static str {
        "user set"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    fn is_sweep(&self) -> bool {
        true
    }

    fn argument(&self) -> Option<Argument<'_>> {
        Some(Argument::User(&self.0))
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<User, Error>> {
        Some(session.users()?.set_user(&self.0).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<User>, Error>> {
        let users = answer(session.users()?.users().await)?;
        Some(users.map(|users| users.into_iter().find(|user| is_as_wanted(user, &self.0))))
    }
}

#[async_trait]
impl Operation for SetUserEnabled {
    type Output = ();

    fn name(&self) -> &'static str {
        match self.enabled {
            true => "user enable",
            false => "user disable",
        }
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    fn is_sweep(&self) -> bool {
        true
    }

    fn argument(&self) -> Option<Argument<'_>> {
        Some(Argument::UserId(&self.id))
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        let users = session.users()?;
        Some(users.set_user_enabled(&self.id, self.enabled).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let users = answer(session.users()?.users().await)?;
        let is_so = |user: &User| user.id == self.id && user.enabled == Some(self.enabled);
        Some(users.map(|users| users.iter().any(is_so).then_some(())))
    }
}

#[async_trait]
impl Operation for DeleteUser {
    type Output = ();

    fn name(&self) -> &'static str {
        "user delete"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    fn is_sweep(&self) -> bool {
        true
    }

    fn argument(&self) -> Option<Argument<'_>> {
        Some(Argument::UserId(&self.id))
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.users()?.delete_user(&self.id).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let users = answer(session.users()?.users().await)?;
        Some(users.map(|users| users.iter().all(|user| user.id != self.id).then_some(())))
    }
}

/// A password cannot be looked at: it is set again, which makes no difference.
fn is_as_wanted(user: &User, wanted: &UserSettings) -> bool {
    let is_same = |seen: &String, wanted: &Option<String>| {
        wanted.as_ref().is_none_or(|wanted| wanted == seen)
    };
    wanted.password.is_none()
        && (wanted.id.is_some() || wanted.name.is_some())
        && is_same(&user.id, &wanted.id)
        && is_same(&user.name, &wanted.name)
        && wanted.role.is_none_or(|role| user.role == Some(role))
}
