//! Global commands.

use super::*;

wire_type! {
    cold_reset: ColdReset = Just(ColdReset);
    warm_reset: WarmReset = Just(WarmReset);
}
