//! Activate Payload, §24.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, PayloadType, Privilege};

/// Starts a payload in this session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ActivatePayload {
    /// The payload.
    pub payload_type: PayloadType,
    /// Its instance, 1 to 15.
    pub instance: u8,
    /// More, by payload; for SOL see [`SolActivation`].
    pub auxiliary: [u8; 4],
}

/// How SOL is activated.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SolActivation {
    /// Whether SOL payloads are encrypted.
    pub encrypted: bool,
    /// Whether SOL payloads are authenticated.
    pub authenticated: bool,
    /// Whether a test mode is asked for.
    pub test: bool,
    /// What becomes of serial alerts meanwhile: two bits.
    pub alerts: u8,
    /// Whether the BMC leaves CTS, DCD and DSR deasserted until the first packet arrives.
    pub starts_deasserted: bool,
}

impl ActivatePayload {
    /// Completion code: active already, in another session or in this one.
    pub const ALREADY_ACTIVE: CompletionCode = CompletionCode(0x80);
    /// Completion code: the payload is disabled.
    pub const DISABLED: CompletionCode = CompletionCode(0x81);
    /// Completion code: as many instances as there can be are active.
    pub const LIMIT: CompletionCode = CompletionCode(0x82);
    /// Completion code: cannot be activated with encryption.
    pub const NO_ENCRYPTION: CompletionCode = CompletionCode(0x83);
    /// Completion code: cannot be activated without encryption.
    pub const NEEDS_ENCRYPTION: CompletionCode = CompletionCode(0x84);

    /// Starts the first, usually only, instance of SOL.
    pub fn sol(activation: SolActivation) -> Self {
        Self {
            payload_type: PayloadType::SOL,
            instance: 1,
            auxiliary: [activation.to_byte(), 0, 0, 0],
        }
    }
}

impl SolActivation {
    /// Value of [`alerts`](Self::alerts): they fail.
    pub const ALERTS_FAIL: u8 = 0;
    /// Value of [`alerts`](Self::alerts): they wait.
    pub const ALERTS_WAIT: u8 = 1;
    /// Value of [`alerts`](Self::alerts): they go out.
    pub const ALERTS_PASS: u8 = 2;
    const ENCRYPTED: u8 = 0x80;
    const AUTHENTICATED: u8 = 0x40;
    const TEST: u8 = 0x20;
    const STARTS_DEASSERTED: u8 = 0x02;

    /// From the first byte of the auxiliary data.
    pub const fn from_byte(byte: u8) -> Self {
        Self {
            encrypted: byte & Self::ENCRYPTED != 0,
            authenticated: byte & Self::AUTHENTICATED != 0,
            test: byte & Self::TEST != 0,
            alerts: byte >> 2 & 0x03,
            starts_deasserted: byte & Self::STARTS_DEASSERTED != 0,
        }
    }

    /// The first byte of the auxiliary data.
    pub fn to_byte(self) -> u8 {
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        bit(self.encrypted, Self::ENCRYPTED)
            | bit(self.authenticated, Self::AUTHENTICATED)
            | bit(self.test, Self::TEST)
            | (self.alerts & 0x03) << 2
            | bit(self.starts_deasserted, Self::STARTS_DEASSERTED)
    }
}

impl Wire for ActivatePayload {
    const NAME: &'static str = "Activate Payload";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            payload_type: PayloadType::new(r.u8("payload type")?),
            instance: r.u8("payload instance")? & 0x0f,
            auxiliary: r.array("auxiliary request data")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.payload_type.value(), self.instance & 0x0f]);
        out.put_slice(&self.auxiliary);
    }
}

impl Command for ActivatePayload {
    type Response = ActivatedPayload;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x48;
    // The second is told that it is active already, and not where and how.
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How a payload was activated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ActivatedPayload {
    /// More, by payload; for SOL bit 0 of the first byte is set in test mode.
    pub auxiliary: [u8; 4],
    /// Longest payload to the BMC in bytes, with the payload's own header. Some BMCs report nonsense.
    pub inbound_size: u16,
    /// Longest payload to the console in bytes, with the payload's own header. Some BMCs report nonsense.
    pub outbound_size: u16,
    /// UDP port of the payload. Some BMCs report nonsense.
    pub port: u16,
    /// VLAN of the payload; FFFFh or left out: none of its own.
    pub vlan: u16,
}

impl ActivatedPayload {
    /// Value of [`vlan`](Self::vlan): none of its own.
    pub const NO_VLAN: u16 = 0xffff;
}

impl Wire for ActivatedPayload {
    const NAME: &'static str = "Activate Payload response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            auxiliary: r.array("auxiliary response data")?,
            inbound_size: r.u16_le("inbound payload size")?,
            outbound_size: r.u16_le("outbound payload size")?,
            port: r.u16_le("payload UDP port")?,
            vlan: match r.remaining() {
                0 | 1 => Self::NO_VLAN,
                _ => r.u16_le("payload VLAN number")?,
            },
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.auxiliary);
        for value in [self.inbound_size, self.outbound_size, self.port, self.vlan] {
            out.put_u16_le(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As ipmitool sends it.
    #[test]
    fn known_bytes() {
        let activation = SolActivation {
            encrypted: true,
            authenticated: true,
            alerts: 1,
            starts_deasserted: true,
            ..SolActivation::default()
        };
        let bytes = [1, 1, 0xc6, 0, 0, 0];
        assert_eq!(ActivatePayload::sol(activation).to_bytes(), bytes);
        assert_eq!(SolActivation::from_byte(0xc6), activation);
    }
}
