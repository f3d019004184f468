//! Randomness as a pure function. A draw depends on the game's seed, the stream's name and a counter, never on other draws, so that a
//! changed rule leaves all other cards, dice and random choices unchanged.
//!
//! [`Stream`] implements the generator traits of `rand`, for uses that no replay depends on. Draws inside a game use [`Stream::below`]
//! and [`below`], never the distributions of `rand`, whose values may change with a minor version.
//!
//! The mixing step is the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
//! Its values are part of the file format: the golden values in `tests/chance.rs` must never change.

use rand_core::{TryRng, utils::fill_bytes_via_next_word};
use std::convert::Infallible;

/// Spreads the bits of `x`; a bijection.
#[inline]
pub const fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Combines two hashes; the order matters.
#[inline]
pub const fn join(a: u64, b: u64) -> u64 {
    mix(a.rotate_left(23) ^ mix(b))
}

/// Returns the hash of a text, the same on every machine (FNV-1a, then [`mix`]).
pub const fn hash_text(text: &str) -> u64 {
    hash_parts(&[text])
}

/// Returns the hash of the concatenation of several texts.
pub const fn hash_parts(parts: &[&str]) -> u64 {
    let mut hash = TextHash::new();
    let mut part = 0;
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            hash.push(bytes[i]);
            i += 1;
        }
        part += 1;
    }
    hash.finish()
}

/// The hash of a text whose bytes come one after another: the same as [`hash_text`] of the whole.
#[derive(Clone, Copy, Debug)]
pub struct TextHash(u64);

impl TextHash {
    /// Begins with the empty text.
    #[expect(clippy::new_without_default, reason = "a default could not be had in constants")]
    pub const fn new() -> TextHash {
        TextHash(0xCBF2_9CE4_8422_2325)
    }

    /// Adds a byte.
    #[inline]
    pub const fn push(&mut self, byte: u8) {
        self.0 = (self.0 ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3);
    }

    /// Returns the hash of all bytes so far.
    #[inline]
    pub const fn finish(self) -> u64 {
        mix(self.0)
    }
}

/// A stream of random values. Each value is a pure function of the game's seed, the stream's name and a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    key: u64,
    counter: u64,
}

impl Stream {
    /// Creates the stream called `name` (a hash, see [`hash_text`]) in the game with this seed, starting at value number `counter`.
    #[inline]
    pub const fn new(seed: u64, name: u64, counter: u64) -> Stream {
        Stream { key: join(seed, name), counter }
    }

    /// Returns the number of the next value, from 0.
    #[inline]
    pub const fn counter(&self) -> u64 {
        self.counter
    }

    /// Draws the next value.
    #[inline]
    pub const fn draw(&mut self) -> u64 {
        let value = join(self.key, self.counter);
        self.counter += 1;
        value
    }

    /// Draws the next value as an integer in `0..n`.
    #[inline]
    pub const fn below(&mut self, n: u32) -> u32 {
        below(self.draw(), n)
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.draw() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.draw())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill_bytes_via_next_word(bytes, || Ok(self.draw()))
    }
}

/// Returns value number `counter` of the stream `stream` (the hash of its name) in the game with this seed.
#[inline]
pub const fn draw(seed: u64, stream: u64, counter: u64) -> u64 {
    Stream::new(seed, stream, counter).draw()
}

/// Maps a random value to an integer in `0..n` by multiply and shift; 0 if `n` is 0.
#[inline]
pub const fn below(value: u64, n: u32) -> u32 {
    (((value >> 32) * n as u64) >> 32) as u32
}

/// Returns the seed of game number `game` of a run.
pub const fn seed_of_game(run_seed: u64, game: u64) -> u64 {
    join(run_seed, game)
}
