//! `houserule fmt`: what it makes of untidy texts, what it says at the terminal, and the laws that hold for every text.

use crate::fuzzed::targets::formatting::{law_of_formatting, without_places};
use crate::fuzzed::targets::values::Made;
use crate::nouns::files;
use crate::support::{folder, root, run_typed};
use houserule::format::{FormatFault, LINE_WIDTH, Language, format};
use houserule::lang::{self, Setup};
use houserule::source::{FileId, Sources};
use houserule::syntax::grammar::Rule;
use houserule::syntax::tokens::tokenize;
use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::fs;
use std::path::{Path, PathBuf};

fn formatted(language: Language, text: &str) -> String {
    match format(language, FileId(0), text) {
        Ok(formatted) => formatted,
        Err(fault) => panic!("{fault:?}:\n{text}"),
    }
}

/// What comes of a text of rules; that it stays so is looked at, too.
#[track_caller]
fn becomes(language: Language, text: &str, wanted: &str) {
    let (text, wanted) = (text.trim_start_matches('\n'), wanted.trim_start_matches('\n'));
    assert_eq!(
        law_of_formatting(language, text).unwrap().as_deref(),
        Some(wanted),
        "\n--- this comes of it:\n{}",
        formatted(language, text)
    );
}

#[track_caller]
fn rules(text: &str, wanted: &str) {
    becomes(Language::Rules, text, wanted);
}

#[track_caller]
fn toml(text: &str, wanted: &str) {
    becomes(Language::Toml, text, wanted);
}

#[test]
fn blanks_and_indentation_are_settled() {
    rules(
        "


// The game.
game  near   \"Near\"
players 2   to 4
constant  bonus= by  players{2:1,3,4 :2}




\tconstant x =  -1
constant longer =max( limit,-x )+ 2*( limit-1 )   
table{deck pile by age of wolf,wall where card.set in set;counter stars

   // nothing else

}
player { resource wisp,moss
  counter dens; each round{flag passed}
}
effect   storm( n ,m ){gain n   wisp ;lose  (n+1)*2 moss;; seen[ wolf ]=-1;  }
effect tokens_go { move all red:sun from hand to box; take 2 die showing  sun at   random from box to hand }
change bonus by  + 1
// the end
  // really

",
        "
// The game.
game near \"Near\"
players 2 to 4
constant bonus = by players { 2: 1, 3, 4: 2 }

constant x = -1
constant longer = max(limit, -x) + 2 * (limit - 1)
table {
  deck pile by age of wolf, wall where card.set in set; counter stars

  // nothing else
}
player {
  resource wisp, moss
  counter dens; each round { flag passed }
}
effect storm(n, m) { gain n wisp; lose (n + 1) * 2 moss; seen[wolf] = -1 }
effect tokens_go { move all red:sun from hand to box; take 2 die showing sun at random from box to hand }
change bonus by +1
// the end
// really
",
    );
}

#[test]
fn a_broken_block_has_its_braces_at_the_ends_of_lines() {
    rules(
        "
effect none {

}
effect all {  // of them
if wisp>2{lose 1 wisp}
else{gain 1 wisp}
player chooses \"what\"{ \"a\"   if wisp > 0 {gain 1 moss}
\"bcd\" if moss > 0 {gain 1 wisp}
else{ } }
}
effect hugs { player may choose {
\"a\" { gain 1 wisp }
} }
",
        "
effect none { }
effect all {  // of them
  if wisp > 2 { lose 1 wisp }
  else { gain 1 wisp }
  player chooses \"what\" {
    \"a\" if wisp > 0 { gain 1 moss }
    \"bcd\" if moss > 0 { gain 1 wisp }
    else { }
  }
}
effect hugs { player may choose {
  \"a\" { gain 1 wisp }
} }
",
    );
}

#[test]
fn a_line_that_goes_on_stands_further_in_or_below_what_it_was_written_below() {
    rules(
        "
define tall(card) = card.height > 3
and not  card.bites ==0
      or card in my   yard
define  short(card) = card.height < 2
                    and  card in my yard
changeable most(card) = if card is wolf then 1
                   else if  card is wall then 2
else 3
",
        "
define tall(card) = card.height > 3
  and not card.bites == 0
  or card in my yard
define short(card) = card.height < 2
                   and card in my yard
changeable most(card) = if card is wolf then 1
                   else if card is wall then 2
  else 3
",
    );
}

#[test]
fn what_was_written_in_one_column_stays_in_one() {
    rules(
        "
constant bonus     = 5
constant base_architects = 6
constant leaders   = 7
constant other = 8
constant x  = 9

tokens die {
  white     20: food
  blue       8: book
}
moments {
  played      \"one\"
  reached_top \"two\"
  put     \"three\"
  beat    \"four\"
}
effect take {
  player chooses {
    \"spare\"      if spare > 0                           { spare -= 1;   idle += 1 }
    \"stability\"  if stability_track > 0 and spare == 0  { stability_track -= 1; idle += 1 }
  }
}
",
        "
constant bonus   = 5
constant base_architects = 6
constant leaders = 7
constant other = 8
constant x = 9

tokens die {
  white 20: food
  blue   8: book
}
moments {
  played      \"one\"
  reached_top \"two\"
  put  \"three\"
  beat \"four\"
}
effect take {
  player chooses {
    \"spare\"     if spare > 0                          { spare -= 1; idle += 1 }
    \"stability\" if stability_track > 0 and spare == 0 { stability_track -= 1; idle += 1 }
  }
}
",
    );
}

#[test]
fn comments_keep_their_column_and_those_below_each_other_stay_so() {
    rules(
        "
constant a = 1            // one
constant b =     2        // two,
                          // and more of it
constant c = 3           // three
constant d = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10  // long
effect x { // of them
      // alone
  gain 1 wisp // a
  // at the end
}

constant e    =   1 // e
constant f=1+2+3+4+5// f
constant g = 1       // g
constant h=10+20+300 // h
",
        "
constant a = 1            // one
constant b = 2            // two,
                          // and more of it
constant c = 3            // three
constant d = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10  // long
effect x { // of them
  // alone
  gain 1 wisp // a
  // at the end
}

constant e = 1                  // e
constant f = 1 + 2 + 3 + 4 + 5  // f
constant g = 1                  // g
constant h = 10 + 20 + 300      // h
",
    );
}

#[test]
fn files_of_cards_are_formatted_and_texts_in_them_stay() {
    toml(
        "

# Cards.
  [defaults]
kind=\"wolf\"


[[ card ]]
  id = \"wolf\"
name   ='Wolf'   # a beast
text= \"grey # wolf\"# and more
on . howl={do=\"gain(me,1)\",if = \"yes\" }
list=[1,2 , 3,]
costs = [ { a=1 },
{ a=2 } # two
  ]
note = \"\"\"
  as it is   
 # no comment
\"\"\"    # behind
empty={ }
[card.more]
x   = -2
short   = 1
longer  = 2
",
        "
# Cards.
[defaults]
kind = \"wolf\"

[[card]]
id = \"wolf\"
name = 'Wolf'    # a beast
text = \"grey # wolf\"  # and more
on.howl = { do = \"gain(me,1)\", if = \"yes\" }
list = [1, 2, 3,]
costs = [
  { a = 1 },
  { a = 2 }  # two
]
note = \"\"\"
  as it is   
 # no comment
\"\"\"    # behind
empty = {}
[card.more]
x = -2
short  = 1
longer = 2
",
    );
}

#[test]
fn a_block_on_one_line_stays_on_it_as_long_as_it_fits() {
    let short = "effect storm { all players { if wisp > 2 { lose 1 wisp } else { gain 1 wisp } } }\n";
    rules(short, short);
    let statement = "lose 1 wisp; ".repeat(7);
    let line = format!("effect storm {{ all players {{ {statement}gain 1 moss }} }}");
    assert!(line.len() > LINE_WIDTH - 20 && line.len() <= LINE_WIDTH, "{}", line.len());
    rules(&format!("{line}\n"), &format!("{line}\n"));
    let line = format!("effect storm {{ all players {{ {statement}lose 2 moss; gain 1 moss }} }}");
    assert!(line.len() > LINE_WIDTH);
    rules(&line, &format!("effect storm {{\n  all players {{ {statement}lose 2 moss; gain 1 moss }}\n}}\n"));
    // A comment stands behind what is left on its line, and not where the long one ended.
    let wanted = format!("effect storm {{\n  all players {{ {statement}lose 2 moss; gain 1 moss }}\n}}  // end of work\n");
    rules(&format!("{line} // end of work\n"), &wanted);
    rules(&wanted, &wanted);
}

#[test]
fn line_breaks_stay_what_they_are() {
    assert_eq!(
        formatted(Language::Rules, "effect a {gain 1 wisp\r\nlose 1 moss}"),
        "effect a {\r\n  gain 1 wisp\r\n  lose 1 moss\r\n}\r\n"
    );
    assert_eq!(formatted(Language::Toml, "a=1\r\nb=\"\"\"x\r\ny\"\"\"\r\n"), "a = 1\r\nb = \"\"\"x\r\ny\"\"\"\r\n");
    for language in [Language::Rules, Language::Toml] {
        assert_eq!(formatted(language, "\n \n"), "");
        assert_eq!(formatted(language, ""), "");
    }
}

#[test]
fn a_text_with_errors_is_refused_with_them() {
    for (language, text) in [(Language::Rules, "effect a { gain\n"), (Language::Rules, "constant a = (1\n"), (Language::Toml, "a = [1\n")] {
        match format(language, FileId(0), text) {
            Err(FormatFault::Unreadable(found)) => assert!(!found.is_empty()),
            other => panic!("{other:?}"),
        }
    }
}

// ---------------------------------------------------------------------- laws

/// All files of a language in folders of the repository whose files are right.
fn shipped(ending: &str) -> Vec<PathBuf> {
    let folders = ["rules", "cards", "packs", "examples", "grammar", "tests/games", "tests/engine", "tests/secrets", "tests/scenarios"];
    let all = folders.iter().flat_map(|folder| files(&root().join(folder)));
    all.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn rules_and_cards_of_the_shipped_games_are_written_in_the_one_way() {
    let all = shipped("rules").into_iter().chain(shipped("toml")).filter(|path| !path.iter().any(|part| part == "tests"));
    let all: Vec<PathBuf> = all.filter(|path| path.iter().any(|part| part == "rules" || part == "cards")).collect();
    assert!(all.len() > 100, "{}", all.len());
    for path in all {
        let text = read(&path);
        let changed = houserule::format::draw_changes(&text, &formatted(Language::of_path(&path).unwrap(), &text));
        assert!(changed.is_empty(), "`houserule fmt` would change {}:\n{changed}", path.display());
    }
}

#[test]
fn the_law_holds_for_all_shipped_files_and_for_the_same_with_other_blanks() {
    let mut seen = 0;
    for path in shipped("rules") {
        let text = read(&path);
        let of_file = |text: &str| law_of_formatting(Language::Rules, text).unwrap_or_else(|broken| panic!("{}: {broken}", path.display()));
        let other = rules_with_other_blanks(&text, true, &mut SmallRng::seed_from_u64(seen));
        assert!(of_file(&text).is_some() && of_file(&other).is_some(), "{}", path.display());
        seen += 1;
    }
    for path in shipped("toml") {
        let text = read(&path);
        for text in [toml_with_other_blanks(&text, &mut SmallRng::seed_from_u64(seen)), text] {
            let found = law_of_formatting(Language::Toml, &text).unwrap_or_else(|broken| panic!("{}: {broken}", path.display()));
            assert!(found.is_some(), "{}", path.display());
        }
        seen += 1;
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn a_game_with_other_blanks_and_formatted_compiles_to_the_same_ruleset() {
    let ruleset = |change: &dyn Fn(&Path, String) -> String, game: &str| {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        for path in shipped("rules").into_iter().chain(shipped("toml")) {
            sources.replace_text(path.display().to_string(), change(&path, read(&path)));
        }
        let text = lang::load(&mut sources, Some(root()), game, &[], &[], &mut diagnostics).expect("the game loads");
        let rules = lang::compile(&text, &Setup { players: 3, ..Setup::default() }, &mut diagnostics).expect("the game compiles");
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let graph = format!("{:?}", rules.graph.all().collect::<Vec<_>>());
        let done = format!("{:?} {:?} {:?} {:?}", rules.ops, rules.questions, rules.choices, rules.turns);
        let values = format!("{:?} {:?} {:?} {:?} {:?}", rules.sets, rules.quantities, rules.score, rules.worths, rules.ranks);
        let cards = format!("{:?} {:?} {:?} {:?}", rules.layout, rules.definitions, rules.printed, rules.scripts);
        [graph, done, values, cards].map(|part| without_places(&part))
    };
    for game in ["nations", "nations-dice", "near"] {
        let as_it_is = ruleset(&|_, text| text, game);
        let other = ruleset(
            &|path, text| {
                let mut random = SmallRng::seed_from_u64(text.len() as u64);
                match Language::of_path(path).unwrap() {
                    Language::Rules => formatted(Language::Rules, &rules_with_other_blanks(&text, true, &mut random)),
                    Language::Toml => formatted(Language::Toml, &toml_with_other_blanks(&text, &mut random)),
                }
            },
            game,
        );
        // The texts are long.
        assert!(as_it_is == other, "{game}");
        assert!(as_it_is.iter().all(|part| part.len() > 1000));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_law_holds_for_made_up_rules_and_cards(seed in any::<u64>()) {
        let made = Made::new(seed);
        let [rules, cards] = made.texts();
        let mut random = SmallRng::seed_from_u64(seed);
        for text in [rules, &rules_with_other_blanks(rules, true, &mut random)] {
            prop_assert!(law_of_formatting(Language::Rules, text).map_err(TestCaseError::fail)?.is_some());
        }
        for text in [cards, &toml_with_other_blanks(cards, &mut random)] {
            prop_assert!(law_of_formatting(Language::Toml, text).map_err(TestCaseError::fail)?.is_some());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blanks_that_align_nothing_make_no_difference(seed in any::<u64>(), which in 0_usize..1000) {
        let all = shipped("rules");
        let made = Made::new(seed);
        let shipped = read(&all[which % all.len()]);
        let mut random = SmallRng::seed_from_u64(seed);
        for text in [&shipped, made.texts()[0]] {
            let [one, other] = [(); 2].map(|()| formatted(Language::Rules, &rules_with_other_blanks(text, false, &mut random)));
            prop_assert_eq!(one, other);
        }
    }
}

/// Words of a line stand in columns that are so far apart. No run of blanks becomes so long that the scanner makes one blank of it.
const COLUMNS: usize = 192;

/// How much further to the right they begin than in columns of the left edge: words of lines that are near each other neither begin nor end
/// in one column, nor does a bracket or a word tight behind it.
fn shift(line: usize) -> usize {
    line % 24 * 8
}

/// The text with other blanks between its words: nowhere do words of two lines begin in one column by chance. Comments behind words may be
/// left out, since they stand in columns of their own.
fn rules_with_other_blanks(text: &str, has_comments: bool, random: &mut SmallRng) -> String {
    let found = tokenize(FileId(0), text).unwrap();
    let (text, mut written) = (found.text.as_str(), String::new());
    let (mut end, mut line, mut column) = (0, 0, 0);
    for (number, token) in found.tokens.iter().enumerate() {
        let gap = &text[end..token.place.start];
        if number == 0 || gap.contains('\n') {
            between_lines(gap, number > 0 && !has_comments, random, &mut written);
            line += 1;
            column = random.random_range(0..4) * COLUMNS + shift(line);
            written.push_str(&" ".repeat(column));
        } else {
            let separator = if gap.contains(';') { ";" } else { "" };
            written.push_str(separator);
            column += separator.len();
            let is_behind_dot = number > 0 && found.tokens[number - 1].rule == Rule::DOT;
            let is_tight = (is_behind_dot || matches!(token.rule, Rule::LEFT | Rule::LEFT_SQUARE | Rule::DOT)) && gap.is_empty();
            if !is_tight {
                let wanted = (column + 2).next_multiple_of(COLUMNS) + shift(line);
                written.push_str(&" ".repeat(wanted - column));
                column = wanted;
            }
        }
        let word = &text[token.place.clone()];
        written.push_str(word);
        column += word.chars().count();
        end = token.place.end;
    }
    between_lines(&text[end..], !has_comments, random, &mut written);
    written
}

/// What lies between two lines of words, with other blanks, and with other numbers of empty lines where there are any.
fn between_lines(gap: &str, lacks_first: bool, random: &mut SmallRng, written: &mut String) {
    let lines: Vec<&str> = gap.split('\n').collect();
    for (number, part) in lines.iter().enumerate() {
        if part.split("//").next().unwrap_or("").contains(';') {
            written.push(';');
        }
        if let Some((_, comment)) = part.split_once("//").filter(|_| number > 0 || !lacks_first) {
            written.push_str(&" ".repeat(random.random_range(0..9)));
            written.push_str("//");
            written.push_str(comment);
        }
        if number + 1 < lines.len() {
            written.push_str(["", " ", "\t"][random.random_range(0..3)]);
            written.push('\n');
            let is_empty = number > 0 && part.trim().is_empty();
            if is_empty {
                written.push_str(&"\n".repeat(random.random_range(0..3)));
            }
        }
    }
}

/// A TOML text with other blanks at the edges of its lines, around the first `=` of each, and with other numbers of empty lines.
fn toml_with_other_blanks(text: &str, random: &mut SmallRng) -> String {
    let (mut written, mut in_text) = (String::new(), false);
    for line in text.lines() {
        let quotes = line.matches("\"\"\"").count() + line.matches("'''").count();
        let was_in_text = in_text;
        in_text ^= quotes % 2 == 1;
        if was_in_text {
            written.push_str(line);
        } else {
            let mut blanks = |least: usize| " ".repeat(random.random_range(least..4));
            written.push_str(&blanks(0));
            match line.split_once(" = ") {
                Some((key, value)) if !line.trim_start().starts_with('#') => {
                    written.push_str(key.trim_end());
                    written.push_str(&blanks(0));
                    written.push('=');
                    written.push_str(&blanks(0));
                    written.push_str(value.trim_start());
                }
                Some(_) | None => written.push_str(line),
            }
            if !in_text {
                written.push_str(&blanks(0));
                if line.trim().is_empty() {
                    written.push('\n');
                }
            }
        }
        written.push('\n');
    }
    written
}

// ---------------------------------------------------------------------- at the terminal

#[test]
fn files_are_written_and_named() {
    let folder = folder(&[
        ("rules/moor.rules", "game moor\nplayers 2\nconstant  a=1\n"),
        ("cards/moor/all.toml", "# none\n"),
        ("packs/bog/pack.toml", "name=\"bog\"\n"),
        ("packs/bog/rules/bog.rules", "// nothing\n"),
        ("tests/a.toml", "game=\"moor\"\n"),
        ("other/a.rules", "constant  a=1\n"),
    ]);
    let ran = folder.run("fmt --check");
    assert_eq!((ran.status, ran.err.as_str()), (1, ""));
    let shown = "packs/bog/pack.toml\n    1 - name=\"bog\"\n      + name = \"bog\"\n\n\
                 rules/moor.rules\n    2   players 2\n    3 - constant  a=1\n      + constant a = 1\n\n4 files: 2 would be formatted\n";
    assert_eq!(ran.out, shown);
    assert_eq!(folder.read("rules/moor.rules"), "game moor\nplayers 2\nconstant  a=1\n");
    let ran = folder.run("fmt");
    assert_eq!((ran.status, ran.out.as_str()), (0, "packs/bog/pack.toml\nrules/moor.rules\n4 files: 2 formatted\n"));
    assert_eq!(folder.read("rules/moor.rules"), "game moor\nplayers 2\nconstant a = 1\n");
    assert_eq!(folder.read("packs/bog/pack.toml"), "name = \"bog\"\n");
    assert_eq!((folder.run("fmt").out.as_str(), folder.run("fmt --check").status), ("4 files: 0 formatted\n", 0));
    // A game, a pack, a folder, a file.
    assert_eq!(folder.run("fmt moor").out, "2 files: 0 formatted\n");
    assert_eq!(folder.run("fmt packs/bog").out, "2 files: 0 formatted\n");
    assert_eq!(folder.run("fmt tests other/a.rules").out, "other/a.rules\ntests/a.toml\n2 files: 2 formatted\n");
    assert_eq!(folder.read("tests/a.toml"), "game = \"moor\"\n");
}

#[test]
fn a_file_with_errors_is_not_touched_and_its_errors_are_shown() {
    let wrong = "constant  a=1\neffect b { gain\n}\n";
    let folder = folder(&[("a.rules", wrong), ("b.toml", "a=[1\n"), ("c.rules", "constant  c=1\n")]);
    let ran = folder.run("fmt a.rules b.toml c.rules");
    assert_eq!((ran.status, ran.out.as_str()), (1, "c.rules\n3 files: 1 formatted, 2 with errors, left as written\n"));
    assert!(ran.err.contains("a.rules:2") && ran.err.contains("b.toml:1"), "{}", ran.err);
    assert_eq!((folder.read("a.rules").as_str(), folder.read("c.rules").as_str()), (wrong, "constant c = 1\n"));
}

#[test]
fn what_cannot_be_formatted_is_told_with_a_way_out() {
    let folder = folder(&[("a.txt", "x"), ("empty/none", "")]);
    let told = |line: &str, words: &str| {
        let ran = folder.run(line);
        assert!(ran.status == 2 && ran.err.contains(words) && ran.out.is_empty(), "{line}: {} {}{}", ran.status, ran.out, ran.err);
    };
    told("fmt", "neither rules/ nor pack.toml");
    told("fmt a.txt", "only .rules and .toml");
    told("fmt empty", "no .rules and no .toml file");
    told("fmt nations", "lie inside the program");
    told("fmt nation", "did you mean `nations`");
    told("fmt a.rules --as toml", "together with `-`");
    told("fmt - a.rules", "stands alone");
    told("fmt nations --lang fr", "no `--lang`");
    let ran = folder.run("fmt not_there.rules");
    assert!(ran.status == 1 && ran.err.contains("it is not there"), "{}{}", ran.out, ran.err);
}

#[test]
fn the_standard_input_goes_to_the_standard_output() {
    let run = |line: &str, text: &str| {
        let ran = run_typed(root(), line, text);
        (ran.status, ran.out, ran.err.is_empty())
    };
    assert_eq!(run("fmt -", "constant  a=1"), (0, "constant a = 1\n".to_string(), true));
    assert_eq!(run("fmt - --as toml", "a=1"), (0, "a = 1\n".to_string(), true));
    assert_eq!(run("fmt - --check", "constant a = 1\n"), (0, String::new(), true));
    assert_eq!(run("fmt - --check", "constant  a = 1\n"), (1, "    1 - constant  a = 1\n      + constant a = 1\n".to_string(), true));
    assert_eq!(run("fmt -", "constant a =\n"), (1, String::new(), false));
}
