//! Where programs and files are.

use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A program by its name. `None`: it is missing, which has been said; the test is to end here.
///
/// # Panics
///
/// If it is missing and `CI` is set.
pub fn program(name: &str) -> Option<PathBuf> {
    let peers = env::var_os("RUFIO_PEERS");
    let path = env::var_os("PATH").unwrap_or_default();
    let found = find(name, peers.as_deref().map(Path::new), &path);
    if found.is_none() {
        skip(&format!("{name} is missing"));
    }
    found
}

/// Says that something is not tested, and why.
///
/// # Panics
///
/// If `CI` is set: everything is tested there.
pub fn skip(why: &str) {
    let advice = "run .ci/peers/install and set RUFIO_PEERS";
    assert!(env::var_os("CI").is_none(), "{why}: {advice}");
    // The test harness keeps what is printed by `eprintln!`; this is to be seen.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}: {advice}");
}

/// A file of this repository, by its path from the top.
pub fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn find(name: &str, peers: Option<&Path>, path: &OsStr) -> Option<PathBuf> {
    [peers?.join("bin")]
        .into_iter()
        .chain(env::split_paths(path))
        // Debian puts ipmipower where only root looks.
        .chain(["/usr/sbin".into()])
        .map(|directory| directory.join(name))
        .find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_come_before_the_path() {
        let [peers, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let path = other.path().as_os_str();
        let search = || find("a-peer", Some(peers.path()), path);
        assert_eq!(search(), None);
        let on_path = other.path().join("a-peer");
        std::fs::write(&on_path, "").unwrap();
        assert_eq!(search(), Some(on_path));
        let of_peers = peers.path().join("bin/a-peer");
        std::fs::create_dir(peers.path().join("bin")).unwrap();
        std::fs::write(&of_peers, "").unwrap();
        assert_eq!(search(), Some(of_peers));
        assert_eq!(find("a-peer", None, path), None);
    }
}
