//! What README and book point at is there.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// README.md and every page of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![top().join("README.md")];
    let mut directories = vec![top().join("docs/src")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => directories.push(path),
                false => pages.push(path),
            }
        }
    }
    pages
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            let file = link.split('#').next().unwrap();
            let target = page.parent().unwrap().join(file);
            assert!(target.exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn included_code_exists() {
    let mut included = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for include in text.split("{{#include ").skip(1) {
            let include = include.split("}}").next().unwrap();
            let (file, anchor) = include.split_once(':').unwrap_or((include, ""));
            let source = fs::read_to_string(page.parent().unwrap().join(file)).unwrap();
            let marks = ["ANCHOR: ", "ANCHOR_END: "].map(|mark| format!("{mark}{anchor}"));
            assert!(
                anchor.is_empty() || marks.iter().all(|mark| source.contains(mark)),
                "{}: {include}",
                page.display()
            );
            included += 1;
        }
    }
    assert!(included > 0);
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(top().join("docs/src/SUMMARY.md")).unwrap();
    for page in pages()
        .iter()
        .filter_map(|page| page.strip_prefix(top().join("docs/src")).ok())
    {
        let name = page.to_str().unwrap();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name}"
        );
    }
}

/// The programs and scripts that README names exist.
#[test]
fn commands_of_the_readme_exist() {
    let readme = fs::read_to_string(top().join("README.md")).unwrap();
    let manifest = fs::read_to_string(top().join("examples/Cargo.toml")).unwrap();
    let examples = readme.split("--example ").skip(1);
    for name in examples.filter_map(|rest| rest.split([' ', '`', '\n']).next()) {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
    for script in [".ci/test", ".ci/run"] {
        assert!(
            readme.contains(script) && top().join(script).is_file(),
            "{script}"
        );
    }
}
