use super::*;

fn bits(readers: &Readers, row: usize) -> [Vec<u64>; 2] {
    [false, true].map(|any_seat| (0..readers.words).map(|word| readers.get(word, row, any_seat)).collect())
}

#[test]
fn a_row_knows_who_has_read_it_of_its_own_seat_and_of_any() {
    let readers = Readers::new(4, 2, 70);
    let value = Noting::of(&readers, ValueId(65), 1);
    readers.note(value, 3, false);
    assert_eq!(bits(&readers, 3), [vec![0, 0b10], vec![0, 0]]);
    readers.note(value, 2, true);
    assert_eq!(bits(&readers, 2), [vec![0, 0], vec![0, 0b10]]);
    assert!(readers.is_read(2) && readers.is_read(3) && !readers.is_read(1));
}

#[test]
fn what_reads_a_value_reads_what_the_value_has_read_before_and_reads_later() {
    let readers = Readers::new(4, 0, 3);
    let [inner, outer, outermost] = [0, 1, 2].map(|value| Noting::of(&readers, ValueId(value), 0));
    let row = |value: usize| readers.values + value;
    readers.note(inner, 0, false);
    readers.note(outer, row(0), false);
    assert_eq!(bits(&readers, 0), [vec![0b11], vec![0]]);
    readers.note(inner, 1, false);
    assert_eq!(bits(&readers, 1), [vec![0b11], vec![0]], "what is read later counts as well");
    readers.note(outermost, row(1), true);
    assert_eq!(bits(&readers, 0), [vec![0b11], vec![0b100]], "another seat's value reads that seat's cells");
    readers.note(inner, 2, false);
    assert_eq!(bits(&readers, 2), [vec![0b11], vec![0b100]]);
    readers.note(inner, 3, true);
    assert_eq!(bits(&readers, 3), [vec![0], vec![0b111]]);
}
