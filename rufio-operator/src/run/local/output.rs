//! The final objects, as `kubectl get` prints them.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use super::Summary;

/// The objects could not be written as text.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// As JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// As YAML.
    #[error("{0}")]
    Yaml(#[from] serde_saphyr::ser::Error),
}

impl Summary {
    /// A List of all Machines, Jobs and Tasks in YAML.
    pub fn to_yaml(&self) -> Result<String, OutputError> {
        Ok(serde_saphyr::to_string(&self.list()?)?)
    }

    /// A List of all Machines, Jobs and Tasks in JSON.
    pub fn to_json(&self) -> Result<String, OutputError> {
        Ok(format!(
            "{}\n",
            serde_json::to_string_pretty(&self.list()?)?
        ))
    }

    fn list(&self) -> Result<Value, OutputError> {
        let mut items = Vec::new();
        extend(&mut items, &self.machines)?;
        extend(&mut items, &self.jobs)?;
        extend(&mut items, &self.tasks)?;
        Ok(
            json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}),
        )
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize, word: &str| {
            format!("{count} {word}{}", if count == 1 { "" } else { "s" })
        };
        let machines = self.machines.len();
        let jobs = self.jobs.len();
        write!(
            f,
            "{} ({} contactable), {}, {}: {} completed, {} failed",
            plural(machines, "Machine"),
            self.contactable,
            plural(jobs, "Job"),
            plural(self.lone_tasks, "stand-alone Task"),
            self.completed,
            self.failed.len(),
        )?;
        if !self.unfinished.is_empty() {
            write!(f, ", {} not ended", self.unfinished.len())?;
        }
        for line in self.failed.iter().chain(&self.unfinished) {
            write!(f, "\n{line}")?;
        }
        Ok(())
    }
}

fn extend<K: Serialize + kube::Resource + Clone>(
    items: &mut Vec<Value>,
    objects: &[K],
) -> Result<(), OutputError> {
    for object in objects {
        let mut object = object.clone();
        object.meta_mut().managed_fields = None;
        items.push(serde_json::to_value(&object)?);
    }
    Ok(())
}
