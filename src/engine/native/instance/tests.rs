use super::*;
use crate::Game;
use crate::env::Env;
use crate::graph::Expr;
use crate::testing::rules;
use houserule_state::layout::head;
use std::sync::Arc;

#[test]
fn copies_one_after_another_leave_the_slot_of_their_game_alone() {
    let cell = head::SIZE;
    let mut read = None;
    let rules = rules(|rules, add| read = Some(add(rules, Expr::Global { cell: cell as u32 })));
    let (read, native) = (read.expect("an expression"), Arc::new(Native::compile_all(&rules).expect("code")));
    let mut game = Game::new(&rules, 1);
    game.use_native(&rules, Some(native.clone()));
    game.put(&rules, cell, 5);
    let value = |game: &mut Game| game.store(&rules).native_value(read, &Env::for_seat(0));
    assert_eq!(value(&mut game), Some(5));
    let copied = game.live.values.kept.mirror().copied;
    let (mut copy, mut below) = (Game::default(), Game::default());
    for number in 0..20 {
        copy.clone_from(&game);
        copy.put(&rules, cell, 10 + number);
        assert_eq!(value(&mut copy), Some(10 + number));
        for further in 0..10 {
            below.clone_from(&copy);
            below.put(&rules, cell, 100 + further);
            assert_eq!(value(&mut below), Some(100 + further));
        }
        assert_eq!(value(&mut copy), Some(10 + number));
    }
    assert_eq!((value(&mut game), game.live.values.kept.mirror().copied.id), (Some(5), copied.id));
    let instance = native.take_instance().expect("this thread has memory");
    assert_eq!(instance.slots.iter().filter(|slot| slot.used > 0).count(), 3, "one for each game");
}
