use std::sync::Arc;
use std::time::Duration;

use bmc_core::{BootDevice, BootMode, BootOverride, BootReading, Persistence, PowerState};
use proptest::prelude::*;
use rufio_operator::api::{Job, Machine, Task, TaskConditionType};
use rufio_operator::plan::job::{self, Memory, child};
use rufio_operator::plan::task::{Decision, Given, Progress, Seen, decide};
use rufio_operator::status::task_ended;
use rufio_operator::store::Kind;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{TIMEOUT, at, connection, stored};

fn action() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec!["on", "off", "soft", "cycle", "reset", "status"])
            .prop_map(|word| json!({"powerAction": word})),
        ("[a-z_]{0,6}|pxe|disk", any::<bool>())
            .prop_map(|(device, efi)| json!({"bootDevice": {"device": device, "efiBoot": efi}})),
        prop::collection::vec("pxe|disk|PXE|x", 0..3)
            .prop_map(|devices| json!({"oneTimeBootDeviceAction": {"device": devices}})),
        ("CD|x|", "|x|http://a/b")
            .prop_map(|(kind, url)| json!({"virtualMediaAction": {"kind": kind, "mediaURL": url}})),
        Just(json!({})),
    ]
}

/// What happens to a Task's process.
#[derive(Clone, Debug)]
enum Happens {
    Power(usize),
    Boot(BootDevice, bool),
    Media(bool),
    Nothing,
    Accepted,
    Unclear,
    Trouble,
    Later(u64),
    Restart,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        (0..PowerState::ALL.len()).prop_map(Happens::Power),
        (prop::sample::select(BootDevice::ALL), any::<bool>())
            .prop_map(|(device, valid)| Happens::Boot(device, valid)),
        any::<bool>().prop_map(Happens::Media),
        Just(Happens::Nothing),
        Just(Happens::Accepted),
        Just(Happens::Unclear),
        Just(Happens::Trouble),
        (0_u64..400_000).prop_map(Happens::Later),
        Just(Happens::Restart),
    ]
}

proptest! {
    /// Whatever is seen: no panic, no pause of zero or beyond the deadline, at most one `cycle`, nothing after the end.
    #[test]
    fn a_task_ends_once_and_acts_once(action in action(), story in prop::collection::vec(happens(), 0..40), webhook in any::<bool>()) {
        let mut connection = connection();
        if webhook {
            connection["providerOptions"] = json!({"rpc": {"consumerURL": "http://a/"}});
        }
        let mut task: Task = stored("t", json!({"task": action, "connection": connection}), Value::Null);
        let once = ["cycle", "reset", "soft"].iter().any(|word| action["powerAction"] == *word);
        let tick = Instant::now();
        let mut given = Given { wall: at(0), tick, timeout: TIMEOUT, awaited: None };
        let mut progress = Progress::new(tick);
        let (mut sent, mut ended) = (0, false);
        for happening in story {
            progress.pass_begins();
            match happening {
                Happens::Power(index) => progress.seen(Seen::Power(PowerState::ALL[index])),
                Happens::Boot(device, valid) => {
                    let settings = BootOverride { device, persistence: Persistence::Once, mode: BootMode::Legacy };
                    progress.seen(Seen::Boot(BootReading { settings, valid, raw: String::new() }));
                }
                Happens::Media(inserted) => progress.seen(Seen::Media(inserted.then(|| "http://a/b".parse().unwrap()))),
                Happens::Nothing => progress.seen(Seen::Nothing),
                Happens::Trouble => progress.troubled(given.tick, "trouble".into()),
                Happens::Later(milliseconds) => {
                    let by = Duration::from_millis(milliseconds);
                    given.tick += by;
                    given.wall = given.wall.checked_add(by).unwrap();
                }
                Happens::Restart => progress = Progress::new(given.tick),
                Happens::Accepted | Happens::Unclear => {}
            }
            let decision = decide(&task, &progress, &given);
            prop_assert!(!ended || decision == Decision::Nothing, "{decision:?} after the end");
            match decision {
                Decision::Nothing | Decision::Look => {}
                Decision::Wait(pause) => prop_assert!(!pause.is_zero() && pause <= TIMEOUT),
                Decision::Begin => {
                    prop_assert!(task.status.is_none());
                    task.set_status(serde_json::from_value(json!({"startTime": given.wall.to_string()})).unwrap());
                    progress.begun();
                }
                Decision::Send => {
                    prop_assert!(task.status.is_some(), "sent without an intent");
                    sent += 1;
                    match happening {
                        Happens::Unclear => progress.unknown(given.tick, "lost".into()),
                        _ => progress.accepted(given.tick),
                    }
                }
                Decision::Complete(_) => {
                    let status = task_ended(task.status(), TaskConditionType::Completed, String::new(), &given_time(&given));
                    task.set_status(status);
                    ended = true;
                }
                Decision::Fail(message) => {
                    prop_assert!(!message.is_empty());
                    task.set_status(task_ended(task.status(), TaskConditionType::Failed, message, &given_time(&given)));
                    ended = true;
                }
            }
            prop_assert!(!once || sent <= 1, "sent {sent} times");
        }
    }

    /// Whatever Tasks there are: no panic, and never a Task beyond the list.
    #[test]
    fn a_job_stays_within_its_list(
        actions in prop::collection::vec(action(), 0..4),
        children in prop::collection::vec((0_usize..6, 0_usize..3), 0..6),
        lost in prop::option::of((0_usize..6, any::<bool>(), any::<bool>())),
        wall in 0_i64..2000,
        has_machine in any::<bool>(),
    ) {
        let job: Job = stored(
            "j",
            json!({"machineRef": {"name": "m", "namespace": "ns"}, "tasks": actions}),
            json!({"conditions": [{"type": "Running", "status": "True"}], "startTime": at(0).to_string()}),
        );
        let machine: Machine = stored("m", json!({"connection": connection()}), Value::Null);
        let tasks: Vec<Arc<Task>> = children
            .iter()
            .map(|(index, state)| {
                let mut task = child(&job, *index, &rufio_operator::api::Action::default(), &machine);
                let end = [None, Some(TaskConditionType::Completed), Some(TaskConditionType::Failed)][*state];
                if let Some(end) = end {
                    task.set_status(task_ended(None, end, String::new(), &k8s_openapi::apimachinery::pkg::apis::meta::v1::Time(at(1))));
                }
                Arc::new(task)
            })
            .collect();
        let mut memory = Memory::default();
        memory.observe(&job, &tasks);
        if let Some((index, found, may_have_acted)) = lost {
            memory.made(index, "uid");
            if found {
                memory.gone(index, may_have_acted);
            }
        }
        let given = job::Given {
            wall: at(wall),
            timeout: TIMEOUT,
            tasks: &tasks,
            machine: has_machine.then_some(&machine),
            ahead: None,
        };
        if let job::Decision::Create { index, task } = job::decide(&job, &memory, &given) {
            prop_assert!(index < actions.len());
            prop_assert_eq!(job::index_of(&job, &task), Some(index));
        }
    }
}

fn given_time(given: &Given) -> k8s_openapi::apimachinery::pkg::apis::meta::v1::Time {
    k8s_openapi::apimachinery::pkg::apis::meta::v1::Time(given.wall)
}
