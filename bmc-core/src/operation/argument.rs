//! What an operation is given.

use crate::capability::{BootOverride, IdentifyAction, UserSettings};

/// What an operation is given, as far as protocols differ in what they allow.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Argument<'a> {
    /// A boot override to set.
    BootOverride(BootOverride),
    /// What the identify light is to do.
    Identify(IdentifyAction),
    /// What a user is to be.
    User(&'a UserSettings),
    /// The id of a user that is to be changed.
    UserId(&'a str),
}
