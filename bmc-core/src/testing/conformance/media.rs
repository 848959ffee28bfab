//! Virtual media.

use super::step::{open, readable, within};
use crate::capability::{MediaKind, MediaSource};
use crate::provider::Provider;

/// A virtual medium reads back as it was inserted, takes the place of another, and is gone once ejected, also twice.
pub async fn media_converges(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(media) = session.media() {
        let kind = MediaKind::Cd;
        for url in ["http://192.0.2.1/a.iso", "http://192.0.2.1/b.iso"] {
            let source: MediaSource = match url.parse() {
                Ok(source) => source,
                Err(error) => panic!("{url}: {error}"),
            };
            within("insert_media", media.insert_media(kind, &source)).await;
            if let Some(read) = readable("media", media.media(kind)).await {
                assert_eq!(read, Some(source), "inserted, but reads otherwise");
            }
        }
        for _ in 0..2 {
            within("eject_media", media.eject_media(kind)).await;
            if let Some(read) = readable("media", media.media(kind)).await {
                assert_eq!(read, None, "ejected, but still there");
            }
        }
    }
    session.close().await;
}
