//! A pass over a Machine: ask its BMC, write what changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use bmc_core::Lane;
use kube::Resource;
use tracing::warn;

use super::index::Touched;
use super::{Next, Shared, is_newer};
use crate::api::{Machine, MachineStatus};
use crate::connect::Connect;
use crate::events::{self, Doing};
use crate::plan::machine::{self, Observation};
use crate::queue::Priority;
use crate::store::{Change, Key, Kind, ObjectRef, Store, StoreError};

/// Looks at Machines that are new or were changed by a user. Our own writes of the status wake nothing.
pub(super) fn changed<S: Store, C: Connect>(shared: &Shared<S, C>, change: Change<Machine>) {
    match change {
        Change::Reset(machines) => {
            let listed: BTreeSet<Key> = machines.iter().map(|machine| machine.key()).collect();
            let gone: Vec<Key> = {
                let index = shared.index();
                let known = index.machines.keys();
                known.filter(|key| !listed.contains(key)).cloned().collect()
            };
            for key in gone {
                shared.index().machine_gone(&key);
            }
            for machine in machines {
                applied(shared, &machine);
            }
        }
        Change::Applied(machine) => applied(shared, &machine),
        Change::Deleted(machine) => {
            let mut index = shared.index();
            index.machine_gone(&machine.key());
            index.no_news(&ObjectRef {
                kind: Machine::KIND,
                key: machine.key(),
                uid: machine.uid().to_owned(),
            });
        }
    }
}

fn applied<S: Store, C: Connect>(shared: &Shared<S, C>, machine: &Machine) {
    let key = machine.key();
    let (touched, waiting) = {
        let mut index = shared.index();
        (index.machine_changed(machine), index.lines.of(&key))
    };
    let priority = match touched {
        Touched::Unchanged => return,
        // Machines that nobody has looked at yet go before those with an older reading.
        Touched::New if machine::is_known(machine) => Priority::Low,
        Touched::New | Touched::Changed => Priority::High,
    };
    shared.machines.add(key, priority);
    for job in waiting {
        shared.jobs.add(job, Priority::High);
    }
}

/// One pass.
pub(super) async fn pass<S: Store, C: Connect>(shared: Arc<Shared<S, C>>, key: Key) -> Next {
    let Some(cached) = shared.store.cached::<Machine>(&key).await else {
        return Next::Done;
    };
    let machine = newest(&shared, cached);
    if machine.meta().deletion_timestamp.is_some() {
        return Next::Done;
    }
    let Some(observation) = observe(&shared, &machine).await else {
        return Next::Retry;
    };
    let pause = {
        let mut index = shared.index();
        let Some(entry) = index
            .machines
            .get_mut(&key)
            .filter(|entry| entry.uid == machine.uid())
        else {
            return Next::Done;
        };
        entry.looks = entry.looks.saturating_add(1);
        entry.failures = match observation {
            Observation::Answered(_) => 0,
            Observation::Failed { .. } => entry.failures.saturating_add(1),
        };
        let interval = shared.config.poll_interval;
        machine::next_look(&entry.uid, entry.looks, entry.failures, interval)
    };
    match record(&shared, &machine, &observation).await {
        Ok(()) => Next::After(pause),
        Err(StoreError::Gone) => Next::Done,
        Err(error) => {
            if !matches!(error, StoreError::Conflict) {
                warn!(machine = %key, %error, "status not written");
            }
            Next::Retry
        }
    }
}

/// The Machine as the cache knows it or, if that is later, as this process wrote it.
fn newest<S: Store, C: Connect>(shared: &Shared<S, C>, cached: Arc<Machine>) -> Arc<Machine> {
    let index = shared.index();
    let entry = index.machines.get(&cached.key());
    match entry.and_then(|entry| entry.written.as_ref()) {
        Some((_, kept)) if kept.uid() == cached.uid() && is_newer(kept.as_ref(), &cached) => {
            Arc::clone(kept)
        }
        _ => cached,
    }
}

/// Asks the BMC. `None`: the question could not even be put.
async fn observe<S: Store, C: Connect>(
    shared: &Shared<S, C>,
    machine: &Machine,
) -> Option<Observation> {
    let key = machine.key();
    let poked = {
        let mut index = shared.index();
        let entry = index.machines.get_mut(&key);
        entry.is_some_and(|entry| std::mem::take(&mut entry.poked))
    };
    let connection = &machine.spec.connection;
    let bmc = match shared.connect.connect(connection, &key.namespace).await {
        Ok(bmc) => bmc,
        Err(error) if error.is_passing() => return None,
        Err(error) => return Some(Observation::from_connect(&error)),
    };
    if poked {
        bmc.forget_refused_logins();
    }
    let read = bmc.on_lane(Lane::Poll).power_state().await;
    shared.count(&read);
    match read {
        Ok(outcome) => {
            if let Some(note) = shared.connect.notice(connection, &key.namespace) {
                let event =
                    events::warning(machine, Doing::GetPowerState, events::PORT_IGNORED, note);
                shared.tell(event).await;
            }
            Some(Observation::Answered(outcome.value))
        }
        // The handle was replaced or closed meanwhile.
        Err(exhausted) if exhausted.kind() == bmc_core::ErrorKind::Closed => None,
        Err(exhausted) => {
            shared.doubt_secrets(&exhausted, connection, &key.namespace);
            Some(Observation::from_failure(&exhausted))
        }
    }
}

/// Writes what changed; on a conflict once more on the object as it is now.
async fn record<S: Store, C: Connect>(
    shared: &Shared<S, C>,
    machine: &Machine,
    observation: &Observation,
) -> Result<(), StoreError> {
    if !in_doubt(shared, machine, |doubt| *doubt) {
        match write(shared, machine, observation).await {
            Err(StoreError::Conflict) => {}
            Err(StoreError::Unknown(_)) => in_doubt(shared, machine, |doubt| *doubt = true),
            done => return done,
        }
    }
    let live = shared.store.live::<Machine>(&machine.key()).await?;
    let live = live.filter(|live| live.uid() == machine.uid());
    let done = write(shared, &live.ok_or(StoreError::Gone)?, observation).await;
    let unclear = matches!(done, Err(StoreError::Unknown(_)));
    in_doubt(shared, machine, |doubt| *doubt = unclear);
    done
}

/// Looks at whether the cache is to be trusted, or says so.
fn in_doubt<S: Store, C: Connect, T: Default>(
    shared: &Shared<S, C>,
    machine: &Machine,
    look: impl FnOnce(&mut bool) -> T,
) -> T {
    let mut index = shared.index();
    let entry = index.machines.get_mut(&machine.key());
    entry
        .map(|entry| look(&mut entry.in_doubt))
        .unwrap_or_default()
}

async fn write<S: Store, C: Connect>(
    shared: &Shared<S, C>,
    machine: &Machine,
    observation: &Observation,
) -> Result<(), StoreError> {
    let before = machine.status.as_ref();
    let wanted = machine::status(before, observation, &shared.env.time());
    if before == Some(&wanted) || was_written(shared, machine, &wanted) {
        return Ok(());
    }
    let kept = shared.store.write_status(machine, wanted.clone()).await?;
    if let Some(entry) = shared.index().machines.get_mut(&machine.key()) {
        entry.written = Some((wanted.clone(), Arc::new(kept)));
    }
    tell(shared, machine, before, &wanted).await;
    Ok(())
}

/// Whether the server was given exactly this status before, and kept what the object has: an older schema drops fields.
fn was_written<S: Store, C: Connect>(
    shared: &Shared<S, C>,
    machine: &Machine,
    wanted: &MachineStatus,
) -> bool {
    let index = shared.index();
    let entry = index.machines.get(&machine.key());
    entry
        .and_then(|entry| entry.written.as_ref())
        .is_some_and(|(then, kept)| then == wanted && machine.status == kept.status)
}

/// Tells when the BMC begins or ceases to answer.
async fn tell<S: Store, C: Connect>(
    shared: &Shared<S, C>,
    machine: &Machine,
    before: Option<&MachineStatus>,
    after: &MachineStatus,
) {
    let message = after
        .conditions
        .iter()
        .map(|condition| condition.message.clone())
        .find(|message| !message.is_empty());
    let event = match (machine::is_contactable(before), message) {
        (_, Some(note)) => events::warning(
            machine,
            Doing::GetPowerState,
            events::GET_POWER_STATE_FAILED,
            note,
        ),
        (Some(false), None) => {
            let note = "the BMC answers again".to_owned();
            events::normal(machine, Doing::GetPowerState, events::CONTACTABLE, note)
        }
        _ => return,
    };
    shared.tell(event).await;
}
