//! `bmc raw`.

use async_trait::async_trait;
use bmc_ipmi::proto::Request as Message;
use bmc_ipmi::wire::{NetFn, Privilege};

use super::controller::Controller;
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, clap::Args)]
pub struct Raw {
    /// Network function, command and data: decimal or 0x-hexadecimal, such as "0x06 0x01"
    #[arg(value_name = "BYTES", value_parser = bytes)]
    bytes: Bytes,
    /// Send it again until it is answered: for requests that may be carried out twice
    #[arg(long)]
    repeat: bool,
    #[command(flatten)]
    controller: Controller,
    #[command(flatten)]
    of: Targets,
}

#[derive(Clone, Debug, Eq, PartialEq)]
struct Bytes {
    netfn: u8,
    command: u8,
    data: Vec<u8>,
}

#[async_trait(?Send)]
impl Request for Raw {
    fn name(&self) -> &'static str {
        "raw"
    }

    fn targets(&self) -> &[String] {
        &self.of.targets
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        let Bytes {
            netfn,
            command,
            data,
        } = &self.bytes;
        call.ask_ipmi(self.name(), async |client, deadline| {
            let request = Message {
                name: "raw request",
                netfn: NetFn::new(*netfn),
                command: *command,
                data,
                idempotent: self.repeat,
                // The session's privilege is raised when the BMC asks for it.
                privilege: Privilege::HIGHEST,
                target: self.controller.target(),
            };
            let client = client.at(self.controller.target());
            let data = hex(&client.raw(&request, deadline).await?);
            Ok(Answer::new("data", &data, data.as_str()))
        })
        .await
    }
}

fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ")
}

fn bytes(text: &str) -> Result<Bytes, String> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let bytes: Vec<u8> = words.map(byte).collect::<Result<_, _>>()?;
    let [netfn, command, data @ ..] = bytes.as_slice() else {
        return Err("at least the network function and the command are needed".into());
    };
    // Six bits, of which the lowest tells a response.
    if *netfn > 0x3e || netfn % 2 != 0 {
        return Err(format!(
            "network function {netfn:#04x} is not one of a request: use an even number up to 0x3e"
        ));
    }
    Ok(Bytes {
        netfn: *netfn,
        command: *command,
        data: data.to_vec(),
    })
}

/// A byte in decimal, or in hexadecimal behind `0x`.
pub(super) fn byte(word: &str) -> Result<u8, String> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let byte = match digits {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => word.parse(),
    };
    byte.map_err(|_| format!("{word:?} is not a byte: use 0 to 255 or 0x00 to 0xff"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_or_refused_by_name() {
        let expected = Bytes {
            netfn: 6,
            command: 0x3b,
            data: vec![4, 255],
        };
        assert_eq!(bytes("0x06 0x3B,4  255"), Ok(expected));
        for (text, part) in [
            ("", "at least"),
            ("6", "at least"),
            ("7 1", "network function 0x07"),
            ("0x40 1", "network function 0x40"),
            ("6 256", "\"256\" is not a byte"),
            ("6 0xg", "\"0xg\" is not a byte"),
        ] {
            let error = bytes(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
