//! The manifests: `manifests/netboot.yaml`, with as many machines as there are virtual BMCs.

use rufio_operator::run::local::manifest::Source;

/// One Machine, one Job on it, and what both need. Its Secret holds [`USER`] and [`PASSWORD`].
const NETBOOT: &str = include_str!("../manifests/netboot.yaml");
/// The name of its Machine.
const MACHINE: &str = "node-1";
/// The port of its BMC.
const PORT: &str = "port: 6230";

/// The user of the BMCs.
pub const USER: &str = "admin";
/// The user's password.
pub const PASSWORD: &str = "password";

/// A Secret, and a Machine and a Job for each virtual BMC.
pub fn of(ports: &[u16]) -> Source {
    let (each, once): (Vec<_>, Vec<_>) = NETBOOT
        .split("---\n")
        .partition(|document| document.contains(MACHINE));
    let mut documents: Vec<String> = once.into_iter().map(str::to_owned).collect();
    for (index, port) in ports.iter().enumerate() {
        let (name, port) = (name(index), format!("port: {port}"));
        let machine = each
            .iter()
            .map(|document| document.replace(MACHINE, &name).replace(PORT, &port));
        documents.extend(machine);
    }
    Source {
        name: "quickstart".into(),
        text: documents.join("---\n"),
    }
}

/// The name of the Machine with this index.
pub fn name(index: usize) -> String {
    format!("node-{}", index + 1)
}
