//! The promises. Each works in a namespace of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use rufio_operator::api::{
    Action, Connection, Machine, MachineCondition, MachineSpec, MachineStatus, PowerAction,
    PowerState, Task, TaskSpec, TaskStatus,
};
use rufio_operator::store::{Change, Key, Kind, Store, StoreError};
use tokio::time::timeout;

const TIME_LIMIT: Duration = Duration::from_secs(20);

/// A store, and everybody else's access to its objects.
pub(crate) trait World {
    type Store: Store;

    fn store(&self) -> &Self::Store;
    async fn add_namespace(&self, name: &str);
    async fn annotate(&self, machine: &Key, name: &str, value: &str);
    async fn delete_machine(&self, key: &Key);
    async fn put_secret(&self, key: &Key, data: BTreeMap<String, String>);
    async fn delete_secret(&self, key: &Key);
    /// From now on `status.conditions[].reason` of Machines is dropped.
    async fn prune_reasons(&self);
}

/// Every promise.
pub(crate) async fn keeps<W: World>(world: &W) {
    macro_rules! promises {
        ($($promise:ident),* $(,)?) => {$(
            let namespace = stringify!($promise).replace('_', "-");
            eprintln!("{namespace}");
            world.add_namespace(&namespace).await;
            $promise(world, &namespace).await;
        )*};
    }
    promises![
        a_new_object_is_filled_in,
        a_name_is_taken_once,
        what_the_schema_refuses_is_invalid,
        a_status_is_swapped,
        a_status_never_lands_on_a_new_object_of_the_name,
        what_is_gone_is_gone,
        a_status_touches_nothing_else,
        a_delete_hits_only_what_was_seen,
        changes_begin_with_everything,
        children_are_known_by_their_owners_uid,
        secrets_are_read_and_their_changes_told,
        pruned_fields_show_in_the_answer,
    ];
}

async fn a_new_object_is_filled_in<W: World>(world: &W, namespace: &str) {
    let mut new = machine(namespace, "m");
    new.status = Some(MachineStatus {
        power_state: Some(PowerState::On),
        ..MachineStatus::default()
    });
    let created = world.store().create(&new).await.unwrap();
    assert!(!created.uid().is_empty());
    assert!(created.metadata.resource_version.is_some());
    assert!(created.metadata.creation_timestamp.is_some());
    assert_eq!(created.metadata.generation, Some(1));
    assert_eq!(created.spec.connection.port, 623);
    assert_eq!(created.status, None, "a status is written, never created");
    let live = world.store().live::<Machine>(&created.key()).await;
    assert_eq!(live, Ok(Some(created)));
}

async fn a_name_is_taken_once<W: World>(world: &W, namespace: &str) {
    let new = machine(namespace, "m");
    world.store().create(&new).await.unwrap();
    assert_eq!(
        world.store().create(&new).await,
        Err(StoreError::AlreadyExists)
    );
}

async fn what_the_schema_refuses_is_invalid<W: World>(world: &W, namespace: &str) {
    let refused = |result: Result<_, StoreError>, field: &str| match result {
        Err(StoreError::Invalid(message)) => assert!(message.contains(field), "{message}"),
        other => panic!("{field}: {other:?}"),
    };
    let mut nowhere = machine(namespace, "m");
    nowhere.spec.connection.host.clear();
    let result = world.store().create(&nowhere).await.map(drop);
    refused(result, "spec.connection.host");

    let mut twice = task(namespace, "t", None);
    twice.spec.task.boot_device = Some(Default::default());
    refused(world.store().create(&twice).await.map(drop), "spec.task");

    let mut long = machine(namespace, "m");
    long.metadata.labels = Some([("owner-name".to_owned(), "x".repeat(64))].into());
    refused(
        world.store().create(&long).await.map(drop),
        "metadata.labels",
    );
}

async fn a_status_is_swapped<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let seen = store.create(&machine(namespace, "m")).await.unwrap();
    let written = store.write_status(&seen, status("One")).await.unwrap();
    assert_eq!(written.status, Some(status("One")));
    assert_eq!(written.metadata.generation, Some(1));
    assert_ne!(version(&written), version(&seen));

    let again = store.write_status(&written, status("One")).await.unwrap();
    assert_eq!(version(&again), version(&written), "nothing has changed");

    let stale = store.write_status(&seen, status("Two")).await;
    assert_eq!(stale, Err(StoreError::Conflict));
    world.annotate(&seen.key(), "touched", "yes").await;
    let stale = store.write_status(&written, status("Two")).await;
    assert_eq!(stale, Err(StoreError::Conflict), "by anybody's change");

    let live = store.live::<Machine>(&seen.key()).await.unwrap().unwrap();
    assert_eq!(live.status, Some(status("One")));
    assert_eq!(live.metadata.generation, Some(1));
    let next = store.write_status(&live, status("Two")).await.unwrap();
    assert_eq!(next.status, Some(status("Two")));

    let cleared = store.write_status(&next, MachineStatus::default()).await;
    assert_eq!(
        cleared.unwrap().status.unwrap_or_default(),
        MachineStatus::default()
    );
}

async fn a_status_never_lands_on_a_new_object_of_the_name<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let first = store.create(&machine(namespace, "m")).await.unwrap();
    world.delete_machine(&first.key()).await;
    let second = store.create(&machine(namespace, "m")).await.unwrap();
    assert_ne!(second.uid(), first.uid());
    assert_ne!(version(&second), version(&first));

    let late = store.write_status(&first, status("Late")).await;
    assert_eq!(late, Err(StoreError::Conflict));
    let mut disguised = first.clone();
    disguised.metadata.resource_version = second.metadata.resource_version.clone();
    let late = store.write_status(&disguised, status("Late")).await;
    assert_eq!(late, Err(StoreError::Conflict), "not even with its version");
    let live = store.live::<Machine>(&first.key()).await;
    assert_eq!(live, Ok(Some(second)));
}

async fn what_is_gone_is_gone<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let seen = store.create(&machine(namespace, "m")).await.unwrap();
    world.delete_machine(&seen.key()).await;
    assert_eq!(store.live::<Machine>(&seen.key()).await, Ok(None));
    let written = store.write_status(&seen, status("One")).await;
    assert_eq!(written, Err(StoreError::Gone));
    assert_eq!(store.delete(&seen).await, Err(StoreError::Gone));
}

async fn a_status_touches_nothing_else<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let created = store.create(&machine(namespace, "m")).await.unwrap();
    let mut seen = created.clone();
    seen.spec.connection.host = "192.0.2.99".to_owned();
    seen.metadata.labels = Some([("a".to_owned(), "b".to_owned())].into());
    let mut written = store.write_status(&seen, status("One")).await.unwrap();
    written.status = None;
    written.metadata.resource_version = created.metadata.resource_version.clone();
    assert_eq!(written, created);
}

async fn a_delete_hits_only_what_was_seen<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let first = store.create(&machine(namespace, "m")).await.unwrap();
    world.delete_machine(&first.key()).await;
    let second = store.create(&machine(namespace, "m")).await.unwrap();
    assert_eq!(store.delete(&first).await, Err(StoreError::Conflict));
    world.annotate(&second.key(), "touched", "yes").await;
    assert_eq!(store.delete(&second).await, Ok(()), "whatever its version");
    assert_eq!(store.live::<Machine>(&second.key()).await, Ok(None));
}

async fn changes_begin_with_everything<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let first = store.create(&machine(namespace, "a")).await.unwrap();
    cached_as(store, &first).await;

    let mut changes = Box::pin(store.changes::<Machine>());
    let Some(Change::Reset(all)) = timeout(TIME_LIMIT, changes.next()).await.unwrap() else {
        panic!("does not begin with a reset");
    };
    assert!(all.iter().any(|machine| **machine == first));
    let mut next = async || loop {
        let change = timeout(TIME_LIMIT, changes.next()).await.unwrap().unwrap();
        match &change {
            Change::Reset(_) => panic!("a reset for nothing"),
            Change::Applied(machine) | Change::Deleted(machine) => {
                if machine.key().namespace == namespace {
                    return change;
                }
            }
        }
    };

    let second = store.create(&machine(namespace, "b")).await.unwrap();
    assert!(matches!(next().await, Change::Applied(machine) if *machine == second));
    assert_eq!(
        store.cached::<Machine>(&second.key()).await.as_deref(),
        Some(&second)
    );
    let written = store.write_status(&second, status("One")).await.unwrap();
    assert!(matches!(next().await, Change::Applied(machine) if *machine == written));
    store.delete(&first).await.unwrap();
    assert!(matches!(next().await, Change::Deleted(machine) if machine.uid() == first.uid()));
    assert_eq!(store.cached::<Machine>(&first.key()).await, None);
    let mut all = store.cached_all::<Machine>().await;
    all.retain(|machine| machine.key().namespace == namespace);
    assert_eq!(all, [Arc::new(written)]);
}

async fn children_are_known_by_their_owners_uid<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let names = async |uid: &str| -> Vec<String> {
        let children = store.cached_children::<Task>(namespace, uid).await;
        children.iter().map(|task| task.key().name).collect()
    };
    let mut last = None;
    for (name, owner) in [("b", "uid-1"), ("a", "uid-1"), ("c", "uid-2")] {
        last = Some(
            store
                .create(&task(namespace, name, Some(owner)))
                .await
                .unwrap(),
        );
    }
    let last = last.unwrap();
    cached_as(store, &last).await;
    assert_eq!(names("uid-1").await, ["a", "b"]);
    assert_eq!(names("uid-2").await, ["c"]);
    assert!(
        store
            .cached_children::<Task>("elsewhere", "uid-1")
            .await
            .is_empty()
    );

    let written = store
        .write_status(&last, TaskStatus::default())
        .await
        .unwrap();
    cached_as(store, &written).await;
    assert_eq!(names("uid-2").await, ["c"]);
    store.delete(&last).await.unwrap();
    let mut changes = Box::pin(store.changes::<Task>());
    while store.cached::<Task>(&last.key()).await.is_some() {
        timeout(TIME_LIMIT, changes.next()).await.unwrap();
    }
    assert!(names("uid-2").await.is_empty());
}

async fn secrets_are_read_and_their_changes_told<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let key = key(namespace, "bmc");
    let mut changes = Box::pin(store.secret_changes());
    let mut told = async || timeout(TIME_LIMIT, changes.next()).await.unwrap().unwrap();
    let data = |password: &str| {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        BTreeMap::from([pair("username", "admin"), pair("password", password)])
    };

    assert_eq!(store.secret(&key).await, Ok(None));
    world
        .put_secret(&self::key(namespace, "unrelated"), data("x"))
        .await;
    world.put_secret(&key, data("one")).await;
    assert_eq!(told().await, key);
    let first = store.secret(&key).await.unwrap().unwrap();
    assert_eq!(first.data["username"].expose(), b"admin");
    assert_eq!(first.data["password"].expose(), b"one");
    assert_eq!(store.secret(&key).await.unwrap().unwrap(), first);

    world.put_secret(&key, data("two")).await;
    assert_eq!(told().await, key);
    let second = store.secret(&key).await.unwrap().unwrap();
    assert_eq!(second.data["password"].expose(), b"two");
    assert_ne!(second.version, first.version);

    world.delete_secret(&key).await;
    assert_eq!(told().await, key);
    assert_eq!(store.secret(&key).await, Ok(None));
}

async fn pruned_fields_show_in_the_answer<W: World>(world: &W, namespace: &str) {
    let store = world.store();
    let seen = store.create(&machine(namespace, "m")).await.unwrap();
    let kept = store.write_status(&seen, status("One")).await.unwrap();
    assert_eq!(kept.status, Some(status("One")));
    world.prune_reasons().await;
    let mut wanted = status("Two");
    let kept = store.write_status(&kept, wanted.clone()).await.unwrap();
    wanted.conditions[0].reason = None;
    assert_eq!(kept.status, Some(wanted));
    let again = store.write_status(&kept, status("Three")).await.unwrap();
    assert_eq!(version(&again), version(&kept), "nothing is left to change");
}

/// Waits until the cache holds this version.
async fn cached_as<S: Store, K: Kind>(store: &S, object: &K) {
    let mut changes = Box::pin(store.changes::<K>());
    loop {
        let cached = store.cached::<K>(&object.key()).await;
        if cached.is_some_and(|cached| version(&*cached) == version(object)) {
            return;
        }
        timeout(TIME_LIMIT, changes.next()).await.unwrap();
    }
}

fn version<K: Kind>(object: &K) -> &str {
    object.meta().resource_version.as_deref().unwrap()
}

pub(crate) fn key(namespace: &str, name: &str) -> Key {
    Key {
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    }
}

pub(crate) fn machine(namespace: &str, name: &str) -> Machine {
    let connection = Connection {
        host: "192.0.2.1".to_owned(),
        port: 623,
        ..Connection::default()
    };
    let mut machine = Machine::new(name, MachineSpec { connection });
    machine.metadata.namespace = Some(namespace.to_owned());
    machine
}

fn task(namespace: &str, name: &str, owner: Option<&str>) -> Task {
    let spec = TaskSpec {
        task: Action {
            power_action: Some(PowerAction::On),
            ..Action::default()
        },
        connection: None,
    };
    let mut task = Task::new(name, spec);
    task.metadata.namespace = Some(namespace.to_owned());
    task.metadata.owner_references = owner.map(|uid| {
        vec![OwnerReference {
            api_version: "bmc.tinkerbell.org/v1alpha1".to_owned(),
            kind: "Job".to_owned(),
            name: "job".to_owned(),
            uid: uid.to_owned(),
            controller: Some(true),
            block_owner_deletion: None,
        }]
    });
    task
}

pub(crate) fn status(reason: &str) -> MachineStatus {
    MachineStatus {
        power_state: Some(PowerState::On),
        conditions: vec![MachineCondition {
            type_: "Contactable".to_owned(),
            status: "True".to_owned(),
            reason: Some(reason.to_owned()),
            ..MachineCondition::default()
        }],
    }
}
