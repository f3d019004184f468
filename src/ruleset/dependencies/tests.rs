use super::*;

fn bits(dependencies: &Dependencies, row: usize) -> [Vec<u64>; 2] {
    [false, true].map(|any_seat| (0..dependencies.word_count).map(|word| dependencies.readers(word, row, any_seat)).collect())
}

#[test]
fn a_row_knows_who_has_read_it_of_its_own_seat_and_of_any() {
    let dependencies = Dependencies::new(4, 2, 70);
    let value = Recording::start(&dependencies, ValueId(65), 1);
    dependencies.record(value, 3, false);
    assert_eq!(bits(&dependencies, 3), [vec![0, 0b10], vec![0, 0]]);
    dependencies.record(value, 2, true);
    assert_eq!(bits(&dependencies, 2), [vec![0, 0], vec![0, 0b10]]);
    assert!(dependencies.is_read(2) && dependencies.is_read(3) && !dependencies.is_read(1));
}

#[test]
fn what_reads_a_value_reads_what_the_value_has_read_before_and_reads_later() {
    let dependencies = Dependencies::new(4, 0, 3);
    let [inner, outer, outermost] = [0, 1, 2].map(|value| Recording::start(&dependencies, ValueId(value), 0));
    let row = |value: usize| dependencies.first_value_row + value;
    dependencies.record(inner, 0, false);
    dependencies.record(outer, row(0), false);
    assert_eq!(bits(&dependencies, 0), [vec![0b11], vec![0]]);
    dependencies.record(inner, 1, false);
    assert_eq!(bits(&dependencies, 1), [vec![0b11], vec![0]], "what is read later counts as well");
    dependencies.record(outermost, row(1), true);
    assert_eq!(bits(&dependencies, 0), [vec![0b11], vec![0b100]], "another seat's value reads that seat's cells");
    dependencies.record(inner, 2, false);
    assert_eq!(bits(&dependencies, 2), [vec![0b11], vec![0b100]]);
    dependencies.record(inner, 3, true);
    assert_eq!(bits(&dependencies, 3), [vec![0], vec![0b111]]);
}
