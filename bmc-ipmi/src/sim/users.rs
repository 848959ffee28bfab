//! The BMC's table of users, which commands change and logins look into.

use bmc_core::{Credentials, Secret};

use crate::command::{
    Password, PasswordOperation, PayloadAccess, SetUserAccess, SetUserPassword, UserAccess,
    UserFlags, UserId, UserName, UserStatus,
};
use crate::wire::{CompletionCode, Privilege, Role, Status};

/// All places for users; user ID 1 is the first.
pub(super) struct Users(Vec<User>);

/// A user of the BMC, or a free place.
#[derive(Clone)]
pub(super) struct User {
    pub(super) name: UserName,
    pub(super) password: Secret,
    /// Whether the password is kept in 20 bytes, which do not serve IPMI v1.5.
    pub(super) is_long: bool,
    pub(super) status: UserStatus,
    pub(super) flags: UserFlags,
    pub(super) limit: Privilege,
    pub(super) payloads: PayloadAccess,
}

/// Places, unless more users are set up.
const PLACES: usize = 16;

impl Users {
    /// A table with these users behind the one without a name, who has the first place.
    pub(super) fn new(users: &[(Credentials, Privilege)]) -> Self {
        let mut table = vec![User::free()];
        for (credentials, limit) in users {
            let user = User::enabled(credentials, *limit);
            match table.first_mut() {
                Some(first) if user.name.is_empty() => *first = user,
                _ => table.push(user),
            }
        }
        let places = table.len().max(PLACES);
        table.resize_with(places, User::free);
        Self(table)
    }

    pub(super) fn get(&self, index: usize) -> Option<&User> {
        self.0.get(index)
    }

    /// The user with this ID.
    pub(super) fn user(&mut self, id: UserId) -> Result<&mut User, CompletionCode> {
        let index = usize::from(id.value()).checked_sub(1);
        let user = index.and_then(|index| self.0.get_mut(index));
        user.ok_or(CompletionCode::OUT_OF_RANGE)
    }

    pub(super) fn named(&mut self, name: &str) -> Option<&mut User> {
        let mut users = self.0.iter_mut();
        users.find(|user| user.name.as_bytes() == name.as_bytes())
    }

    /// The user who wants to log in, and its index.
    pub(super) fn find(&self, name: &[u8], role: Role) -> Result<(usize, &User), Status> {
        let requested = role.privilege();
        if requested < Privilege::CALLBACK {
            return Err(Status::UNAUTHORIZED_ROLE);
        }
        let users = self.0.iter().enumerate();
        let mut found = users.filter(|(_, user)| user.may_log_in() && user.name.as_bytes() == name);
        // Without the name-only bit, name and privilege together select the user.
        let user = found.find(|(_, user)| role.is_by_name() || user.limit == requested);
        let (index, user) = user.ok_or(Status::UNAUTHORIZED_NAME)?;
        if requested > user.limit {
            return Err(Status::UNAUTHORIZED_ROLE);
        }
        Ok((index, user))
    }

    pub(super) fn access(&mut self, id: UserId) -> Result<UserAccess, CompletionCode> {
        let is_enabled = |user: &&User| user.status == UserStatus::ENABLED;
        let enabled_users = self.0.iter().filter(is_enabled).count();
        let max_users = self.0.len();
        let user = self.user(id)?;
        Ok(UserAccess {
            max_users: six_bits(max_users),
            status: user.status,
            enabled_users: six_bits(enabled_users),
            fixed_names: 1,
            flags: user.flags,
            limit: user.limit,
        })
    }

    pub(super) fn set_access(&mut self, command: &SetUserAccess) -> Result<(), CompletionCode> {
        if command.session_limit.is_some_and(|limit| limit != 0) {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        let user = self.user(command.user)?;
        user.flags = command.flags.unwrap_or(user.flags);
        user.limit = command.limit;
        Ok(())
    }

    pub(super) fn set_name(&mut self, id: UserId, name: UserName) -> Result<(), CompletionCode> {
        let is_taken = !name.is_empty() && self.0.iter().any(|user| user.name == name);
        let user = self.user(id)?;
        if user.name == name {
            return Ok(());
        }
        if id == UserId::NULL_USER || is_taken {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        user.name = name;
        Ok(())
    }

    pub(super) fn set_password(&mut self, command: &SetUserPassword) -> Result<(), CompletionCode> {
        let user = self.user(command.user)?;
        match &command.operation {
            PasswordOperation::Disable => user.status = UserStatus::DISABLED,
            PasswordOperation::Enable => user.status = UserStatus::ENABLED,
            PasswordOperation::Set(password) => {
                user.password = password.secret().clone();
                user.is_long = password.is_long();
            }
            PasswordOperation::Test(password) => {
                if password.is_long() != user.is_long {
                    return Err(SetUserPassword::OTHER_FORM);
                }
                if *password.secret() != user.password {
                    return Err(SetUserPassword::WRONG);
                }
            }
        }
        Ok(())
    }
}

impl User {
    fn free() -> Self {
        Self {
            name: UserName::default(),
            password: Secret::new([]),
            is_long: false,
            status: UserStatus::UNSPECIFIED,
            flags: UserFlags::default(),
            limit: UserAccess::NO_ACCESS,
            payloads: PayloadAccess::default(),
        }
    }

    fn enabled(credentials: &Credentials, limit: Privilege) -> Self {
        Self {
            name: UserName::new(credentials.username.as_bytes()).unwrap_or_default(),
            password: credentials.password.clone(),
            is_long: credentials.password.len() > Password::SHORT,
            status: UserStatus::ENABLED,
            flags: UserFlags::LAN,
            limit,
            payloads: PayloadAccess::SOL,
        }
    }

    fn may_log_in(&self) -> bool {
        self.status == UserStatus::ENABLED
            && self.flags.messaging
            && self.limit != UserAccess::NO_ACCESS
    }
}

fn six_bits(count: usize) -> u8 {
    u8::try_from(count).map_or(UserId::MAX, |count| count.min(UserId::MAX))
}
