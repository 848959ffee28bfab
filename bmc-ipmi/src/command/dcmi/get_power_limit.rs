//! Get Power Limit, §6.6.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Asks for the limit of power.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetPowerLimit;

impl GetPowerLimit {
    /// Completion code: no limit is active. Some BMCs tell the inactive one all the same.
    pub const INACTIVE: CompletionCode = CompletionCode(0x80);
}

impl Wire for GetPowerLimit {
    const NAME: &'static str = "Get Power Limit";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        r.u16_le("reserved")?;
        Ok(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_u16_le(0);
    }
}

impl Command for GetPowerLimit {
    type Response = PowerLimitStatus;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x03;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;

    fn decode_answer(
        code: CompletionCode,
        data: &[u8],
    ) -> Option<Result<PowerLimitStatus, DecodeError>> {
        match code {
            CompletionCode::OK => Some(PowerLimitStatus::from_prefix(data)),
            Self::INACTIVE => Some(Ok(PowerLimitStatus {
                limit: PowerLimitStatus::from_prefix(data).map_or(None, |status| status.limit),
                active: false,
            })),
            _ => None,
        }
    }
}

/// The limit of power and whether it is active.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PowerLimitStatus {
    /// The limit; `None` if the BMC does not tell an inactive one.
    pub limit: Option<PowerLimit>,
    /// Whether it is active; the completion code tells it.
    pub active: bool,
}

/// A limit of power, and what happens beyond it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PowerLimit {
    /// What the BMC does if the limit cannot be kept.
    pub action: PowerLimitAction,
    /// The limit in watts.
    pub watts: u16,
    /// Milliseconds in which power must come below the limit.
    pub correction_ms: u32,
    /// Seconds between checks.
    pub sampling_s: u16,
}

/// What the BMC does if a limit of power cannot be kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PowerLimitAction(pub u8);

impl PowerLimitAction {
    /// Nothing.
    pub const NONE: Self = Self(0x00);
    /// It switches the machine off and logs an event.
    pub const POWER_OFF: Self = Self(0x01);
    /// It logs an event.
    pub const LOG: Self = Self(0x11);
}

impl PowerLimit {
    /// Action to sampling, which set and get share.
    pub(super) fn decode_body(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let action = PowerLimitAction(r.u8("exception action")?);
        let watts = r.u16_le("power limit")?;
        let correction_ms = r.u32_le("correction time")?;
        r.u16_le("reserved")?;
        let sampling_s = r.u16_le("sampling period")?;
        Ok(Self {
            action,
            watts,
            correction_ms,
            sampling_s,
        })
    }

    pub(super) fn encode_body(&self, out: &mut impl BufMut) {
        out.put_u8(self.action.0);
        out.put_u16_le(self.watts);
        out.put_u32_le(self.correction_ms);
        out.put_u16_le(0);
        out.put_u16_le(self.sampling_s);
    }
}

impl Wire for PowerLimitStatus {
    const NAME: &'static str = "Get Power Limit response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        r.u16_le("reserved")?;
        let limit = Some(PowerLimit::decode_body(r)?);
        let active = true;
        Ok(Self { limit, active })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        if let Some(limit) = &self.limit {
            out.put_u16_le(0);
            limit.encode_body(out);
        }
    }
}
