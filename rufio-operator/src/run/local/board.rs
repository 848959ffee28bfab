//! How far everything is: a pure view of the objects, for progress and for knowing when to end.

use std::collections::BTreeMap;

use bmc_core::MediaSource;

use crate::api::{
    Action, Job, JobConditionType, Machine, MachineConditionType, PowerAction, PowerState, Task,
};
use crate::store::{Key, Kind};

/// Everything that is waited for, and what was said last of each.
#[derive(Debug, Default)]
pub(super) struct Board {
    machines: BTreeMap<Key, Row>,
    jobs: BTreeMap<Key, Row>,
    tasks: BTreeMap<Key, TaskRow>,
    /// The power that the last completed Job has left each Machine with.
    left: BTreeMap<Key, PowerState>,
    power: BTreeMap<Key, PowerState>,
}

/// How far one object is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum State {
    /// Nothing has been seen of it yet.
    #[default]
    Pending,
    /// It is under way.
    Running,
    /// It has ended well; for a Machine: it was looked at.
    Done,
    /// It has ended badly; for a Machine: it is not contactable.
    Failed,
}

#[derive(Debug, Default)]
struct Row {
    state: State,
    text: String,
}

#[derive(Debug, Default)]
struct TaskRow {
    row: Row,
    of_job: bool,
    action: String,
}

/// How many of a kind are how far.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Count {
    pub(super) total: usize,
    pub(super) done: usize,
    pub(super) failed: usize,
}

impl Board {
    /// Takes in a Machine; the line to show if something has changed.
    pub(super) fn machine(&mut self, machine: &Machine) -> Option<String> {
        let status = machine.status.clone().unwrap_or_default();
        let contactable = status
            .conditions
            .iter()
            .find(|condition| condition.type_ == MachineConditionType::Contactable.as_str());
        let (state, text) = match contactable {
            None => (State::Pending, String::new()),
            Some(condition) if condition.status == "True" => {
                let power = match status.power_state {
                    Some(PowerState::On) => "on",
                    Some(PowerState::Off) => "off",
                    _ => "unknown",
                };
                (State::Done, format!("contactable, power {power}"))
            }
            Some(condition) => (
                State::Failed,
                format!("not contactable: {}", condition.message),
            ),
        };
        if let Some(power) = status.power_state {
            self.power.insert(machine.key(), power);
        }
        let row = self.machines.entry(machine.key()).or_default();
        row.change("machine", &machine.key(), state, text)
    }

    /// Takes in a Job; the line to show if something has changed.
    pub(super) fn job(&mut self, job: &Job) -> Option<String> {
        let conditions = job.status.iter().flat_map(|status| &status.conditions);
        let conditions: Vec<_> = conditions
            .map(|it| (it.type_.as_str(), it.status.as_str(), it.message.as_str()))
            .collect();
        let (state, text) = judge(&conditions, job.status.is_some());
        let row = self.jobs.entry(job.key()).or_default();
        if state == State::Done && row.state != State::Done {
            let machine = Key {
                namespace: job.spec.machine_ref.namespace.clone(),
                name: job.spec.machine_ref.name.clone(),
            };
            if let Some(left) = job.spec.tasks.iter().rev().find_map(leaves) {
                self.left.insert(machine, left);
            }
        }
        row.change("job", &job.key(), state, text)
    }

    /// Takes in a Task; the line to show if something has changed.
    pub(super) fn task(&mut self, task: &Task) -> Option<String> {
        let status = task.status.as_ref();
        let conditions = status.into_iter().flat_map(|status| &status.conditions);
        let conditions: Vec<_> = conditions
            .map(|it| (it.type_.as_str(), it.status.as_str(), it.message.as_str()))
            .collect();
        let started = status.is_some_and(|status| status.start_time.is_some());
        let (state, text) = judge(&conditions, started);
        let entry = self.tasks.entry(task.key()).or_default();
        let owners = task.metadata.owner_references.iter().flatten();
        entry.of_job = owners.into_iter().any(|owner| owner.kind == Job::KIND);
        entry.action = describe(&task.spec.task);
        let text = if text.is_empty() {
            text
        } else {
            format!("{}: {text}", entry.action)
        };
        entry.row.change("task", &task.key(), state, text)
    }

    /// Forgets an object that is gone.
    pub(super) fn gone(&mut self, kind: &str, key: &Key) {
        match kind {
            Machine::KIND => drop(self.machines.remove(key)),
            Job::KIND => drop(self.jobs.remove(key)),
            _ => drop(self.tasks.remove(key)),
        }
    }

    /// Whether all Jobs and stand-alone Tasks have ended and every Machine was looked at.
    pub(super) fn is_finished(&self) -> bool {
        let alone = self.tasks.values().filter(|task| !task.of_job);
        let mut rows = self
            .machines
            .values()
            .chain(self.jobs.values())
            .chain(alone.map(|task| &task.row));
        rows.all(|row| matches!(row.state, State::Done | State::Failed))
    }

    /// Whether every Machine shows the power that its last Job has left it with.
    pub(super) fn is_settled(&self) -> bool {
        self.left.iter().all(|(machine, left)| {
            self.power
                .get(machine)
                .is_none_or(|seen| seen == left || *seen == PowerState::Unknown)
        })
    }

    /// How many Machines were looked at, and how many are not contactable.
    pub(super) fn machines(&self) -> Count {
        Count::of(self.machines.values())
    }

    /// How many Jobs and stand-alone Tasks have ended.
    pub(super) fn work(&self) -> Count {
        let alone = self.tasks.values().filter(|task| !task.of_job);
        Count::of(self.jobs.values().chain(alone.map(|task| &task.row)))
    }

    /// Each Job and stand-alone Task that has ended badly, with the reason.
    pub(super) fn failures(&self) -> Vec<String> {
        self.ended_as(|state| state == State::Failed)
    }

    /// Each Job and stand-alone Task that has not ended.
    pub(super) fn unfinished(&self) -> Vec<String> {
        self.ended_as(|state| matches!(state, State::Pending | State::Running))
    }

    fn ended_as(&self, wanted: impl Fn(State) -> bool) -> Vec<String> {
        let jobs = self.jobs.iter().map(|(key, row)| ("job", key, row));
        let alone = self
            .tasks
            .iter()
            .filter(|(_, task)| !task.of_job)
            .map(|(key, task)| ("task", key, &task.row));
        jobs.chain(alone)
            .filter(|(_, _, row)| wanted(row.state))
            .map(|(kind, key, row)| match row.text.as_str() {
                "" => format!("{kind} {key}: not begun"),
                text => format!("{kind} {key}: {text}"),
            })
            .collect()
    }

    /// What is being done right now.
    pub(super) fn under_way(&self) -> impl Iterator<Item = String> {
        let running = self
            .tasks
            .iter()
            .filter(|(_, task)| task.row.state == State::Running);
        running.map(|(key, task)| format!("{}: {}", key.name, task.action))
    }
}

impl Row {
    fn change(&mut self, kind: &str, key: &Key, state: State, text: String) -> Option<String> {
        self.state = state;
        if self.text == text {
            return None;
        }
        self.text = text;
        (!self.text.is_empty()).then(|| format!("{kind} {key}: {}", self.text))
    }
}

impl Count {
    fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        rows.fold(Self::default(), |count, row| Self {
            total: count.total + 1,
            done: count.done + usize::from(matches!(row.state, State::Done | State::Failed)),
            failed: count.failed + usize::from(row.state == State::Failed),
        })
    }
}

/// State and text by (type, status, message) of the conditions of a Job or Task.
fn judge(conditions: &[(&str, &str, &str)], begun: bool) -> (State, String) {
    let holds = |wanted: &str| {
        conditions
            .iter()
            .find(|(type_, status, _)| *type_ == wanted && *status == "True")
            .map(|(_, _, message)| (*message).to_owned())
    };
    if let Some(message) = holds("Failed") {
        return (State::Failed, said("failed", &message));
    }
    if let Some(message) = holds("Completed") {
        return (State::Done, said("completed", &message));
    }
    let other = conditions
        .iter()
        .rfind(|(type_, _, _)| *type_ != JobConditionType::Running.as_str());
    if let Some((_, _, message)) = other {
        return (State::Running, said("waiting", message));
    }
    if begun {
        return (State::Running, "running".to_owned());
    }
    (State::Pending, String::new())
}

fn said(word: &str, message: &str) -> String {
    if message.is_empty() {
        word.to_owned()
    } else {
        format!("{word}: {message}")
    }
}

/// The power that an action leaves a machine with, if it says so.
fn leaves(action: &Action) -> Option<PowerState> {
    match action.power_action? {
        PowerAction::On | PowerAction::Cycle | PowerAction::Reset => Some(PowerState::On),
        PowerAction::Off | PowerAction::Soft => Some(PowerState::Off),
        PowerAction::Status => None,
    }
}

/// The action in a few words.
fn describe(action: &Action) -> String {
    if let Some(power) = action.power_action {
        let word = serde_json::to_value(power).unwrap_or_default();
        return format!("power {}", word.as_str().unwrap_or_default());
    }
    if let Some(boot) = &action.one_time_boot_device_action {
        let device = boot.device.first().map_or("nothing", String::as_str);
        return format!("boot once from {device}");
    }
    if let Some(boot) = &action.boot_device {
        let how = if boot.persistent {
            "from now on"
        } else {
            "once"
        };
        return format!("boot {how} from {}", boot.device);
    }
    match &action.virtual_media_action {
        Some(media) if media.media_url.is_empty() => format!("eject {}", media.kind),
        Some(media) => match media.media_url.parse::<MediaSource>() {
            Ok(source) => format!("insert {source} into {}", media.kind),
            Err(_) => format!("insert into {}", media.kind),
        },
        None => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn task(name: &str, owned: bool, status: serde_json::Value) -> Task {
        let owners = if owned {
            json!([{"apiVersion": "v", "kind": "Job", "name": "j", "uid": "u", "controller": true}])
        } else {
            json!([])
        };
        serde_json::from_value(json!({
            "apiVersion": "bmc.tinkerbell.org/v1alpha1", "kind": "Task",
            "metadata": {"name": name, "namespace": "n", "ownerReferences": owners},
            "spec": {"task": {"powerAction": "off"}}, "status": status,
        }))
        .unwrap()
    }

    fn job(conditions: serde_json::Value) -> Job {
        serde_json::from_value(json!({
            "apiVersion": "bmc.tinkerbell.org/v1alpha1", "kind": "Job",
            "metadata": {"name": "j", "namespace": "n"},
            "spec": {"machineRef": {"name": "m", "namespace": "n"}, "tasks": []},
            "status": {"conditions": conditions},
        }))
        .unwrap()
    }

    #[test]
    fn changes_are_told_once() {
        let mut board = Board::default();
        assert_eq!(board.task(&task("t", false, json!({}))), None);
        let started = task("t", false, json!({"startTime": "2026-01-02T03:04:05Z"}));
        assert_eq!(
            board.task(&started).as_deref(),
            Some("task n/t: power off: running")
        );
        assert_eq!(board.task(&started), None);
        assert_eq!(board.under_way().collect::<Vec<_>>(), ["t: power off"]);
        let failed = json!({"conditions": [{"type": "Failed", "status": "True", "message": "no"}]});
        assert_eq!(
            board.task(&task("t", false, failed)).as_deref(),
            Some("task n/t: power off: failed: no")
        );
        assert!(board.is_finished());
    }

    #[test]
    fn an_action_is_told_without_its_secrets() {
        let told = |action| describe(&serde_json::from_value(action).unwrap());
        let media = |url| json!({"virtualMediaAction": {"kind": "CD", "mediaURL": url}});
        assert_eq!(told(media("")), "eject CD");
        assert_eq!(
            told(media("http://10.0.0.1/a.iso")),
            "insert http://10.0.0.1/a.iso into CD"
        );
        let credentials = told(media("smb://user:hunter2@nas/a.iso"));
        assert_eq!(credentials, "insert smb://..@nas/a.iso into CD");
        assert_eq!(told(media("hunter2")), "insert into CD");
    }

    #[test]
    fn it_ends_when_jobs_and_lone_tasks_have_ended_and_machines_were_seen() {
        let mut board = Board::default();
        assert!(board.is_finished());
        board.machine(&Machine::default());
        assert!(!board.is_finished());
        let status = json!({"powerState": "unknown",
            "conditions": [{"type": "Contactable", "status": "False", "message": "silence"}]});
        let machine = Machine {
            status: serde_json::from_value(status).unwrap(),
            ..Machine::default()
        };
        assert_eq!(
            board.machine(&machine).as_deref(),
            Some("machine /: not contactable: silence")
        );
        assert!(board.is_finished());
        board.task(&task("of-job", true, json!({})));
        assert!(board.is_finished(), "the Job's end counts, not its Task's");
        board.job(&job(json!([{"type": "Running", "status": "True"}])));
        assert!(!board.is_finished());
        let waiting = json!([{"type": "Running", "status": "True"},
            {"type": "Waiting", "status": "True", "message": "machine n/m not found"}]);
        assert_eq!(
            board.job(&job(waiting)).as_deref(),
            Some("job n/j: waiting: machine n/m not found")
        );
        board.job(&job(
            json!([{"type": "Running", "status": "True"}, {"type": "Completed", "status": "True"}]),
        ));
        assert!(board.is_finished());
        assert_eq!(
            board.machines(),
            Count {
                total: 1,
                done: 1,
                failed: 1
            }
        );
        assert_eq!(board.work().done, 1);
    }
}
