//! Bridging.

use crate::command::{Forwarded, SendMessage};
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::sim::satellite::{BridgeReplies, FollowUp};
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn send_message(
        &mut self,
        call: Call,
        command: SendMessage,
    ) -> Result<Forwarded, CompletionCode> {
        let (response, mut later) = self.forward(call, &command)?;
        let embedded = match self.settings.bridge_replies {
            BridgeReplies::Embedded => response,
            BridgeReplies::Follow => {
                later.insert(0, response);
                Vec::new()
            }
        };
        let session = call.session.unwrap_or_default();
        let later = later.into_iter();
        self.follow_ups
            .extend(later.map(|message| FollowUp { session, message }));
        Ok(Forwarded { embedded })
    }
}
