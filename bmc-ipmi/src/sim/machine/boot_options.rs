//! Boot parameters, and how long the boot flags stay valid.

use std::time::Duration;

use tokio::time::Instant;

use crate::command::{
    BootAgents, BootFlags, BootInitiatorInfo, BootMailbox, BootOption, BootParameter,
    GetSystemBootOptions, KeepBootFlags, SetSystemBootOptions,
};
use crate::wire::CompletionCode;

/// The valid bit is cleared so long after it was set unless a chassis control command follows, §28.12.
pub(super) const FLAGS_LIFETIME: Duration = Duration::from_secs(60);
/// Blocks of the mailbox.
const BLOCKS: usize = 5;

/// The boot parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct BootOptions {
    pub(super) flags: BootFlags,
    flags_expire: Option<Instant>,
    set_in_progress: u8,
    partition: u8,
    scan: (bool, bool),
    keep: KeepBootFlags,
    acknowledge: BootAgents,
    initiator: BootInitiatorInfo,
    mailbox: [[u8; BootMailbox::BLOCK]; BLOCKS],
}

impl BootOptions {
    /// Executes Set System Boot Options.
    pub(super) fn set(&mut self, now: Instant, option: &BootOption) -> Result<(), CompletionCode> {
        match option {
            BootOption::SetInProgress(value) => self.set_in_progress = value & 0x03,
            BootOption::PartitionSelector(partition) => self.partition = *partition,
            BootOption::PartitionScan {
                requested,
                discovered,
            } => self.scan = (*requested, *discovered),
            BootOption::ValidBitClearing(keep) => self.keep = *keep,
            BootOption::InfoAcknowledge { mask, data } => {
                let (kept, set) = (
                    self.acknowledge.value() & !mask.value(),
                    data.value() & mask.value(),
                );
                self.acknowledge = BootAgents::new(kept | set);
            }
            BootOption::Flags(flags) => {
                self.flags = *flags;
                let expires = flags.valid && !self.keep.on_timeout;
                self.flags_expire = expires.then(|| now + FLAGS_LIFETIME);
            }
            BootOption::InitiatorInfo(initiator) => self.initiator = *initiator,
            BootOption::InitiatorMailbox(message) => {
                let block = self.mailbox.get_mut(usize::from(message.block));
                let block = block.ok_or(CompletionCode::OUT_OF_RANGE)?;
                for (kept, byte) in block.iter_mut().zip(&message.data) {
                    *kept = *byte;
                }
            }
            BootOption::Other { .. } => return Err(SetSystemBootOptions::UNSUPPORTED),
        }
        Ok(())
    }

    /// Executes Get System Boot Options.
    pub(super) fn get(
        &self,
        parameter: BootParameter,
        set: u8,
    ) -> Result<BootOption, CompletionCode> {
        Ok(match parameter {
            BootParameter::SET_IN_PROGRESS => BootOption::SetInProgress(self.set_in_progress),
            BootParameter::PARTITION_SELECTOR => BootOption::PartitionSelector(self.partition),
            BootParameter::PARTITION_SCAN => BootOption::PartitionScan {
                requested: self.scan.0,
                discovered: self.scan.1,
            },
            BootParameter::VALID_BIT_CLEARING => BootOption::ValidBitClearing(self.keep),
            BootParameter::INFO_ACKNOWLEDGE => BootOption::InfoAcknowledge {
                mask: BootAgents::NONE,
                data: self.acknowledge,
            },
            BootParameter::FLAGS => BootOption::Flags(self.flags),
            BootParameter::INITIATOR_INFO => BootOption::InitiatorInfo(self.initiator),
            BootParameter::INITIATOR_MAILBOX => {
                let data = self.mailbox.get(usize::from(set));
                let data = data.ok_or(CompletionCode::OUT_OF_RANGE)?.to_vec();
                BootOption::InitiatorMailbox(BootMailbox { block: set, data })
            }
            _ => return Err(GetSystemBootOptions::UNSUPPORTED),
        })
    }

    /// Forgets flags that nobody used in time.
    pub(super) fn expire(&mut self, now: Instant) {
        if self.flags_expire.is_some_and(|due| due <= now) {
            self.flags_expire = None;
            self.flags.valid = false;
        }
    }

    /// A chassis control command has come.
    pub(super) fn keep(&mut self) {
        self.flags_expire = None;
    }

    /// The watchdog has expired.
    pub(super) fn on_watchdog(&mut self) {
        self.flags.valid &= self.keep.on_watchdog;
    }

    /// The flags that the firmware honours; one boot uses them up unless they are persistent.
    pub(super) fn take(&mut self) -> Option<BootFlags> {
        let flags = self.flags.valid.then_some(self.flags);
        self.flags.valid &= self.flags.persistent;
        flags
    }
}
