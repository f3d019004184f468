//! All tests that use houserule from outside.

mod chance;
mod cli;
mod entries;
mod laws;
mod messages;
mod nouns;
mod support;
mod suspend;
mod transcripts;
mod twin;
