//! Many BMCs at once, on one thread.

use std::cell::RefCell;
use std::io;
use std::pin::pin;
use std::time::Duration;

use bmc_core::Report;
use futures_util::{StreamExt, stream};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::args::Options;
use super::command::{Call, Ended, Request};
use super::connect::Member;
use super::interrupt::Interrupts;
use super::output::Printer;

/// How long sessions may take to close when somebody waits for the end of the program.
const GOODBYE: Duration = Duration::from_secs(1);

/// Runs the request on every member and reports each as it ends. Whether all succeeded and could be reported.
///
/// When the program is asked to end, every session is closed first; asked again, it ends at once.
pub async fn run(fleet: Vec<Member>, request: &dyn Request, options: &Options) -> io::Result<bool> {
    let mut interrupts = Interrupts::new()?;
    let (stop, stopped) = watch::channel(false);
    let mut work = pin!(carry_out(fleet, request, options, &stopped));
    tokio::select! {
        biased;
        () = interrupts.next() => stop.send_replace(true),
        all_well = &mut work => return Ok(all_well),
    };
    tokio::select! {
        biased;
        () = interrupts.next() => Ok(false),
        all_well = work => Ok(all_well),
    }
}

async fn carry_out(
    fleet: Vec<Member>,
    request: &dyn Request,
    options: &Options,
    stopped: &watch::Receiver<bool>,
) -> bool {
    let printer = Printer::new(
        options.output,
        request.name(),
        fleet.len() == 1,
        io::stdout(),
        io::stderr(),
    );
    let printer = RefCell::new(printer);
    stream::iter(fleet)
        .for_each_concurrent(options.parallel.get(), |member| {
            let printer = &printer;
            let mut stopped = stopped.clone();
            async move {
                let began = Instant::now();
                let listener = |answer: &_| printer.borrow_mut().tell(&member.label, answer);
                let call = Call {
                    member: &member,
                    deadline: began + options.timeout,
                    timeout: options.timeout,
                    listener: &listener,
                };
                let ended = tokio::select! {
                    biased;
                    _ = stopped.wait_for(|stopped| *stopped) => interrupted(request),
                    ended = request.run(&call) => ended,
                };
                printer
                    .borrow_mut()
                    .report(&member.label, &ended, began.elapsed());
                match *stopped.borrow() {
                    // A running command may have long to go.
                    true => drop(timeout(GOODBYE, member.bmc.close()).await),
                    false => member.bmc.close().await,
                }
            }
        })
        .await;
    printer.into_inner().all_well()
}

fn interrupted(request: &dyn Request) -> Ended {
    Ended {
        report: Report {
            operation: request.name(),
            attempts: vec![],
        },
        result: request.interrupted(),
    }
}
