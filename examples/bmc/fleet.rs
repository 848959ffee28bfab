//! Many BMCs at once, on one thread.

use std::cell::RefCell;
use std::io;

use futures_util::{StreamExt, stream};
use tokio::time::Instant;

use super::args::Options;
use super::command::{Call, Request};
use super::connect::Member;
use super::output::Printer;

/// Runs the request on every member and reports each as it ends. Whether all succeeded and could be reported.
pub async fn run(fleet: Vec<Member>, request: &dyn Request, options: &Options) -> bool {
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
            async move {
                let began = Instant::now();
                let listener = |answer: &_| printer.borrow_mut().tell(&member.label, answer);
                let call = Call {
                    member: &member,
                    deadline: began + options.timeout,
                    timeout: options.timeout,
                    listener: &listener,
                };
                let ended = request.run(&call).await;
                printer
                    .borrow_mut()
                    .report(&member.label, &ended, began.elapsed());
                member.bmc.close().await;
            }
        })
        .await;
    printer.into_inner().all_well()
}
