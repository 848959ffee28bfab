//! Calls for property tests.

use bmc_rpc::Call;
use proptest::prelude::*;

pub(crate) fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        Just(Call::Ping),
        Just(Call::GetPowerState),
        "\\PC{0,12}".prop_map(|state| Call::SetPowerState { state }),
        ("\\PC{0,12}", any::<bool>(), any::<bool>()).prop_map(|(device, persistent, efi_boot)| {
            Call::SetBootDevice {
                device,
                persistent,
                efi_boot,
            }
        }),
        ("\\PC{0,30}", "[A-Za-z]{0,8}")
            .prop_map(|(media_url, kind)| Call::SetVirtualMedia { media_url, kind }),
    ]
}
