//! Operations on virtual media.

use async_trait::async_trait;

use super::{Operation, Repeat, answer};
use crate::capability::{MediaKind, MediaSource};
use crate::error::Error;
use crate::provider::Session;

/// Reads what is inserted.
#[derive(Clone, Copy, Debug)]
pub struct GetVirtualMedia(pub MediaKind);

/// Inserts a virtual medium.
#[derive(Clone, Debug)]
pub struct SetVirtualMedia {
    /// The drive that it appears in.
    pub kind: MediaKind,
    /// Where the BMC fetches it.
    pub source: MediaSource,
}

/// Ejects a virtual medium.
#[derive(Clone, Copy, Debug)]
pub struct EjectVirtualMedia(pub MediaKind);

#[async_trait]
impl Operation for GetVirtualMedia {
    type Output = Option<MediaSource>;

    fn name(&self) -> &'static str {
        "media get"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<Option<MediaSource>, Error>> {
        Some(session.media()?.media(self.0).await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<Option<MediaSource>>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for SetVirtualMedia {
    type Output = ();

    fn name(&self) -> &'static str {
        "media insert"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.media()?.insert_media(self.kind, &self.source).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let inserted = answer(session.media()?.media(self.kind).await)?;
        Some(inserted.map(|inserted| (inserted.as_ref() == Some(&self.source)).then_some(())))
    }
}

#[async_trait]
impl Operation for EjectVirtualMedia {
    type Output = ();

    fn name(&self) -> &'static str {
        "media eject"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.media()?.eject_media(self.0).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let inserted = answer(session.media()?.media(self.0).await)?;
        Some(inserted.map(|inserted| inserted.is_none().then_some(())))
    }
}
