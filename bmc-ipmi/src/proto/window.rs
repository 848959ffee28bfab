//! The sliding window of session sequence numbers, IPMI v2.0 §6.12.13.

/// Remembers which of the last 16 sequence numbers have been received.
///
/// Numbers start anywhere (some BMCs skip), never are 0, and wrap. Newer ones may be lost in any number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReplayWindow {
    newest: Option<u32>,
    /// Bit n: `newest - n` has been received.
    seen: u16,
}

impl ReplayWindow {
    /// Takes in the number of an authentic datagram. `false`: a repeat, or too old to tell.
    pub(crate) fn accept(&mut self, number: u32) -> bool {
        if number == 0 {
            return false;
        }
        let Some(newest) = self.newest else {
            self.newest = Some(number);
            self.seen = 1;
            return true;
        };
        let ahead = number.wrapping_sub(newest);
        if ahead == 0 {
            return false;
        }
        if ahead <= u32::MAX / 2 {
            self.seen = self.seen.checked_shl(ahead).unwrap_or(0) | 1;
            self.newest = Some(number);
            return true;
        }
        let Some(bit) = 1_u16.checked_shl(newest.wrapping_sub(number)) else {
            return false;
        };
        let fresh = self.seen & bit == 0;
        self.seen |= bit;
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_ones_pass_once_and_old_ones_never() {
        let mut window = ReplayWindow::default();
        for (number, fresh) in [
            (5, true),
            (5, false),
            (3, true),
            (3, false),
            (20, true),
            (5, false),
            (4, false),
            (6, true),
            (0, false),
            (1000, true),
            (20, false),
        ] {
            assert_eq!(window.accept(number), fresh, "{number}");
        }
    }

    #[test]
    fn numbers_wrap_and_leave_0_out() {
        let mut window = ReplayWindow::default();
        assert!(!window.accept(0));
        assert!(window.accept(u32::MAX));
        assert!(window.accept(1));
        assert!(!window.accept(u32::MAX));
        assert!(window.accept(u32::MAX - 1));
    }
}
