//! Integers of another width: what fits stays, and what does not is never cut.

use houserule::cast::{bits, count, fit, halves, index, joined, low, nearest, whole};

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
