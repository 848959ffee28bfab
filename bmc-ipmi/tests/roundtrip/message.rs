//! Bridging.

use super::*;

wire_type! {
    send_message: SendMessage = (0u8..16, any::<(bool, bool)>(), 0u8..4, vec(any::<u8>(), 0..40)).prop_map(
        |(channel, (authenticate, encrypt), tracking, message)| SendMessage {
            channel, authenticate, encrypt, tracking, message,
        });
    forwarded: Forwarded = vec(any::<u8>(), 0..40).prop_map(|embedded| Forwarded { embedded });
}
