//! AES-CBC-128, §13.29: an initialization vector, then the encrypted payload with IPMI's own padding.

use aes::Aes128;
use aes::cipher::block_padding::NoPadding;
use aes::cipher::{BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, KeyInit};

/// Block length, and length of the initialization vector.
pub(crate) const BLOCK: usize = 16;

/// AES-128 with its key schedules.
pub(crate) struct AesCbc(Aes128);

impl AesCbc {
    /// Prepares the algorithm with the first 16 bytes of K2.
    pub(crate) fn new(key: &[u8; BLOCK]) -> Self {
        Self(Aes128::new(key.into()))
    }

    /// Length of an encrypted payload, initialization vector included.
    pub(crate) fn sealed_length(plain: usize) -> usize {
        BLOCK + (plain + 1).next_multiple_of(BLOCK)
    }

    /// Appends the initialization vector and the encryption of `plain`.
    pub(crate) fn seal(&self, iv: &[u8; BLOCK], plain: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(iv);
        let start = out.len();
        out.extend_from_slice(plain);
        let pad = (BLOCK - (plain.len() + 1) % BLOCK) % BLOCK;
        out.extend((1u8..).take(pad));
        // Below 16, so it fits.
        out.push(u8::try_from(pad).unwrap_or_default());
        let Some(buffer) = out.get_mut(start..) else {
            return;
        };
        let length = buffer.len();
        let encryptor = cbc::Encryptor::inner_iv_init(&self.0, iv.into());
        // Cannot fail: the length is a multiple of the block length.
        let encrypted = encryptor.encrypt_padded::<NoPadding>(buffer, length);
        debug_assert!(encrypted.is_ok());
    }

    /// Decrypts in place and returns the payload; `None` if the length or the padding is wrong.
    pub(crate) fn open<'a>(&self, sealed: &'a mut [u8]) -> Option<&'a [u8]> {
        let (iv, body) = sealed.split_first_chunk_mut::<BLOCK>()?;
        let decryptor = cbc::Decryptor::inner_iv_init(&self.0, (&*iv).into());
        let plain = decryptor.decrypt_padded::<NoPadding>(body).ok()?;
        let (pad_length, rest) = plain.split_last()?;
        let pad_length = usize::from(*pad_length);
        if pad_length >= BLOCK {
            return None;
        }
        let (payload, pad) = rest.split_at_checked(rest.len().checked_sub(pad_length)?)?;
        pad.iter()
            .copied()
            .eq((1u8..).take(pad_length))
            .then_some(payload)
    }
}
