//! AuthCodes of IPMI v1.5 sessions, §22.17.1.

use std::fmt;

use md2::Md2;
use md5::{Digest, Md5};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::wire::{AuthType, SessionV15};

/// An authentication type with its password, padded to 16 bytes and wiped on drop.
pub struct KeyedAuth {
    auth_type: AuthType,
    password: Zeroizing<[u8; 16]>,
}

impl KeyedAuth {
    /// Prepares `auth_type`. Of a password that is too long, what is behind its 16th byte does not count.
    pub fn new(auth_type: AuthType, password: &[u8]) -> Self {
        let mut padded = Zeroizing::new([0; 16]);
        for (to, from) in padded.iter_mut().zip(password) {
            *to = *from;
        }
        Self {
            auth_type,
            password: padded,
        }
    }

    /// The type.
    pub fn auth_type(&self) -> AuthType {
        self.auth_type
    }

    /// The datagram with its AuthCode.
    pub fn sign<'a>(&self, session_id: u32, sequence: u32, message: &'a [u8]) -> SessionV15<'a> {
        let mut datagram = SessionV15 {
            auth_type: self.auth_type,
            sequence,
            session_id,
            auth_code: [0; 16],
            message,
        };
        datagram.auth_code = self.code(&datagram);
        datagram
    }

    /// Whether the datagram has this authentication type and the right AuthCode, in constant time.
    pub fn verify(&self, datagram: &SessionV15<'_>) -> bool {
        datagram.auth_type == self.auth_type
            && bool::from(self.code(datagram).ct_eq(&datagram.auth_code))
    }

    fn code(&self, datagram: &SessionV15<'_>) -> [u8; 16] {
        match self.auth_type {
            AuthType::MD2 => self.hash::<Md2>(datagram),
            AuthType::MD5 => self.hash::<Md5>(datagram),
            AuthType::STRAIGHT => *self.password,
            _ => [0; 16],
        }
    }

    fn hash<D: Digest>(&self, datagram: &SessionV15<'_>) -> [u8; 16] {
        let digest = D::new()
            .chain_update(self.password.as_slice())
            .chain_update(datagram.session_id.to_le_bytes())
            .chain_update(datagram.message)
            .chain_update(datagram.sequence.to_le_bytes())
            .chain_update(self.password.as_slice())
            .finalize();
        // Both hashes are 16 bytes long.
        digest.first_chunk().copied().unwrap_or_default()
    }
}

impl fmt::Debug for KeyedAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedAuth")
            .field("auth_type", &self.auth_type)
            .finish_non_exhaustive()
    }
}
