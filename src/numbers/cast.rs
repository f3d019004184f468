//! Numbers of one width from those of another, where a bound holds that the types do not show: the only place for `as` between
//! whole numbers that could lose something.
//!
//! What comes from outside goes through `try_from`, and whoever wrote it is told. What is counted or numbered by this program is
//! bounded where it is made (`ruleset::ids`, and the limits of `rules`), and goes through here: a debug build asserts the
//! bound, and a release build never cuts a number so that it becomes another one that means something. It becomes the nearest there
//! is, which no list has a place for, so that looking it up stops the game instead of playing on with something else.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "each function says what bounds its numbers, and asserts it"
)]

/// A whole number of any width.
pub trait Whole: Copy {
    /// The least of this width.
    const MIN: i128;
    /// The greatest of this width.
    const MAX: i128;
    /// As wide as any.
    fn widen(self) -> i128;
    /// From as wide as any; what does not fit is cut.
    fn cut(wide: i128) -> Self;
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl Whole for $number {
            const MIN: i128 = <$number>::MIN as i128;
            const MAX: i128 = <$number>::MAX as i128;

            #[inline(always)]
            fn widen(self) -> i128 {
                self as i128
            }

            #[inline(always)]
            fn cut(wide: i128) -> $number {
                wide as $number
            }
        }
    )*};
}

whole!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// A number that fits, because whatever made it has seen to that; the nearest that does, if something has not.
#[inline(always)]
pub fn fit<To: Whole>(number: impl Whole) -> To {
    let wide = number.widen();
    debug_assert!((To::MIN..=To::MAX).contains(&wide), "{wide} is not from {} to {}", To::MIN, To::MAX);
    To::cut(wide.clamp(To::MIN, To::MAX))
}

/// The nearest number of this width: for sums and the like, where more than that makes no difference.
#[inline]
pub fn nearest<To: Whole>(number: impl Whole) -> To {
    To::cut(number.widen().clamp(To::MIN, To::MAX))
}

/// A position that a cell, a local or a register holds, where it has been seen that it is not -1 for nothing. A negative one becomes
/// one that no list has a place for.
#[inline(always)]
pub fn index(position: impl Whole) -> usize {
    let wide = position.widen();
    debug_assert!(wide >= 0, "{wide} is no position");
    wide as usize
}

/// How many, or which: lengths of lists and positions in them never come to more than `isize::MAX`.
#[inline(always)]
pub fn count(length: usize) -> i64 {
    debug_assert!(i64::try_from(length).is_ok());
    length as i64
}

/// A seat as places and cells name their owner: there are 8 at most.
#[inline(always)]
pub fn seat(number: usize) -> u8 {
    debug_assert!(number < 254, "{number} is no seat");
    number as u8
}

/// 64 bits as two cells: the lower half, then the upper.
#[inline]
pub fn halves(bits: u64) -> [i32; 2] {
    [bits as u32 as i32, (bits >> 32) as u32 as i32]
}

/// 64 bits that lie in two cells.
#[inline(always)]
pub fn joined([low, high]: [i32; 2]) -> u64 {
    low as u32 as u64 | (high as u32 as u64) << 32
}

/// The bits of a set that a cell holds, or of a word that is taken apart.
#[inline(always)]
pub fn bits(cell: i32) -> u32 {
    cell.cast_unsigned()
}

/// The lower bits of a word, as many as the type has: the rest is read elsewhere.
#[inline(always)]
pub fn low<To: Whole>(bits: i64) -> To {
    To::cut(bits.into())
}

/// The whole part of a fraction; the nearest number of this width, and 0 for what is no number.
#[inline]
pub fn whole<To: Whole>(fraction: f64) -> To {
    // From a fraction `as` gives the nearest.
    nearest(fraction as i64)
}

/// A fraction in single precision, in which models of machine players are kept.
#[inline]
pub fn single(fraction: f64) -> f32 {
    fraction as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_what_does_not_is_never_cut() {
        assert_eq!((fit::<u8>(255_usize), fit::<i32>(-7_i64), fit::<u64>(3_i32)), (255, -7, 3));
        assert_eq!((nearest::<u8>(256_i64), nearest::<u16>(-1_i32), nearest::<i32>(u64::MAX)), (255, 0, i32::MAX));
        assert_eq!((index(7_i32), index(0_i64), count(9)), (7, 0, 9));
        for word in [0, 7, u64::MAX, 0x8000_0000_7FFF_FFFF] {
            assert_eq!(joined(halves(word)), word);
        }
        assert_eq!((bits(-1), low::<u16>(0x12_3456), low::<u32>(-1)), (u32::MAX, 0x3456, u32::MAX));
        assert_eq!((whole::<i64>(2.9), whole::<u8>(-3.0), whole::<u32>(f64::NAN), whole::<i32>(1e300)), (2, 0, 0, i32::MAX));
    }
}
