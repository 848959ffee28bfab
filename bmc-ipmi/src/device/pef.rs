//! Platform event filtering, §17 and §30: what is configured. Read-only.

use bmc_core::ErrorKind;
use tokio::time::Instant;

use crate::client::Client;
use crate::command::{
    AlertPolicy, EventFilter, GetLastProcessedEventId, GetPefCapabilities, GetPefConfiguration,
    LastProcessedEvent, PefCapabilities, PefParameter, PefSetting,
};
use crate::error::Error;

/// The platform event filters of a BMC.
#[derive(Clone, Debug)]
pub struct Pef {
    client: Client,
}

/// What the event filters do.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PefState {
    /// What they can do.
    pub capabilities: PefCapabilities,
    /// \[3\] alert startup delay on, \[2\] startup delay on, \[1\] PEF sends event messages, \[0\] PEF on.
    pub control: u8,
    /// Enabled actions: \[5\] diagnostic interrupt, \[4\] OEM, \[3\] power cycle, \[2\] reset, \[1\] power down, \[0\] alert.
    pub actions: u8,
    /// The filters with their numbers; those that the BMC does not show are left out.
    pub filters: Vec<(u8, EventFilter)>,
    /// The alert policies with their numbers; those that the BMC does not show are left out.
    pub policies: Vec<(u8, AlertPolicy)>,
    /// Which events they have seen. `None`: the BMC does not tell, or not at this privilege.
    pub processed: Option<LastProcessedEvent>,
}

impl Pef {
    /// The filters of the client's target.
    pub fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
        }
    }

    /// One parameter; `None` if the BMC does not have it.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn parameter(
        &self,
        parameter: PefParameter,
        set: u8,
        deadline: Instant,
    ) -> Result<Option<PefSetting>, Error> {
        let command = GetPefConfiguration::new(parameter, set);
        let answer = match self.client.execute(&command, deadline).await {
            Ok(answer) => answer,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(answer.read(parameter)?))
    }

    /// What the filters do: an exchange for each filter and policy, and five more.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn read(&self, deadline: Instant) -> Result<PefState, Error> {
        let capabilities = self.client.execute(&GetPefCapabilities, deadline).await?;
        let mut state = PefState {
            capabilities,
            control: 0,
            actions: 0,
            filters: Vec::new(),
            policies: Vec::new(),
            processed: None,
        };
        for parameter in [PefParameter::CONTROL, PefParameter::ACTIONS] {
            match self.parameter(parameter, 0, deadline).await? {
                Some(PefSetting::Control(control)) => state.control = control,
                Some(PefSetting::Actions(actions)) => state.actions = actions,
                _ => {}
            }
        }
        // The table has seven bits for a number, whatever a BMC says.
        for set in 1..=capabilities.filters.min(0x7f) {
            let filter = self.parameter(PefParameter::FILTER, set, deadline).await?;
            if let Some(PefSetting::Filter { filter, .. }) = filter {
                state.filters.push((set, filter));
            }
        }
        let policies = self.parameter(PefParameter::POLICIES, 0, deadline).await?;
        if let Some(PefSetting::Policies(policies)) = policies {
            for set in 1..=policies {
                let policy = self.parameter(PefParameter::POLICY, set, deadline).await?;
                if let Some(PefSetting::Policy { policy, .. }) = policy {
                    state.policies.push((set, policy));
                }
            }
        }
        state.processed = match self
            .client
            .execute(&GetLastProcessedEventId, deadline)
            .await
        {
            Ok(processed) => Some(processed),
            Err(error) if is_absent(&error) => None,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => None,
            Err(error) => return Err(error),
        };
        Ok(state)
    }
}

/// Whether the BMC says that it has no such thing.
fn is_absent(error: &Error) -> bool {
    error.completion() == Some(GetPefConfiguration::UNSUPPORTED)
        || matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::NotFound)
}
