//! What must hold at the end of every schedule.

use std::sync::Arc;

use bmc_core::{BootDevice, PowerState};
use rufio_operator::api::{Job, JobConditionType, Machine, Task, TaskConditionType};
use rufio_operator::plan::job::{index_of, owner_job};
use rufio_operator::status::{job_has, task_has};
use rufio_operator::store::Kind;

use super::history::doing;
use super::users::Story;
use super::world::World;

/// Writes that one schedule may need, faults and crashes included.
const WRITES: u64 = 400;

pub(crate) fn all(world: &World) {
    let user = world.store.user();
    let history = world.history.lock().unwrap();
    assert!(history.wrongs.is_empty(), "{:#?}", history.wrongs);
    let (jobs, tasks) = (user.list::<Job>(), user.list::<Task>());
    for job in &jobs {
        conditions(job);
        if world.story == Story::Again {
            let ever: Vec<Arc<Task>> = history.truth.values().cloned().collect();
            complete(job, &ever);
        } else {
            complete(job, &tasks);
            sequence(job, &tasks);
        }
    }
    match world.story {
        Story::Netboot | Story::Two => {
            for job in &jobs {
                assert!(
                    job_has(job.status.as_ref(), JobConditionType::Completed),
                    "{job:?} {tasks:#?}"
                );
            }
            for host in &world.hosts {
                assert_eq!(host.machine.power_state(), PowerState::On);
                assert_eq!(host.machine.boot_override().device, BootDevice::Pxe);
            }
        }
        Story::Cycle | Story::Again => {
            for job in &jobs {
                let failure = failure(job);
                let honest = ["not repeated", "bmc task timeout: wanted power soft"];
                assert!(
                    failure.is_empty() || honest.iter().any(|words| failure.contains(words)),
                    "{job:?} {tasks:#?}"
                );
            }
        }
    }
    if world.story == Story::Two {
        apart(&jobs, &tasks);
    }
    let cycles: usize = world
        .hosts
        .iter()
        .map(|host| host.machine.counters().cycle)
        .sum();
    let cycling = doing(&history, "cycle");
    let begun = cycling.iter().filter(|uid| history.has_begun(uid)).count();
    let completed = cycling.iter().filter(|uid| {
        task_has(
            history.truth[*uid].status.as_ref(),
            TaskConditionType::Completed,
        )
    });
    let completed = completed.count();
    assert!(
        completed <= cycles,
        "{completed} completed, {cycles} cycles"
    );
    assert!(cycles <= begun, "{cycles} cycles, {begun} begun");
    if world.story == Story::Cycle {
        for host in &world.hosts {
            let done = host.machine.counters();
            assert!(
                done.cycle <= 1 && done.reset <= 1 && done.soft <= 1,
                "{done:?}"
            );
        }
    }
    for machine in user.list::<Machine>() {
        let condition = &machine.status.as_ref().unwrap().conditions[0];
        assert_eq!(condition.status, "True", "{machine:?}");
    }
    let rest = world.rest.lock().unwrap();
    assert_eq!(rest[0], rest[1], "something goes on after the end");
    let writes = world.store.writes();
    assert!(writes < WRITES, "{writes} writes");
}

/// Why it failed; empty if it did not.
fn failure(job: &Job) -> &str {
    let conditions = &job.status.as_ref().unwrap().conditions;
    let failed = conditions
        .iter()
        .find(|condition| condition.type_ == "Failed");
    failed.map_or("", |condition| &condition.message)
}

/// Exactly upstream's.
fn conditions(job: &Job) {
    let status = job.status.as_ref().unwrap();
    let types: Vec<&str> = status
        .conditions
        .iter()
        .map(|condition| condition.type_.as_str())
        .collect();
    let completed = job_has(Some(status), JobConditionType::Completed);
    let end = if completed { "Completed" } else { "Failed" };
    assert_eq!(types, ["Running", end], "{job:?}");
    assert_eq!(status.completion_time.is_some(), completed, "{job:?}");
}

fn tasks_of<'a>(job: &Job, tasks: &'a [Arc<Task>]) -> Vec<&'a Arc<Task>> {
    let ours = tasks
        .iter()
        .filter(|task| owner_job(task).is_some_and(|(_, uid)| uid == job.uid()));
    ours.collect()
}

/// A Job that has completed has done all it was to do.
fn complete(job: &Job, tasks: &[Arc<Task>]) {
    if !job_has(job.status.as_ref(), JobConditionType::Completed) {
        return;
    }
    let ours = tasks_of(job, tasks);
    for index in 0..job.spec.tasks.len() {
        let done = ours.iter().any(|task| {
            index_of(job, task) == Some(index)
                && task_has(task.status.as_ref(), TaskConditionType::Completed)
        });
        assert!(done, "{index} of {job:?} {ours:#?}");
    }
}

/// Each Task after its predecessor.
fn sequence(job: &Job, tasks: &[Arc<Task>]) {
    for pair in tasks_of(job, tasks).windows(2) {
        let before = pair[0].status.as_ref().unwrap().completion_time.clone();
        let after = pair[1].metadata.creation_timestamp.clone();
        assert!(before.is_some() && before <= after, "{pair:#?}");
    }
}

/// One Job begins when the other one has ended.
fn apart(jobs: &[Arc<Job>], tasks: &[Arc<Task>]) {
    let span = |job: &Job| {
        let status = job.status.clone().unwrap();
        (status.start_time.unwrap(), status.completion_time.unwrap())
    };
    let mut spans: Vec<_> = jobs.iter().map(|job| span(job)).collect();
    spans.sort();
    assert!(spans[0].1 <= spans[1].0, "{jobs:#?} {tasks:#?}");
    assert_eq!(
        jobs.len(),
        2,
        "{:?}",
        jobs.iter().map(|job| job.key()).collect::<Vec<_>>()
    );
}
