//! The BMC's table of sessions.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;

use crate::command::ActivatedSession;
use crate::crypto::{CipherSuite, KeyedAuth, RakpContext, SessionKeys};
use crate::proto::window::ReplayWindow;
use crate::wire::{AuthCode, AuthType, Privilege};

/// Challenges of IPMI v1.5 that are remembered.
const MAX_CHALLENGES: usize = 64;

/// All sessions by the BMC's session ID.
pub(crate) struct Sessions {
    table: BTreeMap<u32, Session>,
    /// Challenges of IPMI v1.5 by temporary session ID.
    challenges: BTreeMap<u32, ChallengeV15>,
    maximum: usize,
    timeout: Duration,
}

/// A session, or one that is being opened.
pub(crate) enum Session {
    /// Open Session is done.
    Opened(Opening),
    /// RAKP Message 2 is sent.
    Challenged(Opening, Challenge),
    /// RAKP Message 4 is sent.
    Active(Box<Active>),
}

/// What Open Session agreed on.
#[derive(Clone, Copy)]
pub(crate) struct Opening {
    pub(crate) console_id: u32,
    pub(crate) suite: CipherSuite,
    /// As asked for.
    pub(crate) privilege: Privilege,
    pub(crate) last_used: Instant,
}

/// What the console must answer.
#[derive(Clone, Copy)]
pub(crate) struct Challenge {
    pub(crate) context: RakpContext,
    /// Index of the user.
    pub(crate) user: usize,
}

/// A challenge of IPMI v1.5.
#[derive(Clone)]
pub(crate) struct ChallengeV15 {
    pub(crate) auth_type: AuthType,
    pub(crate) challenge: [u8; 16],
    /// Index of the user.
    pub(crate) user: usize,
    /// The session that it led to, for repeats.
    pub(crate) activated: Option<ActivatedSession>,
    pub(crate) last_used: Instant,
}

/// How the datagrams of a session are protected.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every session is of the large kind"
)]
pub(crate) enum Protection {
    Plus(SessionKeys),
    /// As the console sends, and as the BMC does.
    V15(KeyedAuth, KeyedAuth),
}

/// A session that can carry commands.
pub(crate) struct Active {
    pub(crate) console_id: u32,
    pub(crate) protection: Protection,
    /// The RAKP Message 3 code that opened it, for repeats.
    pub(crate) proof: AuthCode,
    pub(crate) integrity_check: AuthCode,
    /// Index of the user.
    pub(crate) user: usize,
    /// Where the last command came from.
    pub(crate) peer: Option<SocketAddr>,
    pub(crate) limit: Privilege,
    pub(crate) privilege: Privilege,
    pub(crate) window: ReplayWindow,
    /// Sequence number of the last packet to the console.
    pub(crate) sent: u32,
    pub(crate) last_used: Instant,
    /// To be removed once the reply is sealed.
    pub(crate) closed: bool,
}

impl Active {
    pub(crate) fn next_sequence(&mut self) -> u32 {
        // 0 is no sequence number.
        self.sent = self.sent.checked_add(1).unwrap_or(1);
        self.sent
    }
}

impl Session {
    fn last_used(&self) -> Instant {
        match self {
            Self::Opened(opening) | Self::Challenged(opening, _) => opening.last_used,
            Self::Active(active) => active.last_used,
        }
    }

    fn is_closed(&self) -> bool {
        matches!(self, Self::Active(active) if active.closed)
    }
}

impl Sessions {
    pub(crate) fn new(maximum: usize, timeout: Duration) -> Self {
        Self {
            table: BTreeMap::new(),
            challenges: BTreeMap::new(),
            maximum,
            timeout,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.challenges.clear();
    }

    /// Adds a session with this ID; `false` if the table is full or the ID unusable.
    pub(crate) fn open(&mut self, id: u32, opening: Opening) -> bool {
        if self.table.len() >= self.maximum || id == 0 || self.table.contains_key(&id) {
            return false;
        }
        self.table.insert(id, Session::Opened(opening));
        true
    }

    /// Adds a session that is active from the start; `false` as in [`open`](Self::open).
    pub(crate) fn activate(&mut self, id: u32, active: Active) -> bool {
        if self.table.len() >= self.maximum || id == 0 || self.table.contains_key(&id) {
            return false;
        }
        self.table.insert(id, Session::Active(Box::new(active)));
        true
    }

    /// Adds a challenge of IPMI v1.5; the oldest makes room.
    pub(crate) fn challenge(&mut self, id: u32, challenge: ChallengeV15) {
        if self.challenges.len() >= MAX_CHALLENGES {
            let oldest = self.challenges.iter().min_by_key(|(_, c)| c.last_used);
            let oldest = oldest.map(|(id, _)| *id);
            oldest.map(|id| self.challenges.remove(&id));
        }
        self.challenges.insert(id, challenge);
    }

    pub(crate) fn challenged(&mut self, id: u32) -> Option<&mut ChallengeV15> {
        self.challenges.get_mut(&id)
    }

    pub(crate) fn get_mut(&mut self, id: u32) -> Option<&mut Session> {
        self.table.get_mut(&id)
    }

    pub(crate) fn active(&mut self, id: u32) -> Option<&mut Active> {
        match self.table.get_mut(&id) {
            Some(Session::Active(active)) => Some(active),
            _ => None,
        }
    }

    pub(crate) fn maximum(&self) -> usize {
        self.maximum
    }

    /// The sessions that can carry commands, by their IDs.
    pub(crate) fn all_active(&self) -> impl Iterator<Item = (u32, &Active)> {
        self.table.iter().filter_map(|(id, session)| match session {
            Session::Active(active) => Some((*id, active.as_ref())),
            _ => None,
        })
    }

    pub(crate) fn remove(&mut self, id: u32) {
        self.table.remove(&id);
    }

    /// Marks an active session as closed; `false` if there is none.
    pub(crate) fn close(&mut self, id: u32) -> bool {
        self.active(id).map(|active| active.closed = true).is_some()
    }

    pub(crate) fn remove_closed(&mut self) {
        self.table.retain(|_, session| !session.is_closed());
    }

    pub(crate) fn expire(&mut self, now: Instant) {
        let timeout = self.timeout;
        self.table
            .retain(|_, session| now < session.last_used() + timeout);
        self.challenges
            .retain(|_, challenge| now < challenge.last_used + timeout);
    }
}
