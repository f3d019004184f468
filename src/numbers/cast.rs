//! Lossless conversions between integer types for values whose bound the types do not show. This is the only place that uses `as` between
//! integer types where a value could be truncated.
//!
//! Values from outside go through `try_from`, and errors are reported to the author. Values that this program counts or numbers itself
//! are bounded where they are created (`ruleset::ids`, and the limits of `rules`) and are converted here: a debug build asserts the
//! bound, and a release build saturates instead of wrapping. A saturated index is outside of every list, so that the lookup stops the
//! game instead of continuing with a wrong value.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "each function says what bounds its numbers, and asserts it"
)]

/// An integer type of any width.
pub trait Integer: Copy {
    /// The smallest value of the type.
    const MIN: i128;
    /// The largest value of the type.
    const MAX: i128;
    /// Converts to the widest type; never fails.
    fn widen(self) -> i128;
    /// Converts from the widest type by truncation.
    fn cut(wide: i128) -> Self;
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl Integer for $number {
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

/// Converts a number that is known to fit; a debug build asserts that it does, a release build saturates.
#[inline(always)]
pub fn fit<To: Integer>(number: impl Integer) -> To {
    let wide = number.widen();
    debug_assert!((To::MIN..=To::MAX).contains(&wide), "{wide} is not from {} to {}", To::MIN, To::MAX);
    To::cut(wide.clamp(To::MIN, To::MAX))
}

/// Converts with saturation, for sums and limits where larger values make no difference.
#[inline]
pub fn nearest<To: Integer>(number: impl Integer) -> To {
    To::cut(number.widen().clamp(To::MIN, To::MAX))
}

/// Converts the value of a cell, local or register to an index, where the caller has excluded the marker -1. A negative value becomes an
/// index outside of every list.
#[inline(always)]
pub fn index(position: impl Integer) -> usize {
    let wide = position.widen();
    debug_assert!(wide >= 0, "{wide} is no position");
    wide as usize
}

/// Converts a length or an index to `i64`; lengths never exceed `isize::MAX`.
#[inline(always)]
pub fn count(length: usize) -> i64 {
    debug_assert!(i64::try_from(length).is_ok());
    length as i64
}

/// Converts a seat number to the width used for owners of places and cells; there are at most 12 seats.
#[inline(always)]
pub fn seat(number: usize) -> u8 {
    debug_assert!(number < 254, "{number} is no seat");
    number as u8
}

/// Splits 64 bits into two cells: the lower half first.
#[inline]
pub fn halves(bits: u64) -> [i32; 2] {
    [bits as u32 as i32, (bits >> 32) as u32 as i32]
}

/// Joins two cells to 64 bits; the inverse of [`halves`].
#[inline(always)]
pub fn joined([low, high]: [i32; 2]) -> u64 {
    low as u32 as u64 | (high as u32 as u64) << 32
}

/// Reinterprets a cell as a bit set.
#[inline(always)]
pub fn bits(cell: i32) -> u32 {
    cell.cast_unsigned()
}

/// Returns the lowest bits of a word, as many as the target type has.
#[inline(always)]
pub fn low<To: Integer>(bits: i64) -> To {
    To::cut(bits.into())
}

/// Truncates a fraction to an integer with saturation; NaN becomes 0.
#[inline]
pub fn whole<To: Integer>(fraction: f64) -> To {
    // `as` saturates when it converts from a float.
    nearest(fraction as i64)
}

/// Rounds to single precision, in which trained models are stored.
#[inline]
pub fn single(fraction: f64) -> f32 {
    fraction as f32
}
