//! When boot flags stay valid, boot parameter 3, §28.13 table 28-14.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::bit;

/// Which events leave the boot flags valid. By default each of them clears the valid bit, so that an override that
/// nobody uses is forgotten.
///
/// Without [`on_timeout`](Self::on_timeout) a BMC clears the bit when 60 seconds have passed since the flags were set
/// without a chassis control command: set it before the flags if the host will start later than that.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct KeepBootFlags {
    /// A reset or power cycle by the platform event filter.
    pub on_event_filter: bool,
    /// 60 seconds without a chassis control command.
    pub on_timeout: bool,
    /// An expiration of the watchdog.
    pub on_watchdog: bool,
    /// The reset button, or a soft reset.
    pub on_reset_button: bool,
    /// The power button, or a wake event.
    pub on_power_button: bool,
}

impl KeepBootFlags {
    /// Valid for longer than 60 seconds; every other event clears.
    pub const AFTER_TIMEOUT: Self = Self {
        on_event_filter: false,
        on_timeout: true,
        on_watchdog: false,
        on_reset_button: false,
        on_power_button: false,
    };
}

impl Wire for KeepBootFlags {
    const NAME: &'static str = "boot flag valid bit clearing";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let bits = r.u8("valid bit clearing")?;
        Ok(Self {
            on_event_filter: bits & 0x10 != 0,
            on_timeout: bits & 0x08 != 0,
            on_watchdog: bits & 0x04 != 0,
            on_reset_button: bits & 0x02 != 0,
            on_power_button: bits & 0x01 != 0,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(
            bit(self.on_event_filter, 0x10)
                | bit(self.on_timeout, 0x08)
                | bit(self.on_watchdog, 0x04)
                | bit(self.on_reset_button, 0x02)
                | bit(self.on_power_button, 0x01),
        );
    }
}
