use std::sync::Arc;

use bmc_core::BootDevice;
use rufio_operator::api::{Action, Job, Machine, Task};
use rufio_operator::plan::job::{
    Claim, Decision, Given, Memory, awaited_override, child, claim, decide, index_of, obstructed,
    refused,
};
use rufio_operator::store::{Key, Kind};
use serde_json::{Value, json};

use super::{TIMEOUT, at, connection, stored};

fn actions() -> Value {
    json!([
        {"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"]}},
        {"powerAction": "cycle"},
    ])
}

fn job(tasks: Value, status: Value) -> Job {
    stored(
        "j",
        json!({"machineRef": {"name": "m", "namespace": "other"}, "tasks": tasks}),
        status,
    )
}

fn running(tasks: Value) -> Job {
    job(
        tasks,
        json!({"conditions": [{"type": "Running", "status": "True"}], "startTime": "2026-01-01T00:00:01Z"}),
    )
}

fn machine() -> Machine {
    stored("m", json!({"connection": connection()}), Value::Null)
}

/// The Task at this place, with this condition.
fn task(job: &Job, index: usize, condition: &str, message: &str) -> Arc<Task> {
    let mut task = child(
        job,
        index,
        &job.spec.tasks[index.min(job.spec.tasks.len() - 1)],
        &machine(),
    );
    task.metadata.uid = Some(format!("uid-of-task-{index}"));
    if !condition.is_empty() {
        let mut status = json!({"startTime": "2026-01-01T00:00:02Z"});
        status["conditions"] = json!([{"type": condition, "status": "True", "message": message}]);
        if condition == "Completed" {
            status["completionTime"] = json!("2026-01-01T00:00:03Z");
        }
        task.status = Some(serde_json::from_value(status).unwrap());
    }
    Arc::new(task)
}

fn given<'a>(tasks: &'a [Arc<Task>], machine: Option<&'a Machine>) -> Given<'a> {
    Given {
        wall: at(10),
        timeout: TIMEOUT,
        tasks,
        machine,
        ahead: None,
    }
}

fn decided(job: &Job, tasks: &[Arc<Task>]) -> Decision {
    let mut memory = Memory::default();
    memory.observe(job, tasks);
    decide(job, &memory, &given(tasks, Some(&machine())))
}

fn failure(decision: Decision) -> String {
    match decision {
        Decision::End {
            failure: Some(failure),
            ..
        } => failure,
        other => panic!("not failed: {other:?}"),
    }
}

fn created(decision: Decision) -> usize {
    match decision {
        Decision::Create { index, .. } => index,
        other => panic!("not created: {other:?}"),
    }
}

#[test]
fn golden_objects() {
    let new = job(json!([{"powerAction": "off"}]), Value::Null);
    let Decision::Write(status) = decided(&new, &[]) else {
        panic!("not begun");
    };
    assert_eq!(
        serde_json::to_value(&status).unwrap(),
        json!({"conditions": [{"status": "True", "type": "Running"}], "startTime": "2026-01-01T00:00:10Z"})
    );

    let running = running(json!([{"powerAction": "off"}]));
    let Decision::Create {
        index: 0,
        task: new,
    } = decided(&running, &[])
    else {
        panic!("not created");
    };
    assert_eq!(
        serde_json::to_value(&new).unwrap(),
        json!({
            "apiVersion": "bmc.tinkerbell.org/v1alpha1", "kind": "Task",
            "metadata": {
                "name": "j-task-0", "namespace": "ns", "labels": {"owner-name": "j"},
                "ownerReferences": [{
                    "apiVersion": "bmc.tinkerbell.org/v1alpha1", "kind": "Job", "name": "j", "uid": "uid-of-j",
                    "controller": true,
                }],
            },
            "spec": {
                "connection": {
                    "authSecretRef": {"name": "s", "namespace": "ns"}, "host": "h", "insecureTLS": true, "port": 623,
                },
                "task": {"powerAction": "off"},
            },
        })
    );

    let Decision::End {
        status,
        failure: None,
    } = decided(&running, &[task(&running, 0, "Completed", "")])
    else {
        panic!("not completed");
    };
    assert_eq!(
        serde_json::to_value(&status).unwrap(),
        json!({
            "startTime": "2026-01-01T00:00:01Z", "completionTime": "2026-01-01T00:00:10Z",
            "conditions": [{"status": "True", "type": "Running"}, {"status": "True", "type": "Completed"}],
        })
    );

    let decision = decided(&running, &[task(&running, 0, "Failed", "why")]);
    let Decision::End { status, .. } = decision else {
        panic!("not failed");
    };
    assert_eq!(
        serde_json::to_value(&status).unwrap(),
        json!({
            "startTime": "2026-01-01T00:00:01Z",
            "conditions": [
                {"status": "True", "type": "Running"},
                {"message": "task ns/j-task-0 failed: why", "status": "True", "type": "Failed"},
            ],
        })
    );
}

#[test]
fn one_task_after_the_other() {
    let job = running(actions());
    let mut tasks = Vec::new();
    for index in 0..3 {
        assert_eq!(created(decided(&job, &tasks)), index);
        tasks.push(task(&job, index, "", ""));
        assert_eq!(decided(&job, &tasks), Decision::WaitForTask);
        tasks[index] = task(&job, index, "Completed", "");
    }
    assert!(matches!(
        decided(&job, &tasks),
        Decision::End { failure: None, .. }
    ));
    tasks[1] = task(&job, 1, "Failed", "the BMC's words");
    assert_eq!(
        failure(decided(&job, &tasks)),
        "task ns/j-task-1 failed: the BMC's words"
    );
}

#[test]
fn a_list_without_tasks_completes() {
    assert!(matches!(
        decided(&running(json!([])), &[]),
        Decision::End { failure: None, .. }
    ));
}

#[test]
fn a_bad_action_is_found_before_the_first_one_acts() {
    let bad = json!([{"powerAction": "off"}, {}, {"powerAction": "on"}]);
    let message = failure(decided(&job(bad, Value::Null), &[]));
    assert!(
        message.starts_with("spec.tasks[1]: no action specified in Task"),
        "{message}"
    );
    let media = json!([{"powerAction": "off"}, {"virtualMediaAction": {"kind": "CD"}}]);
    assert!(
        failure(decided(&job(media, Value::Null), &[]))
            .starts_with("spec.tasks[1]: failed to perform SetVirtualMedia")
    );
    // A webhook can; and what began is judged Task by Task, each with its own connection.
    let media = json!([{"virtualMediaAction": {"kind": "CD"}}]);
    let rpc = json!({"rpc": {"consumerURL": "http://example.com/hook"}});
    let mut over_webhook = machine();
    over_webhook.spec.connection.provider_options = Some(serde_json::from_value(rpc).unwrap());
    let begun = decide(
        &job(media.clone(), Value::Null),
        &Memory::default(),
        &given(&[], Some(&over_webhook)),
    );
    assert!(matches!(begun, Decision::Write(_)), "{begun:?}");
    let proceeds = decided(&running(media), &[]);
    assert!(matches!(proceeds, Decision::Create { .. }), "{proceeds:?}");
    let mut nowhere = job(actions(), Value::Null);
    nowhere.spec.machine_ref.namespace.clear();
    assert_eq!(
        failure(decided(&nowhere, &[])),
        "spec.machineRef.namespace: required"
    );
}

#[test]
fn a_missing_machine_is_waited_for() {
    let new = job(actions(), Value::Null);
    let memory = Memory::default();
    let Decision::Write(status) = decide(&new, &memory, &given(&[], None)) else {
        panic!("nothing said");
    };
    assert_eq!(
        serde_json::to_value(&status).unwrap(),
        json!({"conditions": [{"type": "Waiting", "status": "True", "message": "machine other/m not found"}]})
    );
    let mut waiting = new.clone();
    waiting.set_status(status);
    let Decision::WaitFor {
        left: Some(left), ..
    } = decide(&waiting, &memory, &given(&[], None))
    else {
        panic!("not waiting");
    };
    assert_eq!(left.as_secs(), 590);
    let late = Given {
        wall: at(600),
        ..given(&[], None)
    };
    assert_eq!(
        failure(decide(&waiting, &memory, &late)),
        "machine other/m not found; gave up after 10m"
    );
    // What was said is gone once the Job runs.
    let machine = machine();
    let Decision::Write(status) = decide(&waiting, &memory, &given(&[], Some(&machine))) else {
        panic!("not begun");
    };
    assert_eq!(status.conditions.len(), 1);
    assert_eq!(status.conditions[0].type_, "Running");
}

#[test]
fn a_busy_machine_is_waited_for_without_end() {
    let new = job(actions(), Value::Null);
    let (machine, older) = (
        machine(),
        Key {
            namespace: "ns".into(),
            name: "older".into(),
        },
    );
    let busy = Given {
        ahead: Some(&older),
        wall: at(100_000),
        ..given(&[], Some(&machine))
    };
    let Decision::Write(status) = decide(&new, &Memory::default(), &busy) else {
        panic!("nothing said");
    };
    assert_eq!(
        status.conditions[0].message,
        "machine other/m is busy with job ns/older"
    );
    assert_eq!(status.start_time, None);
    let mut waiting = new;
    waiting.set_status(status);
    let decision = decide(&waiting, &Memory::default(), &busy);
    assert!(
        matches!(decision, Decision::WaitFor { left: None, .. }),
        "{decision:?}"
    );
}

#[test]
fn an_obstacle_is_said_waited_for_and_forgotten() {
    let job = running(actions());
    let machine = machine();
    let text = || "task ns/j-task-0 exists and does not belong to this job".to_owned();
    let Decision::Write(status) = obstructed(&job, text(), &given(&[], Some(&machine))) else {
        panic!("nothing said");
    };
    let types: Vec<_> = status
        .conditions
        .iter()
        .map(|condition| condition.type_.as_str())
        .collect();
    assert_eq!(types, ["Running", "Waiting"]);
    let mut waiting = job.clone();
    waiting.set_status(status);
    assert!(matches!(
        obstructed(&waiting, text(), &given(&[], Some(&machine))),
        Decision::WaitFor { .. }
    ));
    assert_eq!(created(decided(&waiting, &[])), 0, "tried again");
    let Decision::Write(status) = decided(&waiting, &[task(&job, 0, "", "")]) else {
        panic!("still said");
    };
    assert_eq!(status.conditions.len(), 1);
    let late = Given {
        wall: at(700),
        ..given(&[], Some(&machine))
    };
    assert!(failure(obstructed(&waiting, text(), &late)).ends_with("gave up after 10m"));
    assert_eq!(failure(refused(&job, "no".into(), &late)), "no");
}

#[test]
fn a_deleted_task_is_made_again_unless_it_may_have_acted() {
    let job = running(actions());
    // An earlier one that has completed does not matter.
    assert_eq!(created(decided(&job, &[task(&job, 1, "Completed", "")])), 2);

    let machine = machine();
    for (index, may_have_acted, wanted) in
        [(0, true, Some(0)), (2, false, Some(2)), (2, true, None)]
    {
        let mut memory = Memory::default();
        memory.made(index, "uid-of-it");
        let decision = decide(&job, &memory, &given(&[], Some(&machine)));
        assert_eq!(decision, Decision::Find { index });
        memory.gone(index, may_have_acted);
        let decision = decide(&job, &memory, &given(&[], Some(&machine)));
        match wanted {
            Some(index) => assert_eq!(created(decision), index),
            None => assert!(failure(decision).starts_with(
                "task ns/j-task-2 was deleted when power cycle may have been sent; not repeated"
            )),
        }
    }
    // It had completed before it was deleted.
    let mut memory = Memory::default();
    memory.observe(&job, &[task(&job, 2, "Completed", "")]);
    let decision = decide(&job, &memory, &given(&[], Some(&machine)));
    assert!(matches!(decision, Decision::End { failure: None, .. }));
}

#[test]
fn a_list_that_shrinks_ends_where_it_is() {
    let long = running(actions());
    let short = running(json!([{"powerAction": "off"}]));
    let done = [
        task(&long, 0, "Completed", ""),
        task(&long, 1, "Completed", ""),
    ];
    assert!(matches!(
        decided(&short, &done),
        Decision::End { failure: None, .. }
    ));
    let under_way = [task(&long, 0, "Completed", ""), task(&long, 1, "", "")];
    assert_eq!(decided(&short, &under_way), Decision::WaitForTask);
}

#[test]
fn tasks_belong_by_uid() {
    let job = running(actions());
    let mut task = task(&job, 2, "", "").as_ref().clone();
    assert_eq!(
        (claim(&job, &task), index_of(&job, &task)),
        (Claim::Ours, Some(2))
    );
    let owner = &mut task.metadata.owner_references.as_mut().unwrap()[0];
    owner.uid = "another".into();
    assert_eq!(claim(&job, &task), Claim::Former);
    let owner = &mut task.metadata.owner_references.as_mut().unwrap()[0];
    owner.kind = "Workflow".into();
    assert_eq!(claim(&job, &task), Claim::Foreign);
    task.metadata.owner_references = None;
    assert_eq!(claim(&job, &task), Claim::Foreign);
}

#[test]
fn a_secret_beside_its_machine_is_found_from_anywhere() {
    let job = running(actions());
    let mut machine = machine();
    machine.metadata.namespace = Some("other".into());
    for (namespace, wanted) in [
        (None, "other"),
        (Some(""), "other"),
        (Some("third"), "third"),
    ] {
        machine.spec.connection.auth_secret_ref.namespace = namespace.map(Into::into);
        let task = child(&job, 0, &Action::default(), &machine);
        let secret = task.spec.connection.unwrap().auth_secret_ref;
        assert_eq!(secret.namespace.as_deref(), Some(wanted));
    }
    machine.spec.connection.auth_secret_ref = Default::default();
    let task = child(&job, 0, &Action::default(), &machine);
    assert_eq!(
        task.spec.connection.unwrap().auth_secret_ref.namespace,
        None
    );
}

#[test]
fn long_names_have_no_label_and_no_less_an_owner() {
    for (length, labelled) in [(62, true), (63, true), (64, false), (200, false)] {
        let mut job = running(actions());
        job.metadata.name = Some("x".repeat(length));
        let task = child(&job, 0, &Action::default(), &machine());
        assert_eq!(task.metadata.labels.is_some(), labelled, "{length}");
        assert_eq!(claim(&job, &task), Claim::Ours);
        assert_eq!(index_of(&job, &task), Some(0));
    }
}

#[test]
fn the_last_of_four_steps_waits_for_the_boot() {
    let actions = |value: Value| serde_json::from_value::<Vec<Action>>(value).unwrap();
    let four = actions(json!([
        {"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"]}},
        {"powerAction": "on"},
        {"bootDevice": {"device": "disk", "persistent": true}},
    ]));
    assert_eq!(awaited_override(&four, 3), Some(BootDevice::Pxe));
    for index in [0, 1, 2, 4, usize::MAX] {
        assert_eq!(awaited_override(&four, index), None, "{index}");
    }
    let not_started = actions(json!([
        {"bootDevice": {"device": "pxe"}}, {"bootDevice": {"device": "disk", "persistent": true}}, {"powerAction": "on"},
    ]));
    assert_eq!(awaited_override(&not_started, 1), None);
    let persistent = actions(json!([
        {"bootDevice": {"device": "pxe", "persistent": true}}, {"powerAction": "on"}, {"bootDevice": {"device": "disk"}},
    ]));
    assert_eq!(awaited_override(&persistent, 2), None);
}

#[test]
fn what_has_ended_stays_so() {
    for condition in ["Completed", "Failed"] {
        let ended = job(
            actions(),
            json!({"conditions": [
                {"type": "Running", "status": "True"}, {"type": condition, "status": "True"},
            ]}),
        );
        assert_eq!(decided(&ended, &[]), Decision::Nothing);
        assert_eq!(
            decided(&ended, &[task(&ended, 0, "Failed", "")]),
            Decision::Nothing
        );
    }
}
