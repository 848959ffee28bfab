//! Replays the committed corpus of every fuzz target, so that what fuzzing once found is tested without a fuzzer.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use bmc_ipmi::fuzzing;

/// One test per target; the corpus has the target's name.
macro_rules! replay {
    ($($target:ident),* $(,)?) => {$(
        #[test]
        fn $target() {
            for seed in seeds(stringify!($target)) {
                fuzzing::$target(&seed);
            }
        }
    )*};
}

replay!(
    ipmi_cipher_suites,
    ipmi_datagram,
    ipmi_fru,
    ipmi_handshake_ops,
    ipmi_open_sealed,
    ipmi_roundtrip,
    ipmi_sdr_record,
    ipmi_sel_record,
    ipmi_session_ops,
    ipmi_sol
);

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let files = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let seeds: Vec<_> = files.map(|path| fs::read(path).unwrap()).collect();
    assert!(!seeds.is_empty());
    seeds
}
