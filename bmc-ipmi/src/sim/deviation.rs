//! The RMCP+ handshake of BMCs that need [`Quirks`] of the console.

use crate::codec::{DecodeError, Wire};
use crate::quirks::{Quirk, Quirks};
use crate::sim::Settings;
use crate::sim::session::Opening;
use crate::wire::{AuthCode, OpenSessionRequest, Privilege, Rakp1, Role, Status, Username};

impl Settings {
    /// Whether Open Session may ask for this privilege.
    pub(super) fn check_privilege(&self, request: &OpenSessionRequest) -> Result<(), Status> {
        let is_exact = request.privilege != Privilege::HIGHEST;
        if is_exact && self.needs(Quirk::HighestPrivilege) {
            return Err(Status::INVALID_ROLE);
        }
        Ok(())
    }

    /// Reads RAKP Message 1.
    pub(super) fn read_rakp1(&self, payload: &[u8]) -> Result<Rakp1, DecodeError> {
        if self.needs(Quirk::I82571Spt) && payload.len() == Rakp1::LONGEST {
            return Rakp1::from_prefix(payload);
        }
        Rakp1::from_bytes(payload)
    }

    /// Whether RAKP Message 1 has the form that the BMC wants.
    pub(super) fn check_rakp1(&self, request: &Rakp1, length: usize) -> Result<(), Status> {
        let is_padded = usize::from(request.username.length()) == Username::MAX;
        if self.needs(Quirk::Intel20) && !is_padded
            || self.needs(Quirk::I82571Spt) && length != Rakp1::LONGEST
        {
            return Err(Status::INVALID_NAME_LENGTH);
        }
        if self.needs(Quirk::NoNameOnly) && request.role.is_by_name() {
            return Err(Status::INVALID_ROLE);
        }
        Ok(())
    }

    /// The user name in RAKP Message 1.
    pub(super) fn name<'a>(&self, request: &'a Rakp1) -> &'a [u8] {
        let name = request.username.as_bytes();
        if !self.needs(Quirk::Intel20) {
            return name;
        }
        let end = name.iter().rposition(|byte| *byte != 0);
        name.get(..end.map_or(0, |last| last + 1)).unwrap_or(name)
    }

    /// The role that enters the codes.
    pub(super) fn hashed_role(&self, request: &Rakp1, opening: &Opening) -> Role {
        if !self.needs(Quirk::OpenSessionPrivilege) {
            return request.role;
        }
        if request.role.is_by_name() {
            Role::by_name(opening.privilege)
        } else {
            Role::by_name_and_privilege(opening.privilege)
        }
    }

    /// The code of RAKP Message 2 as sent.
    pub(super) fn sent_code(&self, code: AuthCode) -> AuthCode {
        let is_long = self.needs(Quirk::Supermicro20) || self.needs(Quirk::Sun20);
        if is_long { longer(code) } else { code }
    }

    /// The code of RAKP Message 4 as sent.
    pub(super) fn sent_check(&self, code: AuthCode) -> AuthCode {
        if code == AuthCode::EMPTY && self.needs(Quirk::IntegrityCheckValue) {
            return AuthCode::new(&[0xa5; 12]).unwrap_or(code);
        }
        self.sent_code(code)
    }

    pub(super) fn deviations(&self) -> Quirks {
        self.quirks.needs
    }

    pub(super) fn needs(&self, quirk: Quirk) -> bool {
        self.quirks.needs.has(quirk)
    }
}

/// A code with a byte more, as far as there is room.
fn longer(code: AuthCode) -> AuthCode {
    let longer = [code.as_bytes(), &[0]].concat();
    AuthCode::new(&longer).unwrap_or(code)
}
