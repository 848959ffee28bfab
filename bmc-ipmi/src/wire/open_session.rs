//! RMCP+ Open Session Request and Response, §13.17 and §13.18.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::algorithm::{
    AuthenticationAlgorithm, ConfidentialityAlgorithm, IntegrityAlgorithm,
};
use crate::wire::privilege::Privilege;
use crate::wire::refusal::{Refusal, is_accepted};
use crate::wire::status::Status;

/// Console to BMC: opens a session with exactly these algorithms.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OpenSessionRequest {
    /// Chosen by the console; the response repeats it.
    pub tag: u8,
    /// Highest privilege that the session may reach.
    pub privilege: Privilege,
    /// The console's session ID, not 0.
    pub console_session_id: u32,
    /// Proposed authentication algorithm.
    pub authentication: AuthenticationAlgorithm,
    /// Proposed integrity algorithm.
    pub integrity: IntegrityAlgorithm,
    /// Proposed confidentiality algorithm.
    pub confidentiality: ConfidentialityAlgorithm,
}

impl Wire for OpenSessionRequest {
    const NAME: &'static str = "Open Session Request";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let tag = r.u8("message tag")?;
        let privilege = Privilege::new(r.u8("maximum privilege level")?);
        r.u16_le("reserved bytes")?;
        let console_session_id = r.u32_le("console session ID")?;
        let (authentication, integrity, confidentiality) = decode_algorithms(r)?;
        Ok(Self {
            tag,
            privilege,
            console_session_id,
            authentication,
            integrity,
            confidentiality,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.tag);
        out.put_u8(self.privilege.value());
        out.put_u16_le(0);
        out.put_u32_le(self.console_session_id);
        encode_algorithms(
            self.authentication,
            self.integrity,
            self.confidentiality,
            out,
        );
    }
}

/// BMC to console: the session's IDs and algorithms, or why there is no session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OpenSessionResponse {
    /// The BMC reserved a session.
    Accepted(OpenSessionAccepted),
    /// It did not.
    Refused(Refusal),
}

/// The successful form of [`OpenSessionResponse`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OpenSessionAccepted {
    /// The request's tag.
    pub tag: u8,
    /// Highest privilege of the session; some BMCs leave it 0.
    pub privilege: Privilege,
    /// The request's session ID.
    pub console_session_id: u32,
    /// The BMC's session ID, not 0.
    pub bmc_session_id: u32,
    /// Agreed authentication algorithm.
    pub authentication: AuthenticationAlgorithm,
    /// Agreed integrity algorithm.
    pub integrity: IntegrityAlgorithm,
    /// Agreed confidentiality algorithm.
    pub confidentiality: ConfidentialityAlgorithm,
}

impl Wire for OpenSessionResponse {
    const NAME: &'static str = "Open Session Response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if !is_accepted(r) {
            return Refusal::decode(r).map(Self::Refused);
        }
        let tag = r.u8("message tag")?;
        r.u8("status code")?;
        let privilege = Privilege::new(r.u8("maximum privilege level")?);
        r.u8("reserved byte")?;
        let console_session_id = r.u32_le("console session ID")?;
        let bmc_session_id = r.u32_le("BMC session ID")?;
        let (authentication, integrity, confidentiality) = decode_algorithms(r)?;
        Ok(Self::Accepted(OpenSessionAccepted {
            tag,
            privilege,
            console_session_id,
            bmc_session_id,
            authentication,
            integrity,
            confidentiality,
        }))
    }

    fn encode(&self, out: &mut impl BufMut) {
        let accepted = match self {
            Self::Accepted(accepted) => accepted,
            Self::Refused(refusal) => return refusal.encode(out),
        };
        out.put_u8(accepted.tag);
        out.put_u8(Status::OK.0);
        out.put_u8(accepted.privilege.value());
        out.put_u8(0);
        out.put_u32_le(accepted.console_session_id);
        out.put_u32_le(accepted.bmc_session_id);
        encode_algorithms(
            accepted.authentication,
            accepted.integrity,
            accepted.confidentiality,
            out,
        );
    }
}

type Algorithms = (
    AuthenticationAlgorithm,
    IntegrityAlgorithm,
    ConfidentialityAlgorithm,
);

const BLOCK_LENGTH: u8 = 8;

fn decode_algorithms(r: &mut Reader<'_>) -> Result<Algorithms, DecodeError> {
    Ok((
        AuthenticationAlgorithm::new(decode_block(r, 0, "authentication payload")?),
        IntegrityAlgorithm::new(decode_block(r, 1, "integrity payload")?),
        ConfidentialityAlgorithm::new(decode_block(r, 2, "confidentiality payload")?),
    ))
}

fn decode_block(r: &mut Reader<'_>, kind: u8, field: &'static str) -> Result<u8, DecodeError> {
    r.expect_u8(kind, field)?;
    r.take(2, field)?;
    // Length 0 asks the BMC to choose; a console that cannot foresee the choice must not accept it either.
    r.expect_u8(BLOCK_LENGTH, field)?;
    let algorithm = r.u8(field)?;
    r.take(3, field)?;
    Ok(algorithm)
}

fn encode_algorithms(
    authentication: AuthenticationAlgorithm,
    integrity: IntegrityAlgorithm,
    confidentiality: ConfidentialityAlgorithm,
    out: &mut impl BufMut,
) {
    for (kind, algorithm) in [
        (0, authentication.value()),
        (1, integrity.value()),
        (2, confidentiality.value()),
    ] {
        out.put_slice(&[kind, 0, 0, BLOCK_LENGTH, algorithm, 0, 0, 0]);
    }
}
