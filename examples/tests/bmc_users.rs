//! `bmc user` against simulated BMCs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use bmc_ipmi::sim::Sim;
use serde_json::Value;

use program::{Ran, bmc, example};

const NEW: &str = "BMC_EXAMPLES_NEW_PASSWORD";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_is_created_and_logs_in() {
    let sim = Sim::builder().spawn().await.unwrap();
    let url = format!("ipmi://{}", sim.addr());
    tokio::task::spawn_blocking(move || {
        let with_password = |line: &str| {
            let mut command = example("bmc");
            command
                .env(NEW, "s3cret!")
                .args(["--user", "admin", "--password-env"]);
            command
                .arg(program::VARIABLE)
                .args(line.split(' '))
                .arg(&url);
            Ran::of(&mut command)
        };
        let set = with_password(&format!(
            "-o json user set --name eva --role operator --new-password-env {NEW}"
        ));
        let set: Value = serde_json::from_str(set.success()).unwrap();
        let id = set["user"]["id"].as_str().unwrap().to_owned();
        assert_eq!(set["user"]["role"], "operator", "{set}");
        assert!(!set.to_string().contains("s3cret!"));

        bmc(["user", "enable", &id, &url]).success();
        let eva = |line: &str| {
            let mut command = example("bmc");
            command
                .env(NEW, "s3cret!")
                .args(["--user", "eva", "--password-env", NEW]);
            Ran::of(command.args(line.split(' ')).arg(&url))
        };
        eva("power on").success();
        let list = bmc(["user", "list", &url]);
        assert!(list.success().contains("eva"), "{}", list.out);

        bmc(["user", "disable", &id, &url]).success();
        assert!(eva("power off").failure(1).contains("authentication"));
        let unnamed = bmc(["user", "set", &url]);
        assert!(unnamed.failure(2).contains("--name"), "{}", unnamed.err);
        for idle in [["--name", "eva"], ["--id", "3"], ["--name", "ida"]] {
            let [option, value] = idle;
            let idle = bmc(["user", "set", option, value, &url]);
            assert!(idle.failure(2).contains("--role"), "{}", idle.err);
        }
        // Only the BMC knows that there is no such user.
        let new = ["--name", "ida", "--role", "user"];
        let new = bmc([&["user", "set"], &new[..], &[&url]].concat());
        let needs = "BMC has no user \"ida\", and a new one needs a new password";
        assert!(new.failure(1).contains(needs), "{}", new.err);
        let long = ["--name", "seventeen-letters", "--role", "user"];
        let long = bmc([&["user", "set"], &long[..], &[&url]].concat());
        assert!(long.failure(1).contains("16"), "{}", long.err);
    })
    .await
    .unwrap();
}
