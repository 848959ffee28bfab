#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bmc_rpc::fuzzing::rpc_dot_path(data));
