//! What the targets of cargo-fuzz call.

#[path = "../../examples/fuzz/targets.rs"]
pub mod targets;
