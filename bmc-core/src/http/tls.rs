//! TLS policies as rustls understands them.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use sha2::{Digest, Sha256};

use super::error::HttpConfigError;
use crate::tls::TlsPolicy;

/// The client side of TLS under `policy`, without a certificate of our own.
pub(super) fn client_config(policy: &TlsPolicy) -> Result<ClientConfig, HttpConfigError> {
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match policy {
        TlsPolicy::Verify => match rustls_platform_verifier::Verifier::new(Arc::clone(&provider)) {
            Ok(verifier) => Arc::new(verifier),
            // A container without roots can still speak plain HTTP.
            Err(_) => loose(&provider, Rule::NoRoots),
        },
        TlsPolicy::VerifyRoots(pem) => WebPkiServerVerifier::builder_with_provider(
            Arc::new(roots(pem)?),
            Arc::clone(&provider),
        )
        .build()
        .map_err(|_| HttpConfigError::NoRoots)?,
        TlsPolicy::Pinned(fingerprint) => loose(&provider, Rule::Pinned(*fingerprint)),
        TlsPolicy::DangerousAcceptAny => loose(&provider, Rule::Any),
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| HttpConfigError::System)?;
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

fn roots(pem: &[u8]) -> Result<RootCertStore, HttpConfigError> {
    let mut store = RootCertStore::empty();
    for (index, certificate) in CertificateDer::pem_slice_iter(pem).enumerate() {
        let unusable = HttpConfigError::Roots { index };
        let certificate = certificate.map_err(|_| unusable.clone())?;
        store.add(certificate).map_err(|_| unusable)?;
    }
    if store.is_empty() {
        return Err(HttpConfigError::NoRoots);
    }
    Ok(store)
}

fn loose(provider: &Arc<CryptoProvider>, rule: Rule) -> Arc<Loose> {
    Arc::new(Loose {
        provider: Arc::clone(provider),
        rule,
    })
}

/// Judges the certificate by a rule of its own; the peer must still hold the certificate's key.
#[derive(Debug)]
struct Loose {
    provider: Arc<CryptoProvider>,
    rule: Rule,
}

#[derive(Debug)]
enum Rule {
    Any,
    Pinned([u8; 32]),
    NoRoots,
}

impl ServerCertVerifier for Loose {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match &self.rule {
            Rule::Any => Ok(ServerCertVerified::assertion()),
            Rule::Pinned(expected) if Sha256::digest(end_entity)[..] == expected[..] => {
                Ok(ServerCertVerified::assertion())
            }
            Rule::Pinned(_) => Err(Error::InvalidCertificate(
                CertificateError::ApplicationVerificationFailure,
            )),
            Rule::NoRoots => Err(Error::General(
                "this system has no root certificates".into(),
            )),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
