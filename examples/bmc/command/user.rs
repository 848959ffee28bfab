//! `bmc user`.

use std::error::Error;
use std::path::PathBuf;

use async_trait::async_trait;
use bmc_core::{
    DeleteUser, GetUsers, Secret, SetUser, SetUserEnabled, User as BmcUser, UserRole, UserSettings,
};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use examples::password::Source;

use super::super::table::{or_na, table};
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum User {
    /// The users, without unused places
    List(Targets),
    /// Change a user, or create one, who needs a new password and logs in after `user enable`
    Set(Set),
    /// Let a user log in
    Enable(One),
    /// Let a user no longer log in
    Disable(One),
    /// Delete a user
    Delete(One),
}

#[derive(Debug, clap::Args)]
pub struct One {
    /// What `user list` shows as id
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    of: Targets,
}

#[derive(Debug, clap::Args)]
pub struct Set {
    /// The user to change; without it, the user of that name
    #[arg(long, required_unless_present = "name")]
    id: Option<String>,
    /// The name to log in with
    #[arg(long, required_unless_present = "id")]
    name: Option<String>,
    /// What the user may do
    #[arg(long, value_parser = role())]
    role: Option<UserRole>,
    /// Ask on the terminal for a new password
    #[arg(long, conflicts_with_all = ["new_password_env", "new_password_file"])]
    new_password: bool,
    /// Environment variable that holds the new password
    #[arg(long, value_name = "VAR", conflicts_with = "new_password_file")]
    new_password_env: Option<String>,
    /// File whose first line is the new password
    #[arg(long, value_name = "FILE")]
    new_password_file: Option<PathBuf>,
    #[arg(skip)]
    password: Option<Secret>,
    #[command(flatten)]
    of: Targets,
}

#[async_trait(?Send)]
impl Request for User {
    fn name(&self) -> &'static str {
        match self {
            Self::List(_) => "user list",
            Self::Set(_) => "user set",
            Self::Enable(_) => "user enable",
            Self::Disable(_) => "user disable",
            Self::Delete(_) => "user delete",
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::List(of) => &of.targets,
            Self::Set(set) => &set.of.targets,
            Self::Enable(one) | Self::Disable(one) | Self::Delete(one) => &one.of.targets,
        }
    }

    fn prepare(&mut self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Set(set) => set.prepare(),
            _ => Ok(()),
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        let accepted = |()| Answer::accepted();
        match self {
            Self::List(_) => {
                call.ask(GetUsers, |users| {
                    Answer::new("users", &users, words(&users))
                })
                .await
            }
            Self::Set(set) => {
                call.ask(SetUser(set.settings()), |user| {
                    let cells = cells(&user).join(" | ");
                    Answer::new("user", &user, cells)
                })
                .await
            }
            Self::Enable(one) => call.ask(one.enabled(true), accepted).await,
            Self::Disable(one) => call.ask(one.enabled(false), accepted).await,
            Self::Delete(one) => call.ask(one.deletion(), accepted).await,
        }
    }
}

impl One {
    fn enabled(&self, enabled: bool) -> SetUserEnabled {
        let id = self.id.clone();
        SetUserEnabled { id, enabled }
    }

    fn deletion(&self) -> DeleteUser {
        let id = self.id.clone();
        DeleteUser { id }
    }
}

impl Set {
    fn settings(&self) -> UserSettings {
        UserSettings {
            id: self.id.clone(),
            name: self.name.clone(),
            password: self.password.clone(),
            role: self.role,
        }
    }

    /// Whether neither role nor name is to change.
    fn is_idle(&self) -> bool {
        self.role.is_none() && (self.id.is_none() || self.name.is_none())
    }

    fn prepare(&mut self) -> Result<(), Box<dyn Error>> {
        let source = match (&self.new_password_env, &self.new_password_file) {
            (Some(name), _) => Source::Variable(name.clone()),
            (None, Some(path)) => Source::File(path.clone()),
            (None, None) if self.new_password => Source::Prompt,
            (None, None) if self.is_idle() => {
                return Err(
                    "nothing to set: give --role, a new password, or --name with --id".into(),
                );
            }
            (None, None) => return Ok(()),
        };
        let whose = self.name.as_ref().or(self.id.as_ref());
        let whose = whose.map(String::as_str).unwrap_or_default();
        self.password = Some(source.read(&format!("{whose} (new)"))?);
        Ok(())
    }
}

fn words(users: &[BmcUser]) -> String {
    table(["id", "name", "enabled", "role"], users.iter().map(cells))
}

fn cells(user: &BmcUser) -> [String; 4] {
    let enabled = user
        .enabled
        .map(|enabled| if enabled { "yes" } else { "no" });
    [
        user.id.clone(),
        user.name.clone(),
        or_na(enabled),
        or_na(user.role),
    ]
}

fn role() -> impl TypedValueParser<Value = UserRole> {
    PossibleValuesParser::new(UserRole::ALL.iter().map(|role| role.as_str()))
        .try_map(|word| word.parse::<UserRole>())
}
