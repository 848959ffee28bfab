//! Controllers behind the BMC: simulated BMCs without a LAN of their own.

use std::collections::BTreeMap;

use crate::command::SendMessage;
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::wire::{CompletionCode, LanRequest};

/// Satellites by channel and slave address.
pub(super) type Satellites = BTreeMap<(u8, u8), Box<Sim>>;

/// How a BMC that passes a command on brings back the response.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum BridgeReplies {
    /// It answers Send Message at once; the satellite's response follows.
    #[default]
    Follow,
    /// It waits and puts the satellite's response into its own.
    Embedded,
}

/// A response of a satellite that follows the one to Send Message.
pub(super) struct FollowUp {
    pub(super) session: u32,
    pub(super) message: Vec<u8>,
}

impl Sim {
    /// The satellite with this slave address on this channel.
    pub fn satellite(&mut self, channel: u8, address: u8) -> Option<&mut Self> {
        self.satellites
            .get_mut(&(channel, address))
            .map(Box::as_mut)
    }

    /// Sends a message and gives the satellite's response, and those of its own satellites behind it.
    pub(super) fn forward(
        &mut self,
        call: Call,
        command: &SendMessage,
    ) -> Result<(Vec<u8>, Vec<Vec<u8>>), CompletionCode> {
        let request = LanRequest::decode(&command.message);
        let request = request.map_err(|_| CompletionCode::INVALID_DATA_FIELD)?;
        if command.tracking != SendMessage::TRACKED {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        let satellite = self.satellite(command.channel, request.responder);
        let satellite = satellite.ok_or(SendMessage::NAK_ON_WRITE)?;
        satellite.machine.advance(call.now);
        let (completion, data) = satellite.perform(call, &request);
        let response = satellite.encode_response(&request, completion, &data);
        let later = satellite.follow_ups.drain(..).map(|later| later.message);
        Ok((response, later.collect()))
    }
}
