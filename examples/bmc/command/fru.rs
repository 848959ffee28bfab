//! `bmc fru`.

use async_trait::async_trait;
use bmc_core::{Component, GetInventory};

use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, clap::Args)]
pub struct Fru {
    #[command(flatten)]
    of: Targets,
}

#[async_trait(?Send)]
impl Request for Fru {
    fn name(&self) -> &'static str {
        "fru"
    }

    fn targets(&self) -> &[String] {
        &self.of.targets
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        call.ask(GetInventory, |components| {
            Answer::new("components", &components, words(&components))
        })
        .await
    }
}

/// A paragraph a component.
fn words(components: &[Component]) -> String {
    let paragraphs: Vec<_> = components.iter().map(paragraph).collect();
    paragraphs.join("\n \n")
}

fn paragraph(component: &Component) -> String {
    let known = [
        ("manufacturer", &component.manufacturer),
        ("model", &component.model),
        ("part number", &component.part_number),
        ("serial number", &component.serial_number),
        ("asset tag", &component.asset_tag),
        ("version", &component.version),
    ];
    let known = known
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_deref()?)));
    let others = component
        .fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let mut lines = vec![format!("{} ({})", component.name, component.kind)];
    lines.extend(
        known
            .chain(others)
            .map(|(name, value)| format!("  {name:20}: {value}")),
    );
    lines.join("\n")
}
