//! Set Power Restore Policy, §28.8.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Says what happens when mains power comes back. Chassis Status has the policy in force.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetPowerRestorePolicy(pub PowerRestorePolicy);

/// What happens when mains power comes back: three bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PowerRestorePolicy(u8);

code_table! {
    PowerRestorePolicy, 0x07, "power restore policy":
    ALWAYS_OFF = 0, "always off";
    PREVIOUS = 1, "previous state";
    ALWAYS_ON = 2, "always on";
    UNKNOWN = 3, "unknown";
}

impl PowerRestorePolicy {
    /// In a request: changes nothing, asks only what is supported.
    pub const QUERY: Self = Self::UNKNOWN;
}

impl Wire for SetPowerRestorePolicy {
    const NAME: &'static str = "Set Power Restore Policy";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("power restore policy")
            .map(|policy| Self(PowerRestorePolicy::new(policy)))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0.value());
    }
}

impl Command for SetPowerRestorePolicy {
    type Response = PowerRestorePolicies;
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x06;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

/// Which policies are supported: bit n is policy n.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PowerRestorePolicies(pub u8);

impl PowerRestorePolicies {
    /// All of them.
    pub const ALL: Self = Self(0x07);

    /// Whether this policy is among them.
    pub fn contains(self, policy: PowerRestorePolicy) -> bool {
        self.0 & 1 << policy.value() != 0
    }
}

impl Wire for PowerRestorePolicies {
    const NAME: &'static str = "Set Power Restore Policy response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("supported policies")
            .map(|bits| Self(bits & Self::ALL.0))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0 & Self::ALL.0);
    }
}
