//! All tests that use houserule from outside.

mod chance;
mod cli;
mod entries;
mod fuzzed;
mod hostile;
mod laws;
mod messages;
mod nouns;
mod slips;
mod support;
mod suspend;
mod transcripts;
mod twin;
