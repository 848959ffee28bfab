//! Whom to believe at the other end of a TLS connection.

/// How the certificate of a BMC is checked. Providers without TLS ignore it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum TlsPolicy {
    /// Verify against the system's roots.
    #[default]
    Verify,
    /// Verify against these roots alone, PEM-encoded.
    VerifyRoots(Vec<u8>),
    /// Accept exactly the certificate with this SHA-256 fingerprint (of its DER form).
    Pinned([u8; 32]),
    /// Accept any certificate: anybody on the path can read the password.
    DangerousAcceptAny,
}
