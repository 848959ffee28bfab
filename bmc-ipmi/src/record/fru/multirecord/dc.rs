//! DC output and DC load records, FRU §18.2 and §18.3, and their extended forms.

/// What an output of a power supply gives.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct DcOutput {
    /// What the currents count.
    pub step: CurrentStep,
    /// Number of the output: four bits.
    pub number: u8,
    /// Whether it is on in standby too.
    pub standby: bool,
    /// Nominal voltage in steps of 10 mV.
    pub nominal: i16,
    /// Maximum negative voltage deviation in steps of 10 mV.
    pub negative_deviation: i16,
    /// Maximum positive voltage deviation in steps of 10 mV.
    pub positive_deviation: i16,
    /// Ripple and noise, peak to peak, in mV.
    pub ripple: u16,
    /// Least current in steps of `step`.
    pub minimum_current: u16,
    /// Most current in steps of `step`.
    pub maximum_current: u16,
}

/// What a load takes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct DcLoad {
    /// What the currents count.
    pub step: CurrentStep,
    /// Number of the output that it needs: four bits.
    pub number: u8,
    /// Nominal voltage in steps of 10 mV.
    pub nominal: i16,
    /// Lowest voltage that it bears, in steps of 10 mV.
    pub minimum: i16,
    /// Highest voltage that it bears, in steps of 10 mV.
    pub maximum: i16,
    /// Ripple and noise that it bears, peak to peak, in mV.
    pub ripple: u16,
    /// Least current in steps of `step`.
    pub minimum_current: u16,
    /// Most current in steps of `step`.
    pub maximum_current: u16,
}

/// What the currents of a record count.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum CurrentStep {
    /// 1 mA: the plain records.
    #[default]
    One,
    /// 10 mA: the extended records.
    Ten,
    /// 100 mA: the extended records with their unit bit set.
    Hundred,
}

const LENGTH: usize = 13;
const STANDBY: u8 = 0x80;
/// Bit of the first byte of an extended record.
const HUNDRED: u8 = 0x10;

impl CurrentStep {
    /// Milliamperes.
    pub const fn milliamperes(self) -> u16 {
        match self {
            Self::One => 1,
            Self::Ten => 10,
            Self::Hundred => 100,
        }
    }

    const fn of(extended: bool, head: u8) -> Self {
        match (extended, head & HUNDRED != 0) {
            (false, _) => Self::One,
            (true, false) => Self::Ten,
            (true, true) => Self::Hundred,
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::One | Self::Ten => 0,
            Self::Hundred => HUNDRED,
        }
    }
}

impl DcOutput {
    /// `None`: another length.
    pub(super) fn decode(extended: bool, data: &[u8]) -> Option<Self> {
        let bytes: &[u8; LENGTH] = data.try_into().ok()?;
        let ([head], values) = bytes.split_first_chunk()?;
        let [nominal, negative, positive, ripple, least, most] = values_of(values)?;
        Some(Self {
            step: CurrentStep::of(extended, *head),
            number: head & 0x0f,
            standby: head & STANDBY != 0,
            nominal: nominal.cast_signed(),
            negative_deviation: negative.cast_signed(),
            positive_deviation: positive.cast_signed(),
            ripple,
            minimum_current: least,
            maximum_current: most,
        })
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let standby = if self.standby { STANDBY } else { 0 };
        bytes_of(
            self.step.bit() | standby | self.number & 0x0f,
            [
                self.nominal.cast_unsigned(),
                self.negative_deviation.cast_unsigned(),
                self.positive_deviation.cast_unsigned(),
                self.ripple,
                self.minimum_current,
                self.maximum_current,
            ],
        )
    }
}

impl DcLoad {
    /// `None`: another length.
    pub(super) fn decode(extended: bool, data: &[u8]) -> Option<Self> {
        let bytes: &[u8; LENGTH] = data.try_into().ok()?;
        let ([head], values) = bytes.split_first_chunk()?;
        let [nominal, minimum, maximum, ripple, least, most] = values_of(values)?;
        Some(Self {
            step: CurrentStep::of(extended, *head),
            number: head & 0x0f,
            nominal: nominal.cast_signed(),
            minimum: minimum.cast_signed(),
            maximum: maximum.cast_signed(),
            ripple,
            minimum_current: least,
            maximum_current: most,
        })
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        bytes_of(
            self.step.bit() | self.number & 0x0f,
            [
                self.nominal.cast_unsigned(),
                self.minimum.cast_unsigned(),
                self.maximum.cast_unsigned(),
                self.ripple,
                self.minimum_current,
                self.maximum_current,
            ],
        )
    }
}

fn values_of(bytes: &[u8]) -> Option<[u16; 6]> {
    let (pairs, _) = bytes.as_chunks();
    let values: Vec<_> = pairs.iter().copied().map(u16::from_le_bytes).collect();
    values.try_into().ok()
}

fn bytes_of(head: u8, values: [u16; 6]) -> Vec<u8> {
    let values = values.into_iter().flat_map(u16::to_le_bytes);
    std::iter::once(head).chain(values).collect()
}
