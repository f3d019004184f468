#![no_main]
//! See `examples/fuzz/targets.rs`.

#[allow(dead_code, reason = "each target uses its own part")]
#[path = "../../examples/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::values::fuzz_values(data));
