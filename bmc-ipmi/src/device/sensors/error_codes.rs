//! Completion codes instead of a reading.

use crate::error::Error;
use crate::wire::CompletionCode;

/// The code by which a BMC says that it has no reading: any but those that the caller must know of.
///
/// # Errors
/// The failure is no such code.
pub(super) fn no_reading(error: Error) -> Result<CompletionCode, Error> {
    match &error {
        // An absent controller has no readings either.
        Error::Bridge { code, .. } => Ok(*code),
        _ => match error.completion() {
            None | Some(CompletionCode::INSUFFICIENT_PRIVILEGE) => Err(error),
            Some(code) => Ok(code),
        },
    }
}
