//! The URLs, and commands to try on them.

use std::io::{self, Write};
use std::net::SocketAddr;

use super::args::Args;

/// Prints one URL a BMC, then advice as comments, so that the whole is a file of targets.
pub fn print(out: &mut impl Write, args: &Args, addresses: &[SocketAddr]) -> io::Result<()> {
    for address in addresses {
        writeln!(out, "ipmi://{address}")?;
    }
    let Some(first) = addresses.first() else {
        return out.flush();
    };
    let (user, variable) = (&args.user, &args.password_env);
    let (host, port) = (first.ip(), first.port());
    let suite = args
        .suites
        .iter()
        .map(|suite| suite.id())
        .max()
        .unwrap_or_default();
    write!(
        out,
        "\
# Ready: {count} virtual BMC(s). Try, with {variable} set:
#   bmc --user {user} --password-env {variable} power status ipmi://{first}
#   bmc --user {user} --password-env {variable} power on --wait ipmi://{first}
#   IPMI_PASSWORD=${variable} ipmitool -I lanplus -C {suite} -H {host} -p {port} -U {user} -E chassis status
# where bmc is: cargo run --release --example bmc --
# As manifest, for `rufio-operator local -f FILE` or `kubectl apply -f FILE` (an operator must reach {host}):
{manifest}# Serving until interrupted.
",
        count = addresses.len(),
        manifest = commented(&manifest(args, first)),
    )?;
    out.flush()
}

fn manifest(args: &Args, address: &SocketAddr) -> String {
    let (user, variable) = (&args.user, &args.password_env);
    let (host, port) = (address.ip(), address.port());
    format!(
        "\
cat >machine.yaml <<EOF
apiVersion: v1
kind: Secret
metadata: {{name: virtual-bmc, namespace: default}}
type: kubernetes.io/basic-auth
stringData: {{username: \"{user}\", password: \"${variable}\"}}
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Machine
metadata: {{name: virtual-bmc, namespace: default}}
spec:
  connection:
    host: \"{host}\"
    port: {port}
    insecureTLS: true
    authSecretRef: {{name: virtual-bmc, namespace: default}}
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Job
metadata: {{name: virtual-bmc-on, namespace: default}}
spec:
  machineRef: {{name: virtual-bmc, namespace: default}}
  tasks:
    - powerAction: \"on\"
EOF
"
    )
}

fn commented(text: &str) -> String {
    text.lines().map(|line| format!("#   {line}\n")).collect()
}
