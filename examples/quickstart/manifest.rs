//! The manifests, as somebody would write them for kubectl.

use rufio_operator::run::local::manifest::Source;

/// A Secret, and a Machine and a Job for each virtual BMC.
pub fn of(ports: &[u16]) -> Source {
    let mut text = SECRET.to_owned();
    for (index, port) in ports.iter().enumerate() {
        text.push_str(&machine(&name(index), *port));
    }
    Source {
        name: "quickstart".into(),
        text,
    }
}

/// The name of the Machine with this index.
pub fn name(index: usize) -> String {
    format!("node-{}", index + 1)
}

const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata: {name: bm-auth, namespace: sample}
type: kubernetes.io/basic-auth
stringData: {username: root, password: root}
";

fn machine(name: &str, port: u16) -> String {
    format!(
        "\
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Machine
metadata: {{name: {name}, namespace: sample}}
spec:
  connection:
    host: 127.0.0.1
    port: {port}
    authSecretRef: {{name: bm-auth, namespace: sample}}
    insecureTLS: true
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Job
metadata: {{name: netboot-{name}, namespace: sample}}
spec:
  machineRef: {{name: {name}, namespace: sample}}
  tasks:
    - powerAction: \"off\"
    - oneTimeBootDeviceAction: {{device: [pxe], efiBoot: true}}
    - powerAction: \"on\"
"
    )
}
