//! Chance as a pure function. A draw depends on the game's seed, the stream's name and a counter, never on what was drawn
//! elsewhere, so that a changed rule leaves all other cards, dice and random choices as they were.
//!
//! The mixing step is the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
//! OOPSLA 2014). Its values are part of our file format: the golden tests below must never change.

/// Spreads the bits of `x`; a bijection.
#[inline]
pub const fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Joins two hashes; order matters.
#[inline]
pub const fn join(a: u64, b: u64) -> u64 {
    mix(a.rotate_left(23) ^ mix(b))
}

/// The hash of a text, the same on every machine (FNV-1a, then mixed).
pub const fn hash_text(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut h = 0xCBF2_9CE4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        h ^= bytes[i] as u64;
        h = h.wrapping_mul(0x0000_0100_0000_01B3);
        i += 1;
    }
    mix(h)
}

/// The `counter`-th value of the stream named by `stream` in the game with this seed.
#[inline]
pub const fn draw(seed: u64, stream: u64, counter: u64) -> u64 {
    join(join(seed, stream), counter)
}

/// A whole number from 0 up to but not including `n`, by multiply and shift; 0 when `n` is 0.
#[inline]
pub const fn below(value: u64, n: u32) -> u32 {
    (((value >> 32) * n as u64) >> 32) as u32
}

/// The seed of game `i` of a run.
pub const fn seed_of_game(run_seed: u64, game: u64) -> u64 {
    join(run_seed, game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_values_never_change() {
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(42), 13_679_457_532_755_275_413);
        let text = hash_text("wolf");
        let drawn = draw(1, text, 0);
        assert_eq!((text, drawn), GOLDEN);
        assert_eq!(below(u64::MAX, 6), 5);
        assert_eq!(below(0, 6), 0);
        assert_eq!(below(drawn, 0), 0);
    }

    const GOLDEN: (u64, u64) = (2_133_682_180_799_482_771, 17_829_273_286_406_978_512);

    #[test]
    fn streams_do_not_touch_each_other() {
        let (wolf, wall) = (hash_text("wolf"), hash_text("wall"));
        assert_ne!(draw(7, wolf, 0), draw(7, wall, 0));
        assert_ne!(draw(7, wolf, 0), draw(7, wolf, 1));
        assert_ne!(draw(7, wolf, 0), draw(8, wolf, 0));
    }
}
