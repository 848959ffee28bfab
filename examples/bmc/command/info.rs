//! `bmc info`.

use async_trait::async_trait;
use bmc_core::{BmcIdentity, GetIdentity};

use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, clap::Args)]
pub struct Info {
    #[command(flatten)]
    of: Targets,
}

#[async_trait(?Send)]
impl Request for Info {
    fn name(&self) -> &'static str {
        "info"
    }

    fn targets(&self) -> &[String] {
        &self.of.targets
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        call.ask(GetIdentity, |identity| {
            Answer::new("info", &identity, words(&identity))
        })
        .await
    }
}

fn words(identity: &BmcIdentity) -> String {
    let known = [
        ("protocol", &identity.protocol),
        ("manufacturer", &identity.manufacturer),
        ("product", &identity.product),
        ("firmware", &identity.firmware),
    ];
    let words = known
        .iter()
        .filter_map(|(name, value)| Some(format!("{name} {}", value.as_deref()?)));
    words.collect::<Vec<_>>().join(", ")
}
