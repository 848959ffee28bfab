//! The answer to questions about parameters.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::dcmi::{group, put_group};

/// A parameter as bytes: only the question says which it is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DcmiData {
    /// Version of DCMI.
    pub version: DcmiVersion,
    /// Revision of the parameter.
    pub revision: u8,
    /// Its data.
    pub data: Vec<u8>,
}

/// Version of DCMI.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct DcmiVersion {
    /// Major version.
    pub major: u8,
    /// Minor version.
    pub minor: u8,
}

impl Wire for DcmiData {
    const NAME: &'static str = "DCMI parameter";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [major, minor, revision] = r.array("version and revision")?;
        Ok(Self {
            version: DcmiVersion { major, minor },
            revision,
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.version.major, self.version.minor, self.revision]);
        out.put_slice(&self.data);
    }
}
