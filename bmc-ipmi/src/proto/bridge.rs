//! Commands to controllers behind the BMC, §6.13: Send Message around Send Message around the command.

use crate::codec::{DecodeError, Wire};
use crate::command::{Command, SendMessage};
use crate::target::{Hop, Target};
use crate::wire::lan::{BMC_ADDRESS, CONSOLE_ADDRESS, LanRequest};
use crate::wire::{CompletionCode, LanResponse, NetFn};

/// What a command is known by on its way to the target and back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope {
    pub(super) target: Target,
    pub(super) netfn: NetFn,
    pub(super) command: u8,
    /// The same at every controller on the way.
    pub(super) sequence: u8,
}

/// What a response says about a command.
#[derive(Debug)]
pub(super) enum Seen<'a> {
    /// It is about something else.
    Stray,
    /// So many controllers on the way have passed the command on; nothing of the target yet.
    Passed(usize),
    /// A controller on the way could not reach the next one.
    Stopped(Hop, CompletionCode),
    /// The target answers.
    Answer(CompletionCode, &'a [u8]),
}

impl Envelope {
    /// Appends the request with `data` to `out`.
    pub(super) fn encode(&self, data: &[u8], out: &mut Vec<u8>) {
        let Some(bridge) = self.target.bridge() else {
            let request = LanRequest::to_bmc(self.netfn, self.command, self.sequence, data);
            LanRequest {
                responder_lun: self.target.lun(),
                ..request
            }
            .encode(out);
            return;
        };
        let destination = bridge.destination();
        let request = LanRequest {
            responder: destination.address(),
            responder_lun: self.target.lun(),
            netfn: self.netfn,
            // A controller answers to another one, the BMC to the console.
            requester: match bridge.transit() {
                Some(_) => BMC_ADDRESS,
                None => CONSOLE_ADDRESS,
            },
            requester_lun: 0,
            sequence: self.sequence,
            command: self.command,
            data,
        };
        let mut data = send_message(destination.channel(), &request);
        if let Some(transit) = bridge.transit() {
            let request = LanRequest {
                responder: transit.address(),
                ..self.passing_on(&data)
            };
            data = send_message(transit.channel(), &request);
        }
        self.passing_on(&data).encode(out);
    }

    /// Reads a response, of which `passed` controllers have announced it.
    ///
    /// A controller answers Send Message at once, and the response of the next one follows; or it waits and puts that
    /// response behind its own completion code.
    pub(super) fn read<'a>(
        &self,
        response: &LanResponse<'a>,
        passed: usize,
    ) -> Result<Seen<'a>, DecodeError> {
        let mut response = *response;
        let mut is_embedded = false;
        for (nth, hop) in self.target.hops().enumerate().skip(passed) {
            // The sequence number is that of the controller which put the response in.
            let sequence = if is_embedded {
                response.sequence
            } else {
                self.sequence
            };
            if !response.answers(SendMessage::NETFN, SendMessage::CMD, sequence) {
                break;
            }
            if !response.completion.is_ok() {
                return Ok(Seen::Stopped(hop, response.completion));
            }
            if response.data.is_empty() {
                return Ok(Seen::Passed(nth + 1));
            }
            response = LanResponse::decode(response.data)?;
            is_embedded = true;
        }
        let sequence = if is_embedded {
            response.sequence
        } else {
            self.sequence
        };
        Ok(if response.answers(self.netfn, self.command, sequence) {
            Seen::Answer(response.completion, response.data)
        } else {
            Seen::Stray
        })
    }

    fn passing_on<'a>(&self, data: &'a [u8]) -> LanRequest<'a> {
        LanRequest::to_bmc(SendMessage::NETFN, SendMessage::CMD, self.sequence, data)
    }
}

fn send_message(channel: u8, request: &LanRequest<'_>) -> Vec<u8> {
    let mut message = Vec::new();
    request.encode(&mut message);
    SendMessage::tracked(channel, message).to_bytes()
}
