//! The examples of one purpose each run by themselves and say what they promise.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use program::{Ran, example};

#[test]
fn a_custom_provider_stands_in() {
    let ran = Ran::of(&mut example("custom_provider"));
    let lines: Vec<_> = ran.success().lines().collect();
    assert_eq!(lines.first(), Some(&"power on: done by socket"));
    assert!(ran.out.contains("before that: redfish: "), "{}", ran.out);
    assert_eq!(lines.last(), Some(&"power: on"));
}

#[test]
fn a_report_names_every_attempt() {
    let ran = Ran::of(&mut example("fallback_report"));
    for part in [
        "  ipmi Open: unreachable: ",
        "  ipmi Operate: done",
        "  kind: authentication, may have acted: None",
        "  ipmi Open: authentication: ",
        "the machine has seen 0 cycles",
    ] {
        assert!(ran.success().contains(part), "{part}: {}", ran.out);
    }
}
