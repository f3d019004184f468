//! Game state as plain values: one flat array of integer cells, and its layout.
// Tests may panic, and may write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and an overflow fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub mod chance;
pub mod layout;
pub mod terms;
