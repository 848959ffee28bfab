//! What speaks in a session beside the commands.

use std::fmt;
use std::time::Instant;

/// The console's end of a payload other than IPMI messages, such as SOL. The [`Connection`](super::Connection) that it
/// is attached to seals what it sends, opens what it receives, and drops it when the session ends.
pub trait PayloadHandler: fmt::Debug + Send {
    /// Takes in an authentic payload that was not taken in before. `sequence` is the session sequence number: the BMC
    /// sent payloads in the order of these numbers, whatever their order of arrival.
    fn on_payload(&mut self, now: Instant, sequence: u32, payload: &[u8]);

    /// Acts on a time-out, if one has come.
    fn on_timeout(&mut self, now: Instant);

    /// Puts the next payload to send into `out`, which is empty. `false`: there is none.
    fn poll_transmit(&mut self, now: Instant, out: &mut Vec<u8>) -> bool;

    /// When to call [`on_timeout`](Self::on_timeout); `None` while nothing is awaited.
    fn poll_timeout(&self) -> Option<Instant>;

    /// Whether somebody still has use for it. Another one takes the place of one without use.
    fn is_in_use(&self) -> bool {
        true
    }

    /// Another one takes its place.
    fn on_replaced(&mut self) {}
}
