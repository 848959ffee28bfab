use std::time::Duration;

use futures_util::FutureExt;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::Resource;
use tokio::time;

use super::*;
use crate::api::{
    Action, Connection, Job, Machine, MachineCondition, MachineSpec, MachineStatus, PowerAction,
    Task, TaskSpec, TaskStatus,
};
use crate::store::fault::{Odds, Pruned};
use crate::store::{ObjectRef, Severity};

const MS: Duration = Duration::from_millis(1);

fn store() -> MemoryStore {
    MemoryStore::new(Env::simulated(1))
}

fn key(name: &str) -> Key {
    Key {
        namespace: "ns".to_owned(),
        name: name.to_owned(),
    }
}

fn machine(name: &str) -> Machine {
    let connection = Connection {
        host: "192.0.2.1".to_owned(),
        port: 623,
        ..Connection::default()
    };
    let mut machine = Machine::new(name, MachineSpec { connection });
    machine.metadata.namespace = Some("ns".to_owned());
    machine
}

fn task(name: &str, owner: &str) -> Task {
    let action = Action {
        power_action: Some(PowerAction::On),
        ..Action::default()
    };
    let mut task = Task::new(
        name,
        TaskSpec {
            task: action,
            connection: None,
        },
    );
    task.metadata.namespace = Some("ns".to_owned());
    task.metadata.owner_references = Some(vec![OwnerReference {
        api_version: Job::api_version(&()).into_owned(),
        kind: Job::KIND.to_owned(),
        name: "job".to_owned(),
        uid: owner.to_owned(),
        controller: Some(true),
        block_owner_deletion: None,
    }]);
    task
}

fn status(reason: &str) -> MachineStatus {
    MachineStatus {
        conditions: vec![MachineCondition {
            type_: "Contactable".to_owned(),
            status: "True".to_owned(),
            reason: Some(reason.to_owned()),
            ..MachineCondition::default()
        }],
        ..MachineStatus::default()
    }
}

#[tokio::test(start_paused = true)]
async fn edits_bump_the_generation_only_for_the_spec() {
    let user = store().user();
    let created = user.create(&machine("m")).unwrap();
    let annotated = user.annotate::<Machine>(&key("m"), "a", "b").unwrap();
    assert_eq!(annotated.metadata.generation, Some(1));
    assert_ne!(
        created.metadata.resource_version,
        annotated.metadata.resource_version
    );
    let same = user.annotate::<Machine>(&key("m"), "a", "b").unwrap();
    assert_eq!(same, annotated);
    let edited = user
        .edit(&key("m"), |machine: &mut Machine| {
            machine.spec.connection.port = 624;
        })
        .unwrap();
    assert_eq!(edited.metadata.generation, Some(2));
    let invalid = user.edit(&key("m"), |machine: &mut Machine| {
        machine.spec.connection.host.clear();
    });
    assert_eq!(
        invalid,
        Err(StoreError::Invalid(
            "spec.connection.host: must not be empty".to_owned()
        ))
    );
}

#[tokio::test(start_paused = true)]
async fn bad_names_and_labels_are_refused() {
    let store = store();
    let mut bad = machine("Under_score");
    bad.metadata.namespace = None;
    bad.metadata.labels = Some([("owner-name".to_owned(), "x".repeat(64))].into());
    let Err(StoreError::Invalid(message)) = store.create(&bad).await else {
        panic!("accepted");
    };
    for field in [
        "metadata.name:",
        "metadata.namespace:",
        "metadata.labels.owner-name:",
    ] {
        assert!(message.contains(field), "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn finalizers_hold_a_deleted_object() {
    let user = store().user();
    let mut held = machine("m");
    held.metadata.finalizers = Some(vec!["example.org/hold".to_owned()]);
    user.create(&held).unwrap();
    user.delete::<Machine>(&key("m")).unwrap();
    let held: Machine = user.get(&key("m")).unwrap();
    assert!(held.metadata.deletion_timestamp.is_some());
    user.edit(&key("m"), |machine: &mut Machine| {
        machine.metadata.finalizers = None;
    })
    .unwrap();
    assert_eq!(user.get::<Machine>(&key("m")), None);
}

#[tokio::test(start_paused = true)]
async fn garbage_is_collected_on_request() {
    let store = store();
    let user = store.user();
    let machine = user.create(&machine("m")).unwrap();
    user.create(&task("t", machine.uid())).unwrap();
    user.delete::<Machine>(&key("m")).unwrap();
    assert!(user.get::<Task>(&key("t")).is_some());

    store.set_garbage_collection(true);
    let machine = user.create(&self::machine("m")).unwrap();
    let first = user.create(&task("t-0", machine.uid())).unwrap();
    user.create(&task("t-1", first.uid())).unwrap();
    user.delete::<Machine>(&key("m")).unwrap();
    let left: Vec<_> = user
        .list::<Task>()
        .iter()
        .map(|task| task.key().name)
        .collect();
    assert_eq!(left, ["t"]);
}

#[tokio::test(start_paused = true)]
async fn the_cache_lags_and_the_live_view_does_not() {
    let store = store();
    store.set_faults(Faults {
        lag: 100 * MS,
        ..Faults::none()
    });
    let mut changes = Box::pin(store.changes::<Machine>());
    assert!(matches!(changes.next().await, Some(Change::Reset(all)) if all.is_empty()));
    let start = time::Instant::now();
    store.user().create(&machine("m")).unwrap();
    assert!(store.live::<Machine>(&key("m")).await.unwrap().is_some());
    assert_eq!(store.cached::<Machine>(&key("m")).await, None);
    assert!(matches!(changes.next().await, Some(Change::Applied(_))));
    assert!(start.elapsed() > Duration::ZERO && start.elapsed() <= 101 * MS);
    assert!(store.cached::<Machine>(&key("m")).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_lost_watch_shows_as_reset() {
    let store = store();
    let user = store.user();
    user.create(&machine("a")).unwrap();
    let mut changes = Box::pin(store.changes::<Machine>());
    assert!(matches!(changes.next().await, Some(Change::Reset(all)) if all.len() == 1));
    store.set_faults(Faults {
        watch_outage: 100 * MS,
        ..Faults::none()
    });
    store.lose_watches();
    user.delete::<Machine>(&key("a")).unwrap();
    user.create(&machine("b")).unwrap();
    user.create(&machine("c")).unwrap();
    assert!(store.cached::<Machine>(&key("a")).await.is_some());
    let Some(Change::Reset(all)) = changes.next().await else {
        panic!("no reset");
    };
    let names: Vec<_> = all.iter().map(|machine| machine.key().name).collect();
    assert_eq!(names, ["b", "c"]);
    assert!(changes.next().now_or_never().is_none());
}

#[tokio::test(start_paused = true)]
async fn faults_answer_what_they_say() {
    let store = store();
    let seen = store.create(&machine("m")).await.unwrap();
    let fails = |odds: Odds| Faults {
        create: odds,
        write_status: odds,
        delete: odds,
        ..Faults::none()
    };
    let reason = || {
        let machine: Machine = store.user().get(&key("m")).unwrap();
        machine
            .status
            .and_then(|status| status.conditions[0].reason.clone())
    };

    store.set_faults(fails(Odds {
        conflict: 1.0,
        ..Odds::default()
    }));
    assert_eq!(
        store.write_status(&seen, status("A")).await,
        Err(StoreError::Conflict)
    );
    assert_eq!(store.delete(&seen).await, Err(StoreError::Conflict));
    assert!(
        store.create(&machine("other")).await.is_ok(),
        "a create cannot conflict"
    );
    assert_eq!(reason(), None);

    store.set_faults(fails(Odds {
        unavailable: 1.0,
        ..Odds::default()
    }));
    assert!(matches!(
        store.write_status(&seen, status("A")).await,
        Err(StoreError::Unavailable(_))
    ));
    store.set_faults(fails(Odds {
        unknown_lost: 1.0,
        ..Odds::default()
    }));
    assert!(matches!(
        store.write_status(&seen, status("A")).await,
        Err(StoreError::Unknown(_))
    ));
    assert_eq!(reason(), None);

    store.set_faults(fails(Odds {
        unknown_written: 1.0,
        ..Odds::default()
    }));
    assert!(matches!(
        store.write_status(&seen, status("A")).await,
        Err(StoreError::Unknown(_))
    ));
    assert_eq!(reason().as_deref(), Some("A"));
    assert_eq!(
        store.write_status(&seen, status("B")).await,
        Err(StoreError::Conflict)
    );

    store.set_faults(Faults {
        read_unavailable: 1.0,
        ..Faults::none()
    });
    assert!(matches!(
        store.live::<Machine>(&key("m")).await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(matches!(
        store.secret(&key("s")).await,
        Err(StoreError::Unavailable(_))
    ));
    store.set_faults(Faults::none());
    assert!(store.live::<Machine>(&key("m")).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn pruned_fields_are_missing_from_the_answer() {
    let store = store();
    store.set_faults(Faults {
        pruned: vec![Pruned {
            kind: Machine::KIND,
            path: "status.conditions[].reason",
        }],
        ..Faults::none()
    });
    let seen = store.create(&machine("m")).await.unwrap();
    let kept = store.write_status(&seen, status("A")).await.unwrap();
    assert_eq!(kept.status.as_ref().unwrap().conditions[0].reason, None);
    let again = store.write_status(&kept, status("B")).await.unwrap();
    assert_eq!(
        again.metadata.resource_version,
        kept.metadata.resource_version
    );
}

#[tokio::test(start_paused = true)]
async fn a_crash_stops_everything_on_the_right_side_of_the_write() {
    for (moment, written) in [(Moment::BeforeWrite, false), (Moment::AfterWrite, true)] {
        let store = store();
        let seen = store.create(&machine("m")).await.unwrap();
        store.crash_at(2, moment);
        let kept = store.write_status(&seen, status("1")).await.unwrap();
        assert!(store.crashed().now_or_never().is_none());
        let write = store.write_status(&kept, status("2"));
        tokio::select! {
            biased;
            _ = write => panic!("answered"),
            () = store.crashed() => {}
        }
        assert!(store.live::<Machine>(&key("m")).now_or_never().is_none());
        let machine: Machine = store.user().get(&key("m")).unwrap();
        let reason = machine.status.unwrap().conditions[0].reason.clone();
        assert_eq!(reason.as_deref() == Some("2"), written);
        store.restart();
        let live = store.live::<Machine>(&key("m")).await.unwrap().unwrap();
        assert!(store.write_status(&live, status("3")).await.is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_seed_replays() {
    async fn run(seed: u64) -> Vec<String> {
        let store = MemoryStore::new(Env::simulated(seed));
        store.set_faults(Faults::storm(0.2, 50 * MS));
        let mut log = Vec::new();
        for n in 0..50 {
            let result = store.create(&task(&format!("t-{n}"), "owner")).await;
            log.push(format!("{result:?}"));
            if let Ok(seen) = result {
                log.push(format!(
                    "{:?}",
                    store.write_status(&seen, TaskStatus::default()).await
                ));
            }
            log.push(format!("{:?}", store.cached_all::<Task>().await.len()));
        }
        log
    }
    assert_eq!(run(5).await, run(5).await);
    assert_ne!(run(5).await, run(6).await);
}

#[tokio::test(start_paused = true)]
async fn identical_events_are_counted() {
    let store = store();
    let event = |note: &str| Event {
        regarding: ObjectRef {
            kind: Machine::KIND,
            key: key("m"),
            uid: "u".to_owned(),
        },
        severity: Severity::Normal,
        reason: "Contactable",
        action: "Poll",
        note: note.to_owned(),
    };
    let long = "é".repeat(600);
    for note in ["a", "b", "a", &long] {
        store.event(event(note)).await;
    }
    let counts: Vec<_> = store
        .events()
        .into_iter()
        .map(|r| (r.event.note.len(), r.count))
        .collect();
    assert_eq!(counts, [(1, 2), (1, 1), (1024, 1)]);
}

#[tokio::test]
async fn many_objects_stay_cheap() {
    let store = store();
    let start = std::time::Instant::now();
    for n in 0..5_000 {
        store
            .user()
            .create(&task(&format!("t-{n}"), &format!("owner-{}", n / 5)))
            .unwrap();
    }
    for n in 0..1_000 {
        let children = store
            .cached_children::<Task>("ns", &format!("owner-{n}"))
            .await;
        assert_eq!(children.len(), 5);
    }
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}
