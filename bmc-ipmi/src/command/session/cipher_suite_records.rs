//! Cipher suite records, §22.15.1: the list that Get Channel Cipher Suites returns in parts.

use crate::crypto::CipherSuite;
use crate::wire::{AuthenticationAlgorithm, ConfidentialityAlgorithm, IntegrityAlgorithm};

/// One suite that a BMC offers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CipherSuiteRecord {
    /// Number of the suite.
    pub id: u8,
    /// Enterprise number of the vendor, 24 bits, if the number is the vendor's own.
    pub oem: Option<u32>,
    /// Authentication algorithm; BMCs may leave "none" out.
    pub authentication: Option<AuthenticationAlgorithm>,
    /// Integrity algorithms.
    pub integrity: Vec<IntegrityAlgorithm>,
    /// Confidentiality algorithms.
    pub confidentiality: Vec<ConfidentialityAlgorithm>,
}

const STANDARD: u8 = 0xc0;
const OEM: u8 = 0xc1;
const TAG: u8 = 0xc0;
const TAG_AUTHENTICATION: u8 = 0x00;
const TAG_INTEGRITY: u8 = 0x40;

/// Reads the concatenated parts. Bytes that begin no record are skipped, a record that is cut short is left out.
pub fn decode_records(list: &[u8]) -> Vec<CipherSuiteRecord> {
    let mut records: Vec<CipherSuiteRecord> = Vec::new();
    let mut rest = list;
    loop {
        rest = match rest {
            [STANDARD, id, tail @ ..] => {
                records.push(CipherSuiteRecord::empty(*id, None));
                tail
            }
            [OEM, id, low, middle, high, tail @ ..] => {
                let oem = u32::from_le_bytes([*low, *middle, *high, 0]);
                records.push(CipherSuiteRecord::empty(*id, Some(oem)));
                tail
            }
            [byte, tail @ ..] => {
                if let Some(record) = records.last_mut() {
                    record.add(*byte);
                }
                tail
            }
            [] => return records,
        };
    }
}

/// Writes records as one list.
pub fn encode_records(records: &[CipherSuiteRecord]) -> Vec<u8> {
    let mut list = Vec::new();
    for record in records {
        match record.oem {
            None => list.extend([STANDARD, record.id]),
            Some(oem) => {
                let [low, middle, high, _] = oem.to_le_bytes();
                list.extend([OEM, record.id, low, middle, high]);
            }
        }
        list.extend(record.authentication.map(AuthenticationAlgorithm::value));
        list.extend(record.integrity.iter().map(|a| a.value() | 0x40));
        list.extend(record.confidentiality.iter().map(|a| a.value() | 0x80));
    }
    list
}

/// The suites among `records` that this crate implements, in the BMC's order. Vendors' own suites are not.
pub fn known_suites(records: &[CipherSuiteRecord]) -> Vec<CipherSuite> {
    let standard = records.iter().filter(|record| record.oem.is_none());
    standard
        .filter_map(|record| CipherSuite::from_id(record.id))
        .collect()
}

impl CipherSuiteRecord {
    fn empty(id: u8, oem: Option<u32>) -> Self {
        Self {
            id,
            oem,
            authentication: None,
            integrity: Vec::new(),
            confidentiality: Vec::new(),
        }
    }

    fn add(&mut self, byte: u8) {
        match byte & TAG {
            TAG_AUTHENTICATION => self.authentication = Some(AuthenticationAlgorithm::new(byte)),
            TAG_INTEGRITY => self.integrity.push(IntegrityAlgorithm::new(byte)),
            TAG => {}
            _ => self
                .confidentiality
                .push(ConfidentialityAlgorithm::new(byte)),
        }
    }
}

impl From<CipherSuite> for CipherSuiteRecord {
    fn from(suite: CipherSuite) -> Self {
        Self {
            id: suite.id(),
            oem: None,
            authentication: Some(suite.authentication()),
            integrity: vec![suite.integrity()],
            confidentiality: vec![suite.confidentiality()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_without_the_none_tags_and_with_an_oem_record() {
        let list = [
            0xc0, 0x00, 0x00, 0xc0, 0x01, 0x01, 0xc1, 0x80, 0x57, 0x01, 0x00, 0x01, 0x41, 0x81,
            0xc0, 0x11, 0x03, 0x44, 0x81,
        ];
        let records = decode_records(&list);
        assert_eq!(
            records.iter().map(|r| r.id).collect::<Vec<_>>(),
            [0, 1, 0x80, 17]
        );
        assert_eq!(records[2].oem, Some(0x157));
        let known = [CipherSuite::SUITE_1, CipherSuite::SUITE_17];
        assert_eq!(known_suites(&records), known);
        assert_eq!(encode_records(&records), list);
    }

    #[test]
    fn noise_is_skipped_and_a_cut_record_left_out() {
        assert_eq!(decode_records(&[0x81, 0xff, 0xc1, 1, 2]), []);
        assert_eq!(
            decode_records(&[0xff, 0xc0, 3, 0xff, 1])[0].authentication,
            Some(AuthenticationAlgorithm::HMAC_SHA1)
        );
    }
}
