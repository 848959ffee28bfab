//! A word outside any session, in IPMI v1.5 framing, that every BMC answers.

use crate::codec::Wire;
use crate::command::{Command, GetChannelAuthCapabilities};
use crate::proto::discovery::sessionless_message;
use crate::wire::lan::LanRequest;
use crate::wire::{LanResponse, Privilege, SessionV15};

/// Greetings are answered or they do not help.
const MAX_GREETINGS: u32 = 3;

/// Greets a BMC that does not answer Open Session.
///
/// pyghmi and VirtualBMC are silent while they take the console's address and port for those of a session that they
/// still remember; a datagram outside any session makes them forget it.
#[derive(Debug)]
pub(super) struct Greeting {
    sequence: u8,
    sent: u32,
    is_awaited: bool,
}

impl Greeting {
    /// Will use the requester sequence number `sequence`.
    pub(super) fn new(sequence: u8) -> Self {
        Self {
            sequence,
            sent: 0,
            is_awaited: false,
        }
    }

    /// Writes a greeting, unless there were enough.
    pub(super) fn next(&mut self) -> Option<impl FnOnce(&mut Vec<u8>)> {
        let sequence = self.sequence;
        self.is_awaited = self.sent < MAX_GREETINGS;
        self.sent += 1;
        self.is_awaited
            .then_some(move |datagram: &mut Vec<u8>| greet(sequence, datagram))
    }

    /// Whether `datagram` is the first answer to the last greeting.
    pub(super) fn is_answered_by(&mut self, datagram: &[u8]) -> bool {
        self.is_awaited
            && sessionless_message(datagram)
                .and_then(|message| LanResponse::decode(message).ok())
                .is_some_and(|response| {
                    type Capabilities = GetChannelAuthCapabilities;
                    response.answers(Capabilities::NETFN, Capabilities::CMD, self.sequence)
                })
            && std::mem::take(&mut self.is_awaited)
    }
}

/// Writes Get Channel Authentication Capabilities with this requester sequence number. It changes nothing.
pub(crate) fn greet(sequence: u8, datagram: &mut Vec<u8>) {
    type Capabilities = GetChannelAuthCapabilities;
    let data = Capabilities::this_channel(Privilege::ADMINISTRATOR).to_bytes();
    let mut message = Vec::new();
    LanRequest::to_bmc(Capabilities::NETFN, Capabilities::CMD, sequence, &data)
        .encode(&mut message);
    SessionV15::sessionless(&message).encode(datagram);
}
