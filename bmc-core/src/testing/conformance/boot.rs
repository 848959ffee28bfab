//! The boot override.

use super::step::{bounded, is_plain_refusal, open, readable, within};
use crate::capability::{BootDevice, BootMode, BootOverride, Persistence};
use crate::provider::Provider;

/// A boot override reads back as it was set, or is refused as a whole; clearing it leaves none. A provider that cannot
/// read it back says so each time.
///
/// Booting from the network must work in at least one combination of persistence and mode.
pub async fn boot_override_converges(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(boot) = session.boot() {
        let mut accepted = 0;
        for persistence in [Persistence::Once, Persistence::Persistent] {
            for mode in [BootMode::Legacy, BootMode::Efi] {
                let wanted = BootOverride {
                    device: BootDevice::Pxe,
                    persistence,
                    mode,
                };
                match bounded("set_boot_override", boot.set_boot_override(wanted)).await {
                    Ok(()) => {
                        if let Some(read) = readable("boot_override", boot.boot_override()).await {
                            assert!(
                                read.valid && read.settings == wanted,
                                "set {wanted}, read {read:?}"
                            );
                        }
                        accepted += 1;
                    }
                    Err(error) => assert!(
                        is_plain_refusal(&error),
                        "{wanted} failed with {error:?} instead of a refusal"
                    ),
                }
            }
        }
        assert!(
            accepted > 0,
            "no combination for booting from the network was accepted"
        );
        let clear = BootOverride::once(BootDevice::None);
        within("set_boot_override", boot.set_boot_override(clear)).await;
        if let Some(read) = readable("boot_override", boot.boot_override()).await {
            assert!(
                !read.valid || read.settings.device == BootDevice::None,
                "cleared, but still there: {read:?}"
            );
        }
    }
    session.close().await;
}
