//! `bmc identify`.

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{GetIdentifyLight, IdentifyAction, SetIdentify};
use clap::Subcommand;

use examples::duration;

use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum Identify {
    /// Read the light
    Status(Targets),
    /// Show the light, until it is switched off unless --for
    On(On),
    /// Switch the light off
    Off(Targets),
}

#[derive(Debug, clap::Args)]
pub struct On {
    /// How long; IPMI knows whole seconds up to 255
    #[arg(long = "for", value_name = "DURATION", value_parser = duration::positive)]
    time: Option<Duration>,
    #[command(flatten)]
    of: Targets,
}

impl Identify {
    fn wanted(&self) -> Option<IdentifyAction> {
        match self {
            Self::Status(_) => None,
            Self::On(on) => Some(on.time.map_or(IdentifyAction::On, IdentifyAction::For)),
            Self::Off(_) => Some(IdentifyAction::Off),
        }
    }
}

#[async_trait(?Send)]
impl Request for Identify {
    fn name(&self) -> &'static str {
        match self {
            Self::Status(_) => "identify status",
            Self::On(_) => "identify on",
            Self::Off(_) => "identify off",
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Status(of) | Self::Off(of) => &of.targets,
            Self::On(on) => &on.of.targets,
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        match self.wanted() {
            Some(wanted) => call.ask(SetIdentify(wanted), |()| Answer::accepted()).await,
            None => {
                call.ask(GetIdentifyLight, |light| {
                    Answer::new("identify", light, light.as_str())
                })
                .await
            }
        }
    }
}
