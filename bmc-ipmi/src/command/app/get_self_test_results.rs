//! Get Self Test Results, §20.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks how the last self test ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSelfTestResults;

without_data!(GetSelfTestResults, "Get Self Test Results");

impl Command for GetSelfTestResults {
    type Response = SelfTestResults;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x04;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How the last self test ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelfTestResults {
    /// How it ended.
    pub result: SelfTestResult,
    /// More: for [`SelfTestResult::CORRUPTED`] which data cannot be had, one bit each, else the manufacturer's.
    pub detail: u8,
}

/// How a self test ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelfTestResult(u8);

code_table! {
    SelfTestResult, 0xff, "self test result":
    PASSED = 0x55, "passed";
    NOT_IMPLEMENTED = 0x56, "not implemented";
    CORRUPTED = 0x57, "corrupted or inaccessible data or devices";
    FATAL = 0x58, "fatal hardware error";
}

/// What the bits of [`SelfTestResults::detail`] mean, from bit 7 on.
const DETAILS: [(u8, &str); 8] = [
    (0x80, "SEL device inaccessible"),
    (0x40, "SDR repository inaccessible"),
    (0x20, "BMC FRU device inaccessible"),
    (0x10, "IPMB lines do not respond"),
    (0x08, "SDR repository empty"),
    (0x04, "internal use area of the BMC FRU corrupted"),
    (0x02, "boot block firmware corrupted"),
    (0x01, "operational firmware corrupted"),
];

impl SelfTestResults {
    /// Whether there is nothing to complain of.
    pub fn is_passed(&self) -> bool {
        self.result == SelfTestResult::PASSED
    }

    /// What is wrong, where the BMC tells.
    pub fn faults(&self) -> impl Iterator<Item = &'static str> {
        let detail = match self.result {
            SelfTestResult::CORRUPTED => self.detail,
            _ => 0,
        };
        DETAILS
            .into_iter()
            .filter_map(move |(bit, text)| (detail & bit != 0).then_some(text))
    }
}

impl Wire for SelfTestResults {
    const NAME: &'static str = "Get Self Test Results response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            result: SelfTestResult::new(r.u8("result")?),
            detail: r.u8("detail")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.result.value(), self.detail]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn faults_are_named() {
        let results = SelfTestResults::from_bytes(&[0x57, 0x48]).unwrap();
        let faults: Vec<_> = results.faults().collect();
        assert_eq!(
            faults,
            ["SDR repository inaccessible", "SDR repository empty"]
        );
        let fatal = SelfTestResults::from_bytes(&[0x58, 0x48]).unwrap();
        assert_eq!(fatal.faults().count(), 0, "the manufacturer's own bits");
    }
}
