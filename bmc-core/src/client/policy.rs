//! The rules of fallback, without I/O.

use crate::error::{Effect, Error, ErrorKind};
use crate::operation::Repeat;

/// What may follow a failed attempt.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Follow {
    /// Send it again, elsewhere or on a new session.
    Send,
    /// Look whether it has worked; send it again only if not.
    LookThenSend,
    /// Nothing: it must not be sent twice.
    Stop,
}

/// What may follow an attempt that failed with `effect`.
pub(super) fn follow(repeat: Repeat, effect: Effect) -> Follow {
    match (effect, repeat) {
        (Effect::None, _) | (Effect::Unknown, Repeat::Read) => Follow::Send,
        (Effect::Unknown, Repeat::Converge) => Follow::LookThenSend,
        (Effect::Unknown, Repeat::Never) => Follow::Stop,
    }
}

/// The effect that a time-out in the middle of an operation leaves.
pub(super) fn effect_of_silence(repeat: Repeat) -> Effect {
    match repeat {
        Repeat::Read => Effect::None,
        Repeat::Converge | Repeat::Never => Effect::Unknown,
    }
}

/// Whether a session on which an operation failed must not be used again: it is dead, or out of step with the BMC.
pub(super) fn is_lost(error: &Error, alive: bool) -> bool {
    !alive
        || error.effect() == Effect::Unknown
        || matches!(
            error.kind(),
            ErrorKind::Authentication
                | ErrorKind::Closed
                | ErrorKind::Protocol
                | ErrorKind::Timeout
                | ErrorKind::Unreachable
        )
}

/// Whether a failure of this kind speaks against the provider as such rather than against one request.
pub(super) fn discredits(kind: ErrorKind) -> bool {
    !matches!(
        kind,
        ErrorKind::InvalidInput
            | ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::Rejected
            | ErrorKind::Unsupported
    )
}

/// The order in which `count` providers are tried: the preferred one, then the others as configured.
pub(super) fn order(count: usize, preferred: Option<usize>) -> impl Iterator<Item = usize> {
    preferred
        .into_iter()
        .chain((0..count).filter(move |index| Some(*index) != preferred))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unknown_effect_restrains() {
        for repeat in [Repeat::Read, Repeat::Converge, Repeat::Never] {
            assert_eq!(follow(repeat, Effect::None), Follow::Send);
        }
        assert_eq!(follow(Repeat::Read, Effect::Unknown), Follow::Send);
        assert_eq!(
            follow(Repeat::Converge, Effect::Unknown),
            Follow::LookThenSend
        );
        assert_eq!(follow(Repeat::Never, Effect::Unknown), Follow::Stop);
    }

    #[test]
    fn the_preferred_provider_comes_first_and_once() {
        assert_eq!(order(3, None).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(order(3, Some(0)).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(order(3, Some(2)).collect::<Vec<_>>(), [2, 0, 1]);
        assert_eq!(order(0, None).count(), 0);
    }

    #[test]
    fn a_session_survives_a_plain_refusal_only() {
        let error = |kind| Error::new(kind, "");
        assert!(!is_lost(&error(ErrorKind::Rejected), true));
        assert!(!is_lost(&error(ErrorKind::Unsupported), true));
        assert!(is_lost(&error(ErrorKind::Rejected), false));
        assert!(is_lost(&error(ErrorKind::Timeout), true));
        let unknown = error(ErrorKind::Rejected).with_effect(Effect::Unknown);
        assert!(is_lost(&unknown, true));
    }
}
