//! What can be drawn on the spaces of a board: its fields and members, cards that lie on them, and what stands there because a counter of a
//! player, of a card or of the table holds the space.

use std::collections::BTreeSet;

use super::super::values::variable_text;
use super::super::words::{DisplayNames, Figure};
use super::PicturePart;
use super::signs::{SignStyle, Signs};
use crate::agent::{OrderedMap, SeenCard, SeenGame, VariableValue, seat_name};
use crate::cast;
use crate::engine::Ruleset;
use crate::engine::boards::Board;
use crate::engine::ruleset::{Shape, Variable, VariableSort};

/// What a member of a board holds, as far as its picture tells such members apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// One of some words.
    Word,
    /// A player.
    Player,
    /// A number, or a space.
    Number,
    /// Yes or no.
    Flag,
    /// Words that it has or has not.
    Set,
    /// A number for each of some words.
    Tally,
    /// Cards that lie on the space; the words are their kinds.
    Cards,
    /// What stands on the space because one of its counters holds it.
    Standing,
}

/// Something that can be drawn on each space of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// The name in rules.
    pub name: String,
    /// The display name.
    pub title: String,
    /// What it holds.
    pub sort: Sort,
    /// Whether it is a member of the board or a field of its spaces, and nothing that lies or stands there.
    pub is_of_spaces: bool,
    /// The letter in front of its numbers, or for a flag; empty if its numbers stand alone.
    pub letter: String,
    /// The words that it can hold: each in rules, for people, and its sign.
    pub words: Vec<Word>,
    /// The word with which it begins and for which nothing is drawn, for people.
    pub unmarked: Option<String>,
}

/// A word that a member can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub name: String,
    pub title: String,
    pub sign: String,
}

/// Returns what can be drawn on the spaces of a board, in the order in which it is drawn.
pub(super) fn members_of(rules: &Ruleset, words: &DisplayNames, seen: &SeenGame<'_>, board: &Board) -> Vec<Member> {
    let mut members = fields_of(rules, words, board);
    let of_board =
        rules.piece.iter().filter(|variable| variable.kinds >> board.kind & 1 == 1 && !rules.is_internal_variable(&variable.name));
    members.extend(of_board.map(|variable| member_of(rules, words, variable)));
    members.extend(standing(rules, board).map(|variable| {
        let title = words.word_name(&variable.name);
        Member { sort: Sort::Standing, ..blank_member(&variable.name, &title, []) }
    }));
    if let Some(drawn) = &board.drawn {
        let place = |member: &Member| drawn.iter().position(|name| *name == member.name);
        members.retain(|member| place(member).is_some());
        members.sort_by_key(place);
    }
    let lying: BTreeSet<u16> = cards_over(rules, board, seen).map(|(_, card)| rules.definition(card.piece_index).kind).collect();
    if !lying.is_empty() {
        let kinds = lying.iter().map(|kind| rules.names.text(rules.kinds[usize::from(*kind)].name));
        let named = kinds.map(|kind| (kind.to_string(), words.translations().kind(kind).to_string()));
        members.push(Member { sort: Sort::Cards, ..blank_member("cards", &words.phrases().word("cards"), named) });
    }
    give_signs(&mut members);
    members
}

fn blank_member(name: &str, title: &str, words: impl IntoIterator<Item = (String, String)>) -> Member {
    let words = words.into_iter().map(|(name, title)| Word { name, title, sign: String::new() }).collect();
    Member {
        name: name.to_string(),
        title: title.to_string(),
        sort: Sort::Number,
        is_of_spaces: false,
        letter: String::new(),
        words,
        unmarked: None,
    }
}

/// Returns a member for each field that is printed on some space.
fn fields_of(rules: &Ruleset, words: &DisplayNames, board: &Board) -> Vec<Member> {
    let mut fields: Vec<Member> = Vec::new();
    for figure in super::seen_spaces(rules, board).flat_map(|space| words.figures(space)) {
        let at = fields.iter().position(|field| field.name == figure.field).unwrap_or_else(|| {
            let sort = if figure.is_word { Sort::Word } else { Sort::Number };
            fields.push(Member { sort, is_of_spaces: true, ..blank_member(&figure.field, &figure.name, []) });
            fields.len() - 1
        });
        if figure.is_word && fields[at].words.iter().all(|word| word.name != figure.value) {
            fields[at].words.push(Word { name: figure.value.clone(), title: figure.value.clone(), sign: String::new() });
        }
    }
    fields
}

/// Returns the member that a variable of the spaces is.
fn member_of(rules: &Ruleset, words: &DisplayNames, variable: &Variable) -> Member {
    let all: Vec<&str> = variable.words.iter().map(|word| rules.names.text(*word)).collect();
    let sort = match variable.sort {
        VariableSort::Counter if all.is_empty() || holds_space(rules, variable).is_some() => Sort::Number,
        VariableSort::Counter if holds_player(rules, &all) => Sort::Player,
        VariableSort::Counter => Sort::Word,
        VariableSort::Resource => Sort::Number,
        VariableSort::Flag => Sort::Flag,
        VariableSort::Set => Sort::Set,
        VariableSort::Tally => Sort::Tally,
    };
    let of_words = matches!(sort, Sort::Word | Sort::Set | Sort::Tally);
    let named = all.iter().filter(|_| of_words).map(|word| ((*word).to_string(), words.word_name(word)));
    let made = blank_member(&variable.name, &words.word_name(&variable.name), named);
    let unmarked = made.words.first().filter(|_| sort == Sort::Word).map(|word| word.title.clone());
    Member { sort, is_of_spaces: true, unmarked, ..made }
}

/// Whether the words of a counter are nobody and the players.
fn holds_player(rules: &Ruleset, words: &[&str]) -> bool {
    words.len() == rules.players + 1 && words[0] == "nobody" && (0..rules.players).all(|seat| words[seat + 1] == seat_name(seat))
}

/// Returns the index of the board whose spaces a counter holds; `None` if it holds something else.
fn holds_space(rules: &Ruleset, variable: &Variable) -> Option<usize> {
    let is_counter = variable.sort == VariableSort::Counter;
    let first = variable.words.first().filter(|_| is_counter)?;
    // The words of such a counter are `nowhere` and all cards up to the last space of the board.
    let ends = |board: &Board| usize::from(board.first_piece) + board.count() + 1 == variable.words.len();
    rules.boards.iter().position(ends).filter(|_| rules.names.text(*first) == "nowhere")
}

/// Returns the counters of the table, of players and of cards that hold a space of a board.
fn standing<'r>(rules: &'r Ruleset, board: &'r Board) -> impl Iterator<Item = &'r Variable> {
    let of_boards = rules.boards.iter().fold(0_u64, |kinds, board| kinds | 1 << board.kind);
    let on_cards = rules.piece.iter().filter(move |variable| variable.kinds & !of_boards != 0);
    let holds = |variable: &&Variable| holds_space(rules, variable).is_some_and(|held| rules.boards[held].name == board.name);
    let mut known: Vec<&str> = Vec::new();
    let is_new = move |variable: &&'r Variable| {
        let new = !known.contains(&variable.name.as_str());
        known.push(&variable.name);
        new
    };
    let of_seats = rules.seat.iter().chain(&rules.table).filter(|variable| !rules.is_internal_variable(&variable.name));
    of_seats.chain(on_cards).filter(holds).filter(is_new)
}

/// Gives signs to words, and letters to what is not told apart by words: the first list is written in small letters, the second in
/// capitals. The number of the first player of a space stands alone, and else the only number of it.
fn give_signs(members: &mut [Member]) {
    let mut signs = Signs::default();
    let mut styles = [SignStyle::Small, SignStyle::Capital].into_iter().cycle();
    let numbers = members.iter().filter(|member| member.sort == Sort::Number).count();
    let first_player = members.iter().position(|member| member.sort == Sort::Player);
    let alone = first_player.or_else(|| members.iter().position(|member| member.sort == Sort::Number && numbers == 1));
    // Lists come first: they need most signs.
    for member in members.iter_mut().filter(|member| !member.words.is_empty()) {
        // A star tells kinds of cards from what spaces have.
        if member.sort == Sort::Cards {
            let titles: Vec<String> = member.words.iter().map(|word| word.title.clone()).collect();
            let given = Signs::default().give(&titles, SignStyle::Small);
            member.words.iter_mut().zip(given).for_each(|(word, sign)| word.sign = format!("*{sign}"));
            continue;
        }
        let from = usize::from(member.unmarked.is_some());
        let titles: Vec<String> = member.words[from..].iter().map(|word| word.title.clone()).collect();
        let are_numbers = member.words.iter().all(|word| player_number(&word.name).is_some());
        if are_numbers {
            member.words.iter_mut().for_each(|word| word.sign = player_number(&word.name).unwrap_or_default());
        } else {
            let style = styles.next().unwrap_or(SignStyle::Small);
            member.words[from..].iter_mut().zip(signs.give(&titles, style)).for_each(|(word, sign)| word.sign = sign);
        }
    }
    for (at, member) in members.iter_mut().enumerate() {
        let is_numbered = member.words.first().is_some_and(|_| member.words.iter().all(|word| player_number(&word.name).is_some()));
        if Some(at) != alone && (member.words.is_empty() || is_numbered) {
            member.letter = signs.give_one(&member.title);
        }
    }
}

/// Returns the number that a word stands for: itself, or that of a player; `None` if it is another word.
fn player_number(word: &str) -> Option<String> {
    let digits = word.strip_prefix('p').unwrap_or(word);
    (!digits.is_empty() && digits.chars().all(|letter| letter.is_ascii_digit())).then(|| digits.to_string())
}

/// Returns for each space what is drawn on it.
pub(super) fn parts_of(
    rules: &Ruleset,
    words: &DisplayNames,
    seen: &SeenGame<'_>,
    board: &Board,
    members: &[Member],
) -> Vec<Vec<PicturePart>> {
    let mut parts: Vec<Vec<PicturePart>> = vec![Vec::new(); board.count()];
    let find = |members: &[Member], name: &str, is_of_spaces: bool| {
        members.iter().position(|member| member.name == name && member.is_of_spaces == is_of_spaces)
    };
    for (space, id) in super::seen_spaces(rules, board).enumerate() {
        for figure in words.figures(id) {
            let field = find(members, &figure.field, true);
            parts[space].extend(field.map(|field| field_part(field, &members[field], figure)));
        }
    }
    let place = seen.table.places.0.iter().find(|(name, _)| *name == board.name);
    for card in place.iter().flat_map(|(_, place)| &place.cards) {
        let Some(space) = board.space(cast::count(card.piece_index)) else { continue };
        for (name, had) in &card.counters.0 {
            let Some(at) = find(members, name, true) else { continue };
            let text = variable_text(rules, words, name, had);
            parts[space].extend(value_part(at, &members[at], had, text.unwrap_or_default()));
        }
    }
    let of_cards = members.iter().position(|member| member.sort == Sort::Cards);
    for (space, card) in cards_over(rules, board, seen) {
        let Some(at) = of_cards else { continue };
        let kind = rules.names.text(rules.kinds[usize::from(rules.definition(card.piece_index).kind)].name);
        let Some(index) = members[at].words.iter().position(|word| word.name == kind) else { continue };
        let (sign, words) = (members[at].words[index].sign.clone(), words.card_name(card.card).to_string());
        parts[space].push(PicturePart { member: at, sign: sign.clone(), words, entries: vec![(index, sign)], player: None });
    }
    for standing in all_standing(rules, words, seen) {
        let Some(space) = super::seen_spaces(rules, board).position(|space| space == standing.on) else { continue };
        let Some(at) = find(members, standing.counter, false) else { continue };
        let sign = format!("{}{}", members[at].letter, standing.player.map_or_else(String::new, |player| (player + 1).to_string()));
        let words = format!("{} ({})", standing.who, members[at].title);
        parts[space].push(PicturePart { member: at, sign, words, entries: Vec::new(), player: standing.player });
    }
    parts.iter_mut().for_each(|parts| parts.sort_by_key(|part| part.member));
    parts
}

/// Returns what is drawn of a field.
fn field_part(at: usize, member: &Member, figure: &Figure) -> PicturePart {
    let index = member.words.iter().position(|word| word.name == figure.value);
    let sign =
        index.map_or_else(|| format!("{}{}", member.letter, figure.value.replace(' ', "")), |index| member.words[index].sign.clone());
    let entries = index.map(|index| (index, sign.clone())).into_iter().collect();
    PicturePart { member: at, sign, words: figure.to_string(), entries, player: None }
}

/// Returns what is drawn of a value; `None` if it is at its beginning, or if the seat does not see it.
fn value_part(at: usize, member: &Member, had: &VariableValue<'_>, words: String) -> Option<PicturePart> {
    let find = |name: &str| member.words.iter().position(|word| word.name == name);
    let part = |sign: String, entries, player| Some(PicturePart { member: at, sign, words, entries, player });
    match had {
        VariableValue::Hidden | VariableValue::Number(0) | VariableValue::Truth(false) => None,
        VariableValue::Number(number) => part(format!("{}{number}", member.letter), Vec::new(), None),
        VariableValue::Truth(true) => part(member.letter.clone(), Vec::new(), None),
        VariableValue::Words(held) if member.sort == Sort::Set => {
            let entries: Vec<(usize, String)> =
                held.iter().filter_map(|word| find(word)).map(|index| (index, member.words[index].sign.clone())).collect();
            let between = if member.letter.is_empty() { "" } else { "+" };
            let signs = entries.iter().map(|(_, sign)| sign.as_str()).collect::<Vec<_>>().join(between);
            if entries.is_empty() { None } else { part(format!("{}{signs}", member.letter), entries, None) }
        }
        VariableValue::Words(held) => {
            let word = held.first()?;
            match member.sort {
                Sort::Player => {
                    let player = word.strip_prefix('p').and_then(|number| number.parse::<usize>().ok())?;
                    part(format!("{}{player}", member.letter), Vec::new(), player.checked_sub(1))
                }
                Sort::Word => {
                    let index = find(word).filter(|index| *index > 0)?;
                    let sign = member.words[index].sign.clone();
                    part(sign.clone(), vec![(index, sign)], None)
                }
                // A space that a space holds.
                Sort::Number if *word != "nowhere" => {
                    let short = word.split_once('.').map_or(*word, |(_, space)| space);
                    part(format!("{}{short}", member.letter), Vec::new(), None)
                }
                Sort::Number | Sort::Flag | Sort::Set | Sort::Tally | Sort::Cards | Sort::Standing => None,
            }
        }
        VariableValue::Tally(OrderedMap(counts)) => {
            let entries: Vec<(usize, String)> =
                counts.iter().filter_map(|(word, _)| find(word)).map(|index| (index, member.words[index].sign.clone())).collect();
            let (between, colon) = if member.letter.is_empty() { ("", "") } else { ("+", ":") };
            let signs = entries.iter().zip(counts).map(|((_, sign), (_, count))| format!("{sign}{colon}{count}"));
            let signs = signs.collect::<Vec<_>>().join(between);
            if entries.is_empty() { None } else { part(format!("{}{signs}", member.letter), entries, None) }
        }
    }
}

/// Returns the cards that lie on the spaces of a board, each with the index of its space: those in grids of the size of the board.
fn cards_over<'s, 'r>(rules: &'s Ruleset, board: &'s Board, seen: &'s SeenGame<'r>) -> impl Iterator<Item = (usize, &'s SeenCard<'r>)> {
    let shape = rules.places[usize::from(board.place)].shape;
    let is_over = move |name: &str| {
        let over = rules.find_place(name).filter(|&over| super::lies_over_a_board(rules, over));
        !board.named && over.is_some_and(|over| rules.places[over].shape == shape)
    };
    let places = seen.table.places.0.iter().filter(move |(name, _)| is_over(name));
    places.flat_map(|(_, place)| &place.cards).filter_map(move |card| {
        let (at, Shape::Grid { columns, .. }) = (card.grid_space?, shape) else { return None };
        let piece = board.piece_in_slot((at.row - 1) * usize::from(columns) + at.column - 1)?;
        Some((board.space(piece)?, card))
    })
}

/// What stands on a space because one of its counters holds it.
struct Standing<'s> {
    /// The name of the counter.
    counter: &'s str,
    /// The name of the space.
    on: &'s str,
    /// Who or what stands there, for people.
    who: String,
    player: Option<usize>,
}

/// Returns all that stands on spaces of any board, as far as the seat sees it.
fn all_standing<'s>(rules: &'s Ruleset, words: &DisplayNames, seen: &'s SeenGame<'_>) -> Vec<Standing<'s>> {
    let mut found = Vec::new();
    let mut add = |counters: &'s OrderedMap<&str, VariableValue<'_>>, who: String, player: Option<usize>| {
        for (counter, had) in &counters.0 {
            if let VariableValue::Words(held) = had
                && let [on] = held[..]
            {
                found.push(Standing { counter, on, who: who.clone(), player });
            }
        }
    };
    add(&seen.table.variables, words.word_name("table"), None);
    for (seat, of_seat) in seen.seats.iter().enumerate() {
        add(&of_seat.owned.variables, of_seat.seat.clone(), Some(seat));
    }
    let is_space = |card: &SeenCard<'_>| rules.board_of_piece(card.piece_index).is_some();
    let all = std::iter::once(&seen.table).chain(seen.seats.iter().map(|seat| &seat.owned));
    for card in all.flat_map(|owned| &owned.places.0).flat_map(|(_, place)| &place.cards).filter(|card| !is_space(card)) {
        add(&card.counters, words.card_name(card.card).to_string(), None);
    }
    found
}
