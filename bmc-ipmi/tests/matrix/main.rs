//! The table of the book that says what was proved with which foreign program.
//!
//! `RUFIO_REFRESH_MATRIX=1 cargo test --package bmc-ipmi --test matrix` writes it anew.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../support/spoken.rs"]
mod spoken;

mod commands;
mod page;

use std::path::{Path, PathBuf};

use commands::{COMMANDS, Proof};

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/providers/ipmi-interop.md")
}

#[test]
fn the_table_of_the_book_is_that_of_the_tests() {
    let page = page::render();
    if std::env::var_os("RUFIO_REFRESH_MATRIX").is_some() {
        std::fs::write(book(), &page).unwrap();
    }
    let written = std::fs::read_to_string(book()).unwrap();
    assert_eq!(
        written, page,
        "RUFIO_REFRESH_MATRIX=1 cargo test --package bmc-ipmi --test matrix"
    );
}

/// A cell names the test that fills it.
#[test]
fn every_proof_is_a_test() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for Proof(path) in COMMANDS.iter().flat_map(|row| row.proofs) {
        let (module, test) = path.rsplit_once("::").unwrap();
        let file = tests.join(module.replace("::", "/")).with_extension("rs");
        let source = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{path}: {}: {error}", file.display()));
        assert!(
            source.contains(&format!("\nasync fn {test}() {{")),
            "{path}"
        );
    }
}
