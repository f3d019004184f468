//! Calls `fuzz_cards`, which is in `examples/fuzz`.
#![cfg_attr(feature = "libfuzzer", no_main)]

libfuzzer_sys::fuzz_target!(|data: &[u8]| houserule_fuzz::targets::fuzz_cards(data));

/// Without libFuzzer, whose own `main` is in C++, this is compiled and never run.
#[cfg(not(feature = "libfuzzer"))]
fn main() {}
