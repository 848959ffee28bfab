//! The quickstart ends well, and says so in plain lines where there is no terminal.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use program::{Ran, example};

#[test]
fn all_machines_are_switched_and_booted() {
    let ran = Ran::of(&mut example("quickstart"));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for node in ["node-1", "node-2", "node-3"] {
        let machine = format!("{node}: switched off, on, booted by PXE; ");
        assert!(ran.out.contains(&machine), "{machine} in:\n{}", ran.out);
        let contactable = format!("machine sample/{node}: contactable, power on");
        assert!(
            ran.err.contains(&contactable),
            "{contactable} in:\n{}",
            ran.err
        );
        let completed = format!("job sample/netboot-{node}: completed");
        assert!(ran.err.contains(&completed), "{completed} in:\n{}", ran.err);
    }
    let summary = "3 Machines (3 contactable), 3 Jobs, 0 stand-alone Tasks: 3 completed, 0 failed";
    assert!(ran.out.contains(summary), "{}", ran.out);
    assert!(
        !ran.err.contains('\u{1b}'),
        "no terminal, no escapes:\n{}",
        ran.err
    );
}
