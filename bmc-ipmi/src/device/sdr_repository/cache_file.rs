//! A file of the cache.
//!
//! A line that names the format, the SHA-256 of the rest, then identity, stamp and each record, all with a length of
//! two bytes before them, least significant first.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::codec::{DecodeError, Reader, Wire};
use crate::device::sdr_repository::cache::CacheKey;
use crate::record::Sdr;

const FORMAT: &[u8] = b"bmc-ipmi SDR cache 1\n";
const DIGEST: usize = 32;
/// A larger file is not one of ours.
const LARGEST: u64 = 4 << 20;

/// The records in the file of this BMC; `None` if they are damaged, or others.
pub(super) fn read(directory: &Path, key: &CacheKey) -> Option<Vec<Sdr>> {
    let path = path(directory, key);
    // Whatever else has its name, such as a pipe, could keep us waiting.
    if !fs::metadata(&path).ok()?.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    let (digest, content) = bytes.strip_prefix(FORMAT)?.split_at_checked(DIGEST)?;
    if Sha256::digest(content).as_slice() != digest {
        tracing::warn!(directory = %directory.display(), "a file of the SDR cache is damaged");
        return None;
    }
    decode(content, key).ok()?
}

/// Writes the file anew: whoever reads it meanwhile gets the old one or the new one.
pub(super) fn write(directory: &Path, key: &CacheKey, records: &[Sdr]) -> io::Result<()> {
    let mut content = Vec::new();
    put(&mut content, &key.identity)?;
    put(&mut content, &key.stamp)?;
    for record in records {
        put(&mut content, &record.to_bytes())?;
    }
    let path = path(directory, key);
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    // Never through what another has put there, such as a link.
    let _ = fs::remove_file(&draft);
    let written = create(&draft, &content).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(FORMAT)?;
    file.write_all(&Sha256::digest(content))?;
    file.write_all(content)?;
    file.sync_all()
}

fn decode(content: &[u8], key: &CacheKey) -> Result<Option<Vec<Sdr>>, DecodeError> {
    let mut r = Reader::new("SDR cache file", content);
    if take(&mut r)? != key.identity || take(&mut r)? != key.stamp {
        return Ok(None);
    }
    let mut records = Vec::new();
    while r.remaining() > 0 {
        records.push(Sdr::from_bytes(take(&mut r)?)?);
    }
    Ok(Some(records))
}

fn take<'a>(r: &mut Reader<'a>) -> Result<&'a [u8], DecodeError> {
    let length = r.u16_le("length")?;
    r.take(length.into(), "content")
}

fn put(content: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
    let length = u16::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    content.extend_from_slice(&length.to_le_bytes());
    content.extend_from_slice(bytes);
    Ok(())
}

/// One file for each BMC, whatever characters its identity has.
fn path(directory: &Path, key: &CacheKey) -> PathBuf {
    let digest = Sha256::digest(&key.identity);
    let name: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    directory.join(format!("{name}.sdr"))
}
