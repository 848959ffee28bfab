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

#[test]
fn power_is_switched_and_seen() {
    let ran = Ran::of(&mut example("power"));
    let expected = ["power: off", "on: state-reached", "last restart: command"];
    for part in expected {
        assert!(ran.success().contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn a_boot_override_is_read_back() {
    let ran = Ran::of(&mut example("boot"));
    assert!(
        ran.success()
            .starts_with("pxe once efi (valid: true, raw a0"),
        "{}",
        ran.out
    );
}

#[test]
fn the_identify_light_shows() {
    let ran = Ran::of(&mut example("identify"));
    assert_eq!(ran.success(), "identify light: timed\n");
}

#[test]
fn a_diagnostic_interrupt_is_sent() {
    let ran = Ran::of(&mut example("nmi"));
    assert_eq!(ran.success(), "the BMC has interrupted its host\n");
}

#[test]
fn a_bmc_restarts_and_comes_back() {
    let ran = Ran::of(&mut example("reset_bmc"));
    assert_eq!(
        ran.success(),
        "the BMC restarts\nit is back, and the host is off\n"
    );
}

#[test]
fn a_command_is_sent_typed_and_as_bytes() {
    let ran = Ran::of(&mut example("raw_command"));
    assert!(ran.success().contains("answer [60, 00, 40"), "{}", ran.out);
}

#[test]
fn a_host_needs_a_user() {
    let ran = Ran::of(example("power").arg("127.0.0.1"));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("give HOST and USER"), "{}", ran.err);
}

#[test]
fn sensors_are_listed_with_their_meaning() {
    let ran = Ran::of(&mut example("sensors"));
    for part in ["Inlet Temp", "23 °C", "fully redundant"] {
        assert!(ran.success().contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn the_event_log_is_watched() {
    let ran = Ran::of(&mut example("event_log"));
    let news = ran.success().matches("lower critical going low").count();
    assert_eq!(news, 3, "{}", ran.out);
    assert!(ran.out.contains("\ngo on from sel:"), "{}", ran.out);
}

#[test]
fn components_are_listed() {
    let ran = Ran::of(&mut example("inventory"));
    assert!(
        ran.success().starts_with("BMC                  bmc"),
        "{}",
        ran.out
    );
}

#[test]
fn a_user_comes_and_goes() {
    let ran = Ran::of(&mut example("users"));
    for part in [
        "admin            administrator  enabled",
        "example          user           enabled",
        "deleted user ",
    ] {
        assert!(ran.success().contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn a_console_echoes() {
    let ran = Ran::of(&mut example("console"));
    assert_eq!(ran.success(), "\"hello\\r\"\n");
}
