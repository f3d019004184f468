//! Source files as texts with spans, and diagnostics about them.
// Tests may panic, and may write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and an overflow fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_numbers::cast;

pub mod diagnostic;
#[allow(clippy::disallowed_methods, reason = "the only reader of the disk; writes for the command line")]
pub mod disk;
pub mod source;
