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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const PLAIN: Envelope = Envelope {
        target: Target::BMC,
        netfn: NetFn::APP,
        command: 0x01,
        sequence: 5,
    };

    fn envelope() -> Envelope {
        let target = Target::satellite(7, 0x72).unwrap().behind(0, 0x82);
        let target = target.unwrap();
        Envelope { target, ..PLAIN }
    }

    fn response(command: u8, sequence: u8, data: &[u8]) -> Vec<u8> {
        let mut message = Vec::new();
        LanResponse {
            requester: CONSOLE_ADDRESS,
            requester_lun: 0,
            netfn: NetFn::APP.response(),
            responder: BMC_ADDRESS,
            responder_lun: 0,
            sequence,
            command,
            completion: CompletionCode::OK,
            data,
        }
        .encode(&mut message);
        message
    }

    /// As ipmitool's `-B 0 -T 0x82 -b 7 -t 0x72 mc info` sends it, but for the sequence number.
    #[test]
    fn the_command_is_wrapped_once_for_each_controller() {
        let mut message = Vec::new();
        envelope().encode(&[], &mut message);
        let outer = LanRequest::decode(&message).unwrap();
        assert_eq!((outer.responder, outer.command), (BMC_ADDRESS, 0x34));
        let first = SendMessage::from_bytes(outer.data).unwrap();
        assert_eq!((first.channel, first.tracking), (0, SendMessage::TRACKED));
        let transit = LanRequest::decode(&first.message).unwrap();
        assert_eq!((transit.responder, transit.command), (0x82, 0x34));
        let second = SendMessage::from_bytes(transit.data).unwrap();
        assert_eq!(second.channel, 7);
        let inner = LanRequest::decode(&second.message).unwrap();
        assert_eq!((inner.responder, inner.requester), (0x72, BMC_ADDRESS));
        assert_eq!((inner.command, inner.sequence), (0x01, 5));
    }

    #[test]
    fn an_embedded_response_is_found_whatever_its_number() {
        let answer = response(0x01, 33, b"device");
        let transit = response(0x34, 12, &answer);
        let outer = response(0x34, 5, &transit);
        let seen = envelope().read(&LanResponse::decode(&outer).unwrap(), 0);
        assert!(matches!(
            seen,
            Ok(Seen::Answer(CompletionCode::OK, b"device"))
        ));
        // One controller embeds, the next one answers at once.
        let transit = response(0x34, 12, &[]);
        let outer = response(0x34, 5, &transit);
        let seen = envelope().read(&LanResponse::decode(&outer).unwrap(), 0);
        assert!(matches!(seen, Ok(Seen::Passed(2))));
    }

    #[test]
    fn nonsense_inside_is_an_error_and_strangers_are_no_answer() {
        let outer = response(0x34, 5, b"nonsense");
        let seen = envelope().read(&LanResponse::decode(&outer).unwrap(), 0);
        assert!(seen.is_err());
        for stranger in [
            response(0x01, 6, &[]),
            response(0x02, 5, &[]),
            response(0x34, 6, &[]),
        ] {
            let seen = envelope().read(&LanResponse::decode(&stranger).unwrap(), 0);
            assert!(matches!(seen, Ok(Seen::Stray)));
        }
        // Deeper than there are controllers.
        let deep = response(0x34, 1, &response(0x34, 2, &response(0x34, 3, &[])));
        let outer = response(0x34, 5, &deep);
        let seen = envelope().read(&LanResponse::decode(&outer).unwrap(), 0);
        assert!(matches!(seen, Ok(Seen::Stray)));
    }
}
