//! One action, whatever number of requests it takes.

use async_trait::async_trait;

use super::{Argument, Operation, Repeat};
use crate::error::Error;
use crate::provider::Session;

/// Names one action: a repeat of it carries the same id, so that a peer that has done it already can tell.
///
/// From 1 to 2^53 - 1: JSON numbers survive there in every language.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ActionId(u64);

/// An operation as one action: providers whose protocol has a place for it send `id` along.
///
/// ```
/// # use bmc_core::{ActionId, Bmc, ForAction, PowerAction, SetPower, testing::memory::MemoryBmc};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), bmc_core::Exhausted> {
/// # let bmc = Bmc::builder().provider(MemoryBmc::new().provider("ipmi")).build();
/// let id = ActionId::from_uid("5e0c8a4e-0b9f-4b0b-9a58-6f3d2c1b0a99");
/// bmc.run(ForAction { id, operation: SetPower(PowerAction::Cycle) }).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForAction<O> {
    /// The action that it belongs to.
    pub id: ActionId,
    /// What to do.
    pub operation: O,
}

impl ActionId {
    /// The largest id.
    pub const MAX: u64 = (1 << 53) - 1;

    /// The id with this number, if it is one.
    pub fn new(number: u64) -> Option<Self> {
        (1..=Self::MAX).contains(&number).then_some(Self(number))
    }

    /// The id that belongs to a unique text such as a UUID: the same for the same text, in every version.
    ///
    /// FNV-1a of 64 bits, folded to 53.
    pub fn from_uid(uid: &str) -> Self {
        let hash = uid.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(((hash >> 53) ^ (hash & Self::MAX)).max(1))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

#[async_trait]
impl<O: Operation> Operation for ForAction<O> {
    type Output = O::Output;

    fn name(&self) -> &'static str {
        self.operation.name()
    }

    fn repeat(&self) -> Repeat {
        self.operation.repeat()
    }

    fn is_sweep(&self) -> bool {
        self.operation.is_sweep()
    }

    fn argument(&self) -> Option<Argument<'_>> {
        self.operation.argument()
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<O::Output, Error>> {
        match session.for_action(self.id) {
            Some(session) => self.operation.run(session.as_ref()).await,
            None => self.operation.run(session).await,
        }
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<O::Output>, Error>> {
        self.operation.reached(session).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_exact_in_every_language() {
        assert_eq!(ActionId::new(0), None);
        assert_eq!(ActionId::new(1 << 53), None);
        assert_eq!(ActionId::new(7).map(ActionId::get), Some(7));
    }

    /// Frozen: consumers may hold ids of an earlier version.
    #[test]
    fn a_uid_has_one_id_for_ever() {
        let id = |uid| ActionId::from_uid(uid).get();
        assert_eq!(id(""), 0x12_9ce4_8422_257a);
        assert_eq!(id("a"), 0x3_dc4c_8601_e9f7);
        assert_eq!(
            id("5e0c8a4e-0b9f-4b0b-9a58-6f3d2c1b0a99"),
            0xa_f271_3732_ed74
        );
    }
}
