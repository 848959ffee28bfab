//! Commands that a test or a demonstration adds to the simulated BMC, or answers in place of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::command::Command;
use crate::sim::dispatch::{Answer, Call, run};
use crate::wire::{CompletionCode, LanRequest, NetFn};

type Handler = Arc<dyn Fn(Call, &LanRequest<'_>) -> Answer + Send + Sync>;

/// Added commands by network function and number.
#[derive(Clone, Default)]
pub(super) struct CustomCommands(BTreeMap<(NetFn, u8), Handler>);

impl CustomCommands {
    /// Adds a command; a later one takes the place of an earlier one.
    pub(super) fn add<C: Command>(
        &mut self,
        handler: impl Fn(C) -> Result<C::Response, CompletionCode> + Send + Sync + 'static,
    ) {
        let handler = move |call: Call, request: &LanRequest<'_>| run(call, request, &handler);
        self.0.insert((C::NETFN, C::CMD), Arc::new(handler));
    }

    pub(super) fn answer(&self, call: Call, request: &LanRequest<'_>) -> Option<Answer> {
        let handler = self.0.get(&(request.netfn, request.command))?;
        Some(handler(call, request))
    }
}
