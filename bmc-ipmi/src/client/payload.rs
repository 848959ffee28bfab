//! Payloads beside commands on a client's session.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::client::Client;
use crate::client::link::{Link, now};
use crate::proto::PayloadHandler;
use crate::wire::PayloadType;

/// A payload handler's place in the session that the client has now. Dropping this drops the handler.
pub(crate) struct Attached {
    link: Arc<Link>,
    number: u64,
}

impl Client {
    /// Lets `handler` speak and listen in this session. It is dropped with the session at the latest: a new login does
    /// not take it along. `None`: another one is in use, and it is not to [`steal`](crate::device::SolOptions::steal).
    pub(crate) fn attach(
        &self,
        payload_type: PayloadType,
        handler: Box<dyn PayloadHandler>,
        steal: bool,
    ) -> Option<Attached> {
        let link = self.link();
        let number = link.lock().attach(payload_type, handler, steal)?;
        Some(Attached { link, number })
    }
}

impl Attached {
    /// Sends what the handler has to send, as far as the socket has room: the handler repeats what is lost.
    pub(crate) fn send(&self) {
        self.link.lock().connection.on_payload_ready(now());
        self.link.flush_now();
    }

    /// Acts on the time-outs that have come.
    pub(crate) fn on_timeout(&self, now: Instant) {
        self.link.lock().on_timeout(now);
        self.link.flush_now();
    }

    /// The BMC's ID of the session, while it is open.
    pub(crate) fn session_id(&self) -> Option<u32> {
        self.link.lock().connection.bmc_id()
    }
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attached")
            .field("peer", &self.link.peer())
            .finish_non_exhaustive()
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.link.lock().detach(self.number);
    }
}
