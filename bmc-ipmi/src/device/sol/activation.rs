//! Activating SOL.

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{
    ActivatePayload, ActivatedPayload, DeactivatePayload, GetPayloadInstanceInfo, SolActivation,
};
use crate::device::SolOptions;
use crate::error::Error;
use crate::wire::{ConfidentialityAlgorithm, IntegrityAlgorithm, PayloadType, SolHeader};

/// Characters in a packet to a BMC whose sizes cannot be believed.
const COMMON_SIZE: usize = 64;

/// Activates SOL and gives the greatest number of characters in a packet to the BMC.
///
/// The port that the BMC names is that of the session, or wrong: it does not count.
pub(super) async fn activate(
    client: &Client,
    options: &SolOptions,
    session_id: Option<u32>,
    deadline: Instant,
) -> Result<usize, Error> {
    let command = ActivatePayload::sol(activation(client, options));
    let mut result = client.execute(&command, deadline).await;
    let is_in_the_way = match &result {
        // It may be active in this session, by a command whose answer was lost or not awaited.
        Err(error) if error.completion() == Some(ActivatePayload::ALREADY_ACTIVE) => {
            options.steal || is_ours(client, session_id, deadline).await
        }
        Err(Error::NoReply { .. }) => is_ours(client, session_id, deadline).await,
        _ => false,
    };
    if is_in_the_way {
        deactivate(client, deadline).await?;
        result = client.execute(&command, deadline).await;
    }
    match result {
        Ok(activated) if options.ignore_sizes => Ok(COMMON_SIZE.min(max_data(&activated))),
        Ok(activated) => Ok(max_data(&activated)),
        Err(Error::Completion { code, .. }) if matches!(code.0, 0x80..=0xbe) => {
            Err(Error::SolRefused { code })
        }
        Err(error) => Err(error),
    }
}

/// Ends SOL of whichever session has it.
pub(super) async fn deactivate(client: &Client, deadline: Instant) -> Result<(), Error> {
    match client.execute(&DeactivatePayload::SOL, deadline).await {
        Err(error) if error.completion() == Some(DeactivatePayload::ALREADY_INACTIVE) => Ok(()),
        result => result,
    }
}

/// Protected as the session is.
fn activation(client: &Client, options: &SolOptions) -> SolActivation {
    let suite = client.known().suite;
    SolActivation {
        encrypted: suite
            .is_some_and(|suite| suite.confidentiality() != ConfidentialityAlgorithm::NONE),
        authenticated: suite.is_some_and(|suite| suite.integrity() != IntegrityAlgorithm::NONE),
        test: false,
        alerts: SolActivation::ALERTS_WAIT,
        starts_deasserted: options.starts_deasserted,
    }
}

/// Some BMCs swap the bytes of the size, forget the header or send nothing sensible.
fn max_data(activated: &ActivatedPayload) -> usize {
    let size = usize::from(activated.inbound_size);
    match size.checked_sub(SolHeader::LENGTH) {
        Some(data @ 1..=SolHeader::MAX_DATA) => data,
        _ => COMMON_SIZE,
    }
}

async fn is_ours(client: &Client, session_id: Option<u32>, deadline: Instant) -> bool {
    let command = GetPayloadInstanceInfo {
        payload_type: PayloadType::SOL,
        instance: 1,
    };
    let info = client.execute(&command, deadline).await;
    info.is_ok_and(|info| info.is_active() && Some(info.session_id) == session_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_lie_are_not_believed() {
        let size = |inbound_size| ActivatedPayload {
            auxiliary: [0; 4],
            inbound_size,
            outbound_size: 259,
            port: 623,
            vlan: ActivatedPayload::NO_VLAN,
        };
        for (reported, data) in [
            (259, 255),
            (5, 1),
            (128, 124),
            (0, 64),
            (4, 64),
            (0x0400, 64),
            (259_u16.swap_bytes(), 64),
            (u16::MAX, 64),
        ] {
            assert_eq!(max_data(&size(reported)), data, "{reported}");
        }
    }
}
