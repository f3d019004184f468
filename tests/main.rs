//! All tests that use houserule from outside.

mod chance;
mod laws;
mod nouns;
mod shapes;
mod support;
mod suspend;
