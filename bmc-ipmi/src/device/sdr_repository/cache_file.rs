//! A file of the cache.
//!
//! A line that names the format, the SHA-256 of the rest, then identity, stamp and each record, all with a length of
//! two bytes before them, least significant first.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::codec::{DecodeError, Reader, Wire};
use crate::device::sdr_repository::cache::CacheKey;
use crate::device::sdr_repository::walk::MOST_RECORDS;
use crate::record::Sdr;

const FORMAT: &[u8] = b"bmc-ipmi SDR cache 1\n";
const DIGEST: usize = 32;
/// A larger file is not one of ours.
const LARGEST: u64 = 4 << 20;
/// Bytes for each BMC that all files together may have.
const BYTES_PER_BMC: u64 = 64 << 10;
const EXTENSION: &str = "sdr";
/// Bytes of an identity's digest in the name of its file.
const NAME: usize = 16;

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

/// Writes the file anew: whoever reads it meanwhile gets the old one or the new one. Where there are more than `limit`
/// files by then, or much in them, those that were written first are removed.
pub(super) fn write(
    directory: &Path,
    key: &CacheKey,
    records: &[Sdr],
    limit: usize,
) -> io::Result<()> {
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
    let written = create(&draft, &content).and_then(|()| fs::rename(&draft, &path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written.and_then(|()| make_room(directory, &path, limit))
}

/// Removes the oldest files beside `newest`. Leaves alone what has no name of ours.
fn make_room(directory: &Path, newest: &Path, limit: usize) -> io::Result<()> {
    let mut files = Vec::new();
    for file in fs::read_dir(directory)? {
        let path = file?.path();
        // Another process may have removed it.
        if is_ours(&path)
            && path != newest
            && let Ok(about) = fs::symlink_metadata(&path)
        {
            let written = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((written, about.len(), path));
        }
    }
    files.sort();
    let room = BYTES_PER_BMC.saturating_mul(limit.try_into().unwrap_or(u64::MAX));
    let mut bytes = fs::metadata(newest).map_or(0, |about| about.len());
    let mut kept = 1;
    for (_, length, path) in files.into_iter().rev() {
        bytes = bytes.saturating_add(length);
        kept += 1;
        if kept > limit || bytes > room {
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

fn is_ours(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str());
    path.extension() == Some(OsStr::new(EXTENSION))
        && name.is_some_and(|name| {
            name.len() == 2 * NAME && name.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
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
        if records.len() >= MOST_RECORDS {
            return Ok(None);
        }
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
        .take(NAME)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    directory.join(format!("{name}.{EXTENSION}"))
}
