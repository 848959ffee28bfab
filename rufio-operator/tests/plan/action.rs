//! Which actions can be done at all, and what is said of those that cannot.

use rufio_operator::api::Action;
use rufio_operator::plan::Step;
use serde_json::json;

use crate::task::{Case, failure, power};

#[test]
fn bad_actions_fail_at_once_and_say_what_is_allowed() {
    let table = [
        (
            json!({}),
            "no action specified in Task, nothing to do: set one of powerAction",
        ),
        (
            json!({"powerAction": "on", "bootDevice": {"device": "pxe"}}),
            "powerAction and bootDevice: exactly one of",
        ),
        (
            json!({"oneTimeBootDeviceAction": {"device": []}}),
            "oneTimeBootDeviceAction.device: a device is required: one of none, pxe, disk",
        ),
        (
            json!({"oneTimeBootDeviceAction": {"device": ["pxx"]}}),
            "oneTimeBootDeviceAction.device: unknown boot device \"pxx\": expected one of",
        ),
        (
            json!({"bootDevice": {}}),
            "bootDevice.device: a device is required",
        ),
        (
            json!({"virtualMediaAction": {"kind": "Tape"}}),
            "virtualMediaAction.kind: \"Tape\" is none of CD, DVD, Floppy, USBStick",
        ),
        (
            json!({"virtualMediaAction": {"kind": "CD", "mediaURL": "http://example.com/image.iso"}}),
            "failed to perform SetVirtualMedia: no provider for this connection can do it: ipmi has no virtual media",
        ),
    ];
    for (action, wanted) in table {
        let message = failure(Case::new(action.clone(), None).decide());
        assert!(message.starts_with(wanted), "{action}: {message}");
    }
    let mut case = Case::new(power("on"), None);
    case.task.spec.connection = None;
    assert!(failure(case.decide()).starts_with("spec.connection: required"));
}

#[test]
fn words_are_read_as_people_write_them() {
    let action = |value| Step::of(&serde_json::from_value::<Action>(value).unwrap()).unwrap();
    let step =
        action(json!({"bootDevice": {"device": "PXE", "persistent": true, "efiBoot": true}}));
    assert_eq!(step.to_string(), "boot pxe persistent efi");
    assert_eq!(
        action(json!({"oneTimeBootDeviceAction": {"device": ["cdrom", "x"]}})).to_string(),
        "boot cdrom once legacy"
    );
}
