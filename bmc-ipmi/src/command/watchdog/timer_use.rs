//! What a watchdog is for and what it does, §27.6.

/// Who uses the timer: three bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct TimerUse(u8);

code_table! {
    TimerUse, 0x07, "timer use":
    BIOS_FRB2 = 1, "BIOS FRB2";
    BIOS_POST = 2, "BIOS/POST";
    OS_LOAD = 3, "OS load";
    SMS_OS = 4, "SMS/OS";
    OEM = 5, "OEM";
}

/// What happens when the timer expires: three bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct TimeoutAction(u8);

code_table! {
    TimeoutAction, 0x07, "timeout action":
    NONE = 0, "no action";
    HARD_RESET = 1, "hard reset";
    POWER_DOWN = 2, "power down";
    POWER_CYCLE = 3, "power cycle";
}

/// What interrupts the host before the timer expires: three bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PretimeoutInterrupt(u8);

code_table! {
    PretimeoutInterrupt, 0x07, "pre-timeout interrupt":
    NONE = 0, "none";
    SMI = 1, "SMI";
    NMI = 2, "NMI";
    MESSAGING = 3, "messaging interrupt";
}

/// For which uses the timer has expired: one bit each.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ExpirationFlags(u8);

impl ExpirationFlags {
    /// For none.
    pub const NONE: Self = Self(0);
    /// For all: clears every flag.
    pub const ALL: Self = Self(0x3e);

    /// For one use.
    pub const fn of(timer_use: TimerUse) -> Self {
        Self::new(1 << timer_use.value())
    }

    /// The flags in `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & Self::ALL.0)
    }

    /// The bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Whether the timer has expired for this use.
    pub const fn contains(self, timer_use: TimerUse) -> bool {
        let flag = Self::of(timer_use).0;
        flag != 0 && self.0 & flag == flag
    }
}
