#![no_main]
//! See `examples/fuzz/targets.rs`.

#[path = "../../examples/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::fuzz_scenarios(data));
