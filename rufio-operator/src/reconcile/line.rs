//! Jobs queue up at their Machine: one at a time, those that have begun first, then by age.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::jiff::Timestamp;
use kube::Resource;

use crate::api::{Job, JobConditionType};
use crate::status::{job_finished, job_has};
use crate::store::{Key, Kind};

/// The unfinished Jobs, by Machine.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: BTreeMap<Key, BTreeSet<Place>>,
    places: BTreeMap<String, (Key, Place)>,
}

/// Where a Job stands: smaller goes first.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Place {
    waits: bool,
    created: Timestamp,
    job: Key,
    uid: String,
}

impl Lines {
    /// The Job is as it is now. The answer is a Job that may begin because of it.
    pub(super) fn update(&mut self, job: &Job) -> Option<Key> {
        if job_finished(job.status.as_ref()) || job.meta().deletion_timestamp.is_some() {
            return self.leave(job.uid());
        }
        let machine = machine_of(job);
        let admitted = self
            .places
            .get(job.uid())
            .is_some_and(|(at, place)| *at == machine && !place.waits);
        let place = Place {
            waits: !admitted && !job_has(job.status.as_ref(), JobConditionType::Running),
            created: job
                .meta()
                .creation_timestamp
                .as_ref()
                .map_or(Timestamp::UNIX_EPOCH, |time| time.0),
            job: job.key(),
            uid: job.uid().to_owned(),
        };
        let woken = match self.places.get(job.uid()) {
            Some((at, _)) if *at != machine => self.leave(job.uid()),
            _ => None,
        };
        self.stand(machine, place);
        woken
    }

    /// Lets the Job begin, if it is the first in its line; else the Job before all others. A Job that stands in no line,
    /// because it is gone, is let through.
    pub(super) fn admit(&mut self, uid: &str) -> Result<(), Key> {
        let Some((machine, mut place)) = self.places.get(uid).cloned() else {
            return Ok(());
        };
        match self.lines.get(&machine).and_then(BTreeSet::first) {
            Some(first) if *first != place => Err(first.job.clone()),
            _ => {
                place.waits = false;
                self.stand(machine, place);
                Ok(())
            }
        }
    }

    /// The Job needs the Machine no more. The answer is the Job that may begin now.
    pub(super) fn leave(&mut self, uid: &str) -> Option<Key> {
        let (machine, place) = self.places.remove(uid)?;
        let line = self.lines.get_mut(&machine)?;
        line.remove(&place);
        let next = line.first().map(|first| first.job.clone());
        if next.is_none() {
            self.lines.remove(&machine);
        }
        next
    }

    /// Whether the Job stands in a line.
    pub(super) fn holds(&self, uid: &str) -> bool {
        self.places.contains_key(uid)
    }

    /// The Jobs of a Machine.
    pub(super) fn of(&self, machine: &Key) -> Vec<Key> {
        let line = self.lines.get(machine);
        line.into_iter()
            .flatten()
            .map(|place| place.job.clone())
            .collect()
    }

    /// Every Job and its uid.
    pub(super) fn all(&self) -> Vec<(Key, String)> {
        let places = self.places.iter();
        places
            .map(|(uid, (_, place))| (place.job.clone(), uid.clone()))
            .collect()
    }

    fn stand(&mut self, machine: Key, place: Place) {
        if let Some((machine, place)) = self.places.remove(&place.uid)
            && let Some(line) = self.lines.get_mut(&machine)
        {
            line.remove(&place);
        }
        self.lines
            .entry(machine.clone())
            .or_default()
            .insert(place.clone());
        self.places.insert(place.uid.clone(), (machine, place));
    }
}

/// The Machine of a Job.
pub(super) fn machine_of(job: &Job) -> Key {
    Key {
        namespace: job.spec.machine_ref.namespace.clone(),
        name: job.spec.machine_ref.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

    use super::*;
    use crate::api::{JobSpec, MachineRef};
    use crate::status::job_running;

    fn job(name: &str, created: i64) -> Job {
        let machine_ref = MachineRef {
            name: "m".into(),
            namespace: "n".into(),
        };
        let spec = JobSpec {
            machine_ref,
            tasks: vec![],
        };
        let mut job = Job::new(name, spec);
        job.metadata.namespace = Some("n".into());
        job.metadata.uid = Some(name.into());
        job.metadata.creation_timestamp = Some(Time(Timestamp::from_second(created).unwrap()));
        job
    }

    #[test]
    fn the_oldest_goes_first_unless_another_has_begun() {
        let mut lines = Lines::default();
        for (name, created) in [("b", 2), ("a", 1), ("c", 3)] {
            assert_eq!(lines.update(&job(name, created)), None);
        }
        assert_eq!(lines.admit("b").unwrap_err().name, "a");
        lines.admit("a").unwrap();
        // An older one appears late.
        lines.update(&job("z", 0));
        assert_eq!(lines.admit("z").unwrap_err().name, "a");
        lines.admit("a").unwrap();
        assert_eq!(lines.leave("a").unwrap().name, "z");
        lines.admit("z").unwrap();
        assert!(!lines.holds("a"));
    }

    #[test]
    fn a_job_that_runs_is_never_overtaken() {
        let mut lines = Lines::default();
        let mut running = job("r", 9);
        running.status = Some(job_running(None, &Time(Timestamp::UNIX_EPOCH)));
        lines.update(&job("a", 1));
        lines.update(&running);
        assert_eq!(lines.admit("a").unwrap_err().name, "r");
        assert_eq!(lines.of(&machine_of(&running)).len(), 2);
    }
}
