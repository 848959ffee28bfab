//! The Tasks of a Job: their names, labels and owners.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use kube::Resource;

use crate::api::{Action, Job, Machine, OWNER_NAME_LABEL, Task, TaskSpec};
use crate::store::{Key, Kind};

/// Longest value of a label.
const LABEL_LIMIT: usize = 63;

/// Whose a Task is that has the name of a Task to be created.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Claim {
    /// This Job's own.
    Ours,
    /// A former generation of this Job made it.
    Former,
    /// Somebody else's.
    Foreign,
}

/// The name of the Task at this place.
pub fn child_name(job: &Job, index: usize) -> String {
    format!("{}-task-{index}", job.key().name)
}

/// The Task at this place.
pub fn child(job: &Job, index: usize, action: &Action, machine: &Machine) -> Task {
    let Key { namespace, name } = job.key();
    let owner = OwnerReference {
        api_version: Job::api_version(&()).into_owned(),
        kind: Job::KIND.into(),
        name: name.clone(),
        uid: job.uid().to_owned(),
        controller: Some(true),
        block_owner_deletion: None,
    };
    // A longer name is no valid label. The Task is still found by its owner.
    let labels =
        (name.len() <= LABEL_LIMIT).then(|| BTreeMap::from([(OWNER_NAME_LABEL.to_owned(), name)]));
    let mut connection = machine.spec.connection.clone();
    let options = connection.provider_options.as_mut();
    let hmac = options.and_then(|options| options.rpc.as_mut()?.hmac.as_mut());
    let signing = hmac.into_iter().flat_map(|hmac| hmac.secrets.values_mut());
    let is_set = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
    // What was relative to the Machine must not become relative to the Job.
    for secret in signing.flatten().chain([&mut connection.auth_secret_ref]) {
        if is_set(&secret.name) && !is_set(&secret.namespace) {
            secret.namespace = Some(machine.key().namespace);
        }
    }
    Task {
        metadata: ObjectMeta {
            name: Some(child_name(job, index)),
            namespace: Some(namespace),
            labels,
            owner_references: Some(vec![owner]),
            ..ObjectMeta::default()
        },
        spec: TaskSpec {
            task: action.clone(),
            connection: Some(connection),
        },
        status: None,
    }
}

/// The place of this Task in the Job's list.
pub fn index_of(job: &Job, task: &Task) -> Option<usize> {
    let (job, task) = (job.key().name, task.key().name);
    task.strip_prefix(&job)?
        .strip_prefix("-task-")?
        .parse()
        .ok()
}

/// Whose this Task is.
pub fn claim(job: &Job, task: &Task) -> Claim {
    match owner_job(task) {
        Some((_, uid)) if uid == job.uid() => Claim::Ours,
        Some((owner, _)) if owner == job.key() => Claim::Former,
        _ => Claim::Foreign,
    }
}

/// The Job that controls this Task, and its uid.
pub fn owner_job(task: &Task) -> Option<(Key, &str)> {
    let owners = task.meta().owner_references.as_ref()?;
    let owner = owners.iter().find(|owner| {
        owner.controller == Some(true)
            && owner.kind == Job::KIND
            && owner.api_version.split('/').next() == Some(&*Job::group(&()))
    })?;
    let key = Key {
        namespace: task.meta().namespace.clone().unwrap_or_default(),
        name: owner.name.clone(),
    };
    Some((key, &owner.uid))
}
