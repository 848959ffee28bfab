//! Creates a user, lets it log in, and deletes it again.
//!
//! ```text
//! cargo run --release --example users                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example users -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use bmc_core::{Secret, UserRole, UserSettings};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    let wanted = UserSettings {
        name: Some("example".into()),
        password: Some(Secret::from("Corr3ct-horse!")),
        role: Some(UserRole::User),
        ..UserSettings::default()
    };
    // Read back: an error if the BMC has not kept it.
    let user = bmc.set_user(wanted).await?.value;
    bmc.set_user_enabled(&user.id, true).await?;
    for user in bmc.users().await?.value {
        let role = user.role.map(|role| role.to_string());
        let enabled = match user.enabled {
            Some(true) => "enabled",
            Some(false) => "disabled",
            None => "not told",
        };
        println!(
            "{:>3} {:<16} {:<14} {enabled}",
            user.id,
            user.name,
            role.unwrap_or_default()
        );
    }
    bmc.delete_user(&user.id).await?;
    println!("deleted user {}", user.id);
    bmc.close().await;
    Ok(())
}
