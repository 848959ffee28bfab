//! The ways in which simulated BMCs differ.

use crate::quirks::Quirks;

/// The ways in which real BMCs differ.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SimQuirks {
    /// The form of refusals in the handshake.
    pub refusals: RefusalForm,
    /// Execute a datagram with a session sequence number that came before, as OpenBMC does.
    pub executes_replays: bool,
    /// Answer a repeated RAKP Message 3 inside the session, as OpenIPMI does.
    pub seals_repeated_rakp4: bool,
    /// Ignore commands in RMCP+ framing outside a session, as OpenIPMI did until 2025.
    pub ignores_sessionless_rmcp_plus: bool,
    /// Report a maximum privilege of 0 in Open Session Response, as OpenIPMI does.
    pub hides_privilege: bool,
    /// Deviations that the console must bear with. `opensesspriv` and its like are those of logins and sessions.
    pub needs: Quirks,
    /// Restart without an answer to the command that asks for it.
    pub resets_without_answer: bool,
    /// Refuse to name users that have no name.
    pub hides_unused_users: bool,
    /// Lose what arrives while a reply is due ([`Faults::delay`](crate::sim::Faults::delay)): there is one buffer.
    pub has_single_buffer: bool,
}

/// How much a refusal in the handshake says.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum RefusalForm {
    /// The eight bytes of the specification.
    #[default]
    Standard,
    /// Tag and status, as OpenIPMI does.
    Short,
    /// The length of the full message, all zero but the status, as OpenBMC does.
    ZeroFilled,
}

impl RefusalForm {
    /// Every form.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Short, Self::ZeroFilled];
}
