//! What the BMCs have executed, one line a command.

use std::fs::File;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{
    ChassisControl, CloseSession, Command, GetChannelAuthCapabilities, GetChannelCipherSuites,
    GetChassisStatus, GetDeviceId, GetSystemBootOptions, SetSessionPrivilegeLevel,
    SetSystemBootOptions,
};
use bmc_ipmi::sim::Executed;
use bmc_ipmi::wire::NetFn;
use tokio::time::Instant;

/// Where the lines go, if anybody wants them.
pub struct Log {
    began: Instant,
    out: Option<Box<dyn Write>>,
}

impl Log {
    /// Opens the file; `-` is standard error.
    pub fn open(path: Option<&Path>) -> Result<Self, String> {
        let out: Option<Box<dyn Write>> = match path {
            None => None,
            Some(path) if path == Path::new("-") => Some(Box::new(io::stderr())),
            Some(path) => {
                let opened = File::create(path);
                let file = opened.map_err(|error| format!("--log {}: {error}", path.display()))?;
                Some(Box::new(file))
            }
        };
        let began = Instant::now();
        Ok(Self { began, out })
    }

    /// `1.250 127.0.0.1:6230 Chassis Control 01: 00h command completed normally`
    pub fn write(&mut self, bmc: Option<&SocketAddr>, executed: &Executed) -> io::Result<()> {
        let (Some(out), Some(bmc)) = (&mut self.out, bmc) else {
            return Ok(());
        };
        let seconds = executed.at.duration_since(self.began).as_secs_f64();
        let mut line = format!(
            "{seconds:.3} {bmc} {}",
            name(executed.netfn, executed.command)
        );
        for byte in &executed.data {
            line.push_str(&format!(" {byte:02x}"));
        }
        writeln!(out, "{line}: {}", executed.completion)
    }
}

fn name(netfn: NetFn, command: u8) -> String {
    macro_rules! names {
        ($($known:ty),*) => {
            match (netfn, command) {
                $((<$known>::NETFN, <$known>::CMD) => <$known>::NAME.into(),)*
                _ => format!("{netfn:?} command {command:02x}h"),
            }
        };
    }
    names!(
        ChassisControl,
        CloseSession,
        GetChannelAuthCapabilities,
        GetChannelCipherSuites,
        GetChassisStatus,
        GetDeviceId,
        GetSystemBootOptions,
        SetSessionPrivilegeLevel,
        SetSystemBootOptions
    )
}
