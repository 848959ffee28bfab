//! Properties of every wire type: what is encoded decodes to itself, and arbitrary bytes never panic.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::*;
use bmc_ipmi::wire::*;

/// Encoding then decoding gives the message back; decoding bytes either fails or gives a message that survives.
macro_rules! wire_type {
    ($($test:ident: $type:ty = $strategy:expr;)*) => {$(
        mod $test {
            use super::*;

            proptest! {
                #[test]
                fn survives(message in $strategy) {
                    survives_the_wire::<$type>(&message)?;
                }

                #[test]
                fn any_bytes(bytes in vec(any::<u8>(), 0..96)) {
                    if let Ok(message) = <$type>::from_bytes(&bytes) {
                        survives_the_wire(&message)?;
                    }
                }
            }
        }
    )*};
}

mod app;
mod channel;
mod chassis;
mod dcmi;
mod event;
mod fru;
mod fru_records;
mod handshake;
mod lan;
mod login;
mod message;
mod packet;
mod sdr;
mod sel;
mod sensor;
mod session;
mod sol;
mod user;
mod watchdog;

wire_type! {
    // The answer of every command that reads a configuration parameter.
    configuration_data: ConfigurationData = (any::<u8>(), vec(any::<u8>(), 0..40))
        .prop_map(|(revision, data)| ConfigurationData { revision, data });
}

fn survives_the_wire<M: Wire + PartialEq + Debug>(message: &M) -> Result<(), TestCaseError> {
    let bytes = message.to_bytes();
    let back = M::from_bytes(&bytes);
    prop_assert_eq!(back.as_ref(), Ok(message));
    prop_assert!(M::from_prefix(&bytes).is_ok());
    Ok(())
}

fn privileges() -> impl Strategy<Value = Privilege> {
    any::<u8>().prop_map(Privilege::new)
}
