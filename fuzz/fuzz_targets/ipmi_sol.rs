#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bmc_ipmi::fuzzing::ipmi_sol(data));
