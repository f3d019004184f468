use std::path::Path;
use std::sync::Arc;

use super::super::{DisplayNames, SvgUse, board_picture, board_svg};
use crate::agent::{SeatAgents, describe_view, parse_agents};
use crate::engine::Game;
use crate::lang::{Setup, compile, load};
use crate::pack::Translations;
use crate::script::ScriptHost;
use crate::source::Sources;

#[test]
fn look() {
    let spec = std::env::var("LOOK").unwrap();
    let mut spec = spec.split(',');
    let (root, name, players, answers, out) = (
        spec.next().unwrap(),
        spec.next().unwrap(),
        spec.next().unwrap().parse().unwrap(),
        spec.next().unwrap().parse::<usize>().unwrap(),
        spec.next().unwrap(),
    );
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = load(&mut sources, Some(Path::new(root)), name, &[], &[], &mut diagnostics);
    println!("{}", crate::diagnostic::render::render(&sources, &diagnostics, false));
    let text = text.unwrap();
    let rules = Arc::new(compile(&text, &Setup { players, ..Setup::default() }, &mut diagnostics).unwrap());
    let mut host = ScriptHost::new(&rules).unwrap();
    let mut game = Game::new(&rules, 1);
    let mut agents = SeatAgents::new(&parse_agents("random", players).unwrap());
    let mut n = 0;
    while n < answers && game.on(&rules).advance(&mut host).unwrap().is_some() {
        let option = agents.choose(&rules, &game, &mut host).unwrap();
        game.on(&rules).answer(&mut host, option).unwrap();
        n += 1;
    }
    let words = DisplayNames::new(&text, Translations::default());
    let view = game.view_of(&rules, 0);
    let seen = describe_view(&rules, &view);
    for board in &rules.boards {
        let picture = board_picture(&rules, &words, &seen, board);
        for line in super::board_lines(&picture, 80) {
            println!("{}", line.text);
        }
        std::fs::write(format!("{out}/{}.svg", board.name), board_svg(&picture, SvgUse::File)).unwrap();
    }
}
