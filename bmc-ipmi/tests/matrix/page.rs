//! The page as Markdown.

use std::fmt::Write;

use crate::commands::{COMMANDS, Proof};
use crate::spoken::{
    FREEIPMI, GOIPMI, GOIPMI_SERVER, IPMI_SIM, IPMITOOL, PYGHMI, PYGHMI_BMC, SUITES, Spoken, V15,
};

const SERVERS: [Spoken; 3] = [IPMI_SIM, GOIPMI_SERVER, PYGHMI_BMC];
const CLIENTS: [Spoken; 4] = [IPMITOOL, FREEIPMI, GOIPMI, PYGHMI];

pub(crate) fn render() -> String {
    let mut page = String::from(BEGIN);
    page.push_str("## Sessions: our client and foreign BMCs\n\n");
    sessions(&mut page, &SERVERS);
    page.push_str(BETWEEN);
    page.push_str("## Sessions: foreign clients and our simulated BMC\n\n");
    sessions(&mut page, &CLIENTS);
    page.push_str("\n## Commands\n\n");
    page.push_str("| | our client with | our simulated BMC with |\n|---|---|---|\n");
    for row in COMMANDS {
        let programs = |directory: &str| {
            let here = |Proof(path): &&Proof| path.starts_with(directory);
            let names = row.proofs.iter().filter(here).map(program);
            let mut names: Vec<_> = names.collect();
            names.sort_unstable();
            names.dedup();
            names.join(", ")
        };
        let (servers, clients) = (programs("interop::"), programs("foreign::"));
        writeln!(page, "| {} | {servers} | {clients} |", row.area).unwrap();
    }
    page
}

fn sessions(page: &mut String, programs: &[Spoken]) {
    let names: Vec<_> = programs.iter().map(|spoken| spoken.program).collect();
    writeln!(page, "| | {} |", names.join(" | ")).unwrap();
    writeln!(page, "|---|{}", "---|".repeat(names.len())).unwrap();
    let mut row = |name: String, proved: &dyn Fn(&Spoken) -> bool| {
        let cells = programs
            .iter()
            .map(|spoken| if proved(spoken) { "yes" } else { "" });
        writeln!(
            page,
            "| {name} | {} |",
            cells.collect::<Vec<_>>().join(" | ")
        )
        .unwrap();
    };
    for suite in SUITES {
        row(format!("suite {suite}"), &|spoken| {
            spoken.suites.contains(&suite)
        });
    }
    for auth_type in V15 {
        row(format!("IPMI v1.5, {auth_type}"), &|spoken| {
            spoken.v15.contains(&auth_type)
        });
    }
}

/// The program that a test is with, by the words of its path.
fn program(Proof(path): &Proof) -> &'static str {
    let known = [
        ("ipmi_sim", "ipmi_sim"),
        ("virtualbmc", "VirtualBMC"),
        ("pyghmi", "pyghmi"),
        ("goipmi", "go-ipmi"),
        ("ipmitool", "ipmitool"),
        ("ipmiconsole", "ipmiconsole"),
        ("freeipmi", "FreeIPMI"),
        ("ipmipower", "ipmipower"),
        ("ipmi_config", "FreeIPMI"),
    ];
    let found = known.iter().find(|(word, _)| path.contains(word));
    found.map_or_else(|| panic!("{path} names no program"), |(_, name)| name)
}

const BEGIN: &str = "# Interoperability of IPMI

What is proved in every run of `.ci/run` with programs that are no part of this project: OpenIPMI's `ipmi_sim` 2.0, ipmitool 1.8.19,
FreeIPMI 1.6, go-ipmi, pyghmi 1.6 and VirtualBMC 3.3. This page is written by `bmc-ipmi/tests/matrix`, from the lists that the tests go through.

";

const BETWEEN: &str = "
No foreign BMC speaks suites 7, 8, 12, 15 and 16 correctly. For these the chain is: vectors that were computed independently, our client with our
simulated BMC, and our simulated BMC with FreeIPMI and ipmitool. The suites with xRC4 (4, 5, 9, 10, 13, 14, 18, 19) have no working counterpart and are
refused by name.

";
