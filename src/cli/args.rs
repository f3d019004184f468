//! What can be typed, with the help that teaches it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};

use super::compare::LADDER;
use super::format::Form;
use super::train::{GAMES, LESSONS, TERMS};
use crate::playtest::Part;

/// Board-game rules as data: a game is a folder of text, and this program plays it, tests it and measures it.
///
/// Rules stand in rules/*.rules, cards in cards/GAME/**/*.toml. The games inside the program are overridden, file by
/// file, by those in the current folder or in --root DIR.
#[derive(Debug, Parser)]
#[command(
    name = "houserule",
    version,
    max_term_width = 100,
    after_long_help = "\
A first round:
  houserule list                                   which games, variants and cards there are
  houserule playtest GAME -n 1000                  a thousand games, summed up
  houserule playtest GAME --with 'change X by +1'  the same with a changed rule
  houserule words                                  what can be written in rules and cards
  houserule list GAME cards --lang fr              what cards are called in French
  houserule check && houserule test                is everything in order?

Exit status: 0 all is well, 1 something was found, 2 the command was used wrongly, 130 or 143 it was stopped by Ctrl-C or SIGTERM and has
reported what is done."
)]
pub struct Args {
    /// Folder with rules/ and cards/ that overrides the games inside the program [default: the current folder, if it
    /// has both]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Language of the names of cards, kinds and words, such as fr; ids and keys stay as they are [default: as on the cards]
    #[arg(long, global = true, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Games, packs, variants and cards
    #[command(after_long_help = "\
Examples:
  houserule list                     all games, with their cards counted by kind and age
  houserule list GAME                one game
  houserule list GAME cards          the ids of its cards
  houserule list GAME --pack mypack  with a pack of your own")]
    List(ListArgs),
    /// A card: its figures, what it does, and where its file is
    #[command(after_long_help = "\
Examples:
  houserule show CARD             by its id
  houserule show \"Card's Name\"    by its printed name, or its name in the language of --lang
  houserule show CARD --pack DIR  as a pack changes it")]
    Show(ShowArgs),
    /// What can be written in rules, cards and scripts, from the checker's own tables
    #[command(after_long_help = "\
Examples:
  houserule words               everything, one line each
  houserule words gain          one word, with an example
  houserule words --game GAME   with what the rules of one game declare")]
    Words(WordsArgs),
    /// Writes a start of a card, a pack, a variant or a game, which passes `check` and has a test
    #[command(after_long_help = "\
A card is made after a simple one of its kind: with its figures, what it does and its tests, and with comments that say which figures others \
have. It goes into the pack or the game of the folder that --in names, or of the current one; a pack that is not there yet is made. No file is \
ever written over. In place of `card --kind KIND` the kind alone can be said.

Examples:
  houserule new pack mypack                                a pack with a first card and its test
  houserule new card lamplighter --kind KIND --in mypack   a card of this kind
  houserule new KIND lamplighter --in mypack               the same
  houserule new variant longer --game GAME                 a changed rule, and a scenario that shows it
  houserule new game mygame                                a small game that can be played, to be changed line by line")]
    New(NewArgs),
    /// Reads everything and reports every fault, with file, line and column
    #[command(after_long_help = "\
Without a folder all games are checked: parsed, compiled for each number of players, their scripts read, \
every script run once, and some games played by chance. A folder is a pack (with pack.toml) or holds \
rules/ and cards/. Packs that a pack extends or requires are found beside it.

Examples:
  houserule check             all games
  houserule check mypack      a pack of your own
  houserule check a --pack b  two packs together
  houserule check mypack --watch              again whenever a file is saved
  houserule check --format json               for a program
  houserule check --format sarif=check.sarif  as text, and as SARIF into a file
  houserule check --format github             for a workflow on GitHub (docs/servers.md)")]
    Check(CheckArgs),
    /// Runs scenarios and the tests on cards
    #[command(after_long_help = "\
Without a file all scenarios right in tests/ and below tests/scenarios/ and all card tests are run, and those of the packs below packs/.
Of a pack its tests/ and its cards are tested, of a folder all scenarios in it, each with the game or pack around it.

Examples:
  houserule test                         everything
  houserule test tests/scenarios/a.toml  one file
  houserule test mypack                  a pack of your own
  houserule test --with VARIANT a.toml   with a changed rule
  houserule test mypack --watch          again whenever a file is saved
  houserule test --junit report.xml      for a build server
  houserule test --format github         for a workflow on GitHub (docs/servers.md)")]
    Test(TestArgs),
    /// Changes the rules and cards, one line at a time, and tells which changes no test notices
    #[command(after_long_help = "\
A number grows by one, a resource becomes another, a condition turns round, a line goes: every clause of the rules and
every entry of the cards is changed, one at a time, in memory. What no scenario and no card test notices is listed:
there a test is missing, or the line says nothing. With a pack its own files are changed, and its own tests are asked.

Examples:
  houserule mutate GAME                      everything
  houserule mutate GAME --only CARD          what a card does
  houserule mutate GAME --rules              the rules only
  houserule mutate GAME --pack mypack        a pack of your own
  houserule mutate GAME --sample 200         some of them, drawn by --seed")]
    Mutate(MutateArgs),
    /// Plays a game at the keyboard
    #[command(after_long_help = "\
Without a word of `--seat` a person sits at the first seat and greedy at the others. A game can be left and saved at any time; a save is a \
text with one answer a line, which survives changes of the rules or says where it cannot (docs/play.md).

Examples:
  houserule play GAME                              against greedy
  houserule play GAME --seat human,human,search    two at one keyboard, and a searching player
  houserule play GAME --seed 17 --save game.replay
  houserule play --load game.replay                goes on where it was left
  houserule play GAME --with VARIANT --deal CARD   a changed rule, and a card in play from the start
  houserule play --from 'ties.toml#NAME'           the position of a scenario
  houserule play GAME --plain                      line by line: for a screen reader or a script")]
    Play(PlayArgs),
    /// Shows a game that was kept, answer by answer, or plays it again to see whether it still goes so
    #[command(after_long_help = "\
A replay is written by `play --save FILE` and by `playtest GAME --game N --replay FILE`. When rules have changed since, the answer is told at \
which the game goes another way, and why.

Examples:
  houserule replay game.replay             all answers with what came of them
  houserule replay game.replay --verify    does it still come to the same end?
  houserule replay game.replay --at 40     how the game stood after 40 answers
  houserule replay game.replay --at 40 --scenario a.toml  the same as a scenario for `houserule test`")]
    Replay(ReplayArgs),
    /// Plays many games on all cores and sums them up
    #[command(after_long_help = "\
Examples:
  houserule playtest GAME -n 10000                       ten thousand games
  houserule playtest GAME --agents greedy,random,random  one careful player among careless ones
  houserule playtest GAME --seat 'exec:python3 my.py' --seat greedy  a program of yours against ours (docs/agents.md)
  houserule playtest GAME --with 'change X by +1'        a rule changed on the command line
  houserule playtest GAME --with VARIANT --with my.rules a variant by name, and a file of rules
  houserule playtest GAME --pack mypack --deal CARD@p1   a card of your own, in play in every game
  houserule playtest GAME --option NAME=a,b              an option of the game
  houserule playtest GAME --option NAME@p2=a             an option of one player
  houserule playtest GAME --with VARIANT --series -n 200  games that follow each other
  houserule playtest GAME --agents random --hooks        which scripts of cards never ran
  houserule playtest GAME -n 200 --cards                 what each card does: the same games with it blanked
  houserule playtest GAME -n 2000 --cards=CARD,KIND      the same of one card, and of all of a kind
  houserule playtest GAME -n 500 --cards=CARD --early    the same with the card on top of its deck
  houserule playtest GAME --game 17 --replay a.replay    the 17th game as a replay, to be looked at
  houserule playtest GAME -n 1000 --json -               for a machine
  houserule playtest GAME -n 9000 --save a.run           what is done is kept; the same line goes on with it
  houserule playtest GAME -n 9000 --shard 2/3 --save b.run  the second of three parts, for `houserule merge`
  houserule playtest GAME -n 1000 --report page.html     a page with charts, to show at the table

The same seed gives the same result on every machine and with any number of threads; a changed rule meets \
the same cards and the same choices as long as it is not touched. Ctrl-C and SIGTERM end the run and report the games \
that are done, a second one ends the program at once; with --save the run can go on. A game that meets a fault is dropped and reported with \
seed and question; the exit status is then 1.")]
    Playtest(PlaytestArgs),
    /// Plays the same games with and without a change, and says what differs and how sure that is
    #[command(after_long_help = "\
Each pair of games has the same seed: cards, dice and careless choices are the same as long as the change does not touch \
them, so that far fewer games show a difference than if they had nothing in common. Of many measures about 5% of those \
shown to differ are false (Benjamini-Hochberg). With --until the run ends as soon as the interval is narrow enough, and \
the intervals are wider, because they hold whenever one looks.

Examples:
  houserule compare GAME --with 'change X by +1'         a rule changed on the command line
  houserule compare GAME --with VARIANT --until 0.3      until the points are known to 0.3 on either side
  houserule compare GAME --against mypack                a pack of your own
  houserule compare GAME --pack mypack --with VARIANT    a variant, with a pack on both sides
  houserule compare GAME --set level=king                another option
  houserule compare GAME --deal CARD@p1 --all            a card in play in every game; all measures
  houserule compare GAME --seat 'exec:python3 my.py' --with VARIANT  played by a program of yours (docs/agents.md)
  houserule compare GAME --with VARIANT --adapt          by players who have learnt the rules of their side
  houserule compare GAME --with VARIANT --ladder         by random, greedy and searching players: is it robust?
  houserule compare GAME --with VARIANT --report a.html  a page with charts, to show at the table")]
    Compare(CompareArgs),
    /// Lets every kind of machine player meet every other, and says how strong each of them is
    #[command(after_long_help = "\
Each two kinds share tables, in every seating that gives them as many seats or one more; each deal is played twice, the second \
time with the seats swapped. Elo points say how good each is (docs/statistics.md), with how long a decision took. Ctrl-C ends the run \
and reports the games that are done.

Examples:
  houserule tournament GAME                                        random, greedy and a searching player
  houserule tournament GAME --agents random,greedy,search:500 -n 200
  houserule tournament GAME --with learnt.rules --agents random,greedy,trained
  houserule tournament GAME --agents greedy,'exec:python3 my.py'   a program of yours (docs/agents.md)")]
    Tournament(TournamentArgs),
    /// Puts saved parts of one run together, and reports what the run as a whole would have
    #[command(after_long_help = "\
The parts were played anywhere, in any order, with `playtest` or `compare`, `--shard I/N` and `--save FILE`; the figures are those of the run \
in one piece, to the last digit. Parts of different runs are refused, and the exit status is 1 if parts are missing. The game is read once \
more for the names in the report: run it where the game and its packs are (docs/scale.md).

Examples:
  houserule playtest GAME -n 9000 --shard 1/3 --save one.run    the first of three parts, here
  houserule merge one.run two.run three.run                     all three
  houserule merge *.run --json all.json --report all.html       for a machine, and as a page
  houserule merge *.run --partial                               what is there so far
  houserule merge one.run --partial                             one part that was stopped, or is still played")]
    Merge(MergeArgs),
    /// Helps editors, as a language server on standard input and output
    #[command(after_long_help = "\
An editor starts it for `.rules` and `.toml` files, and shows what is wrong as one types, what a word, a key, a name or a card means, what can \
stand somewhere, where it is declared and used, and changes the id of a card wherever it stands. docs/editors.md says how editors are set up.")]
    Lsp,
    /// A JSON Schema of a game's card, pack or scenario files, for editors that know TOML
    #[command(after_long_help = "\
The schema is made from the loaded game: its kinds, fields, moments, quantities, actions and ids, and the keys with what they mean.

Examples:
  houserule schema GAME > cards.json                      of card files
  houserule schema GAME --for pack > pack.json            of pack.toml
  houserule schema GAME --for scenario > scenarios.json   of scenario files
  houserule schema GAME --pack mypack > cards.json        with what a pack declares")]
    Schema(SchemaArgs),
    /// Lets machine players learn from games against themselves what a state is worth, and writes it as rules
    #[command(after_long_help = "\
For rules that declare no `worth`, or that were changed: players learn a linear model of what answers come to from what the rules \
declare (resources, stats, cards by place, what is printed on them, rounds left); then its weights are moved at random, players with \
moved weights meet, and the weights follow those who do better. The best model is printed as a `style` that can be read; with it in a \
file of rules, `trained` players go by it. The same seed learns the same, with any number of threads.

Examples:
  houserule train GAME                                    learns, and prints what it has learnt
  houserule train GAME --write learnt.rules               writes it to a file of rules
  houserule playtest GAME --with learnt.rules --agents trained,greedy,random
  houserule train GAME --with 'change X by +1'            for a changed rule")]
    Train(TrainArgs),
    /// Where a number comes from, what speaks against an option, which cards speak at a moment
    #[command(after_long_help = "\
The position is one of game 1 of `playtest` with the same players, seed, options and agents, after so many answers (--at), or \
that of a scenario behind its `given` and `when` (--from). What is asked is an expression of the rules, the key of an option, a \
moment, or a row of the score; without it all is listed that can be asked. Each part has its file and line; parts make the whole.

Examples:
  houserule why GAME --at 40                         what can be asked here
  houserule why GAME STAT --seat p2 --at 40          where the stat of p2 comes from
  houserule why GAME 'p2.STAT - p1.STAT' --at 40     any expression, in which players and cards can be named
  houserule why GAME 'price(CARD)' --at 40           a number that cards may change, of a card
  houserule why GAME 'buy CARD' --at 40              all that an option needs, and what of it is not so
  houserule why GAME MOMENT --at 40                  which cards would speak, in which order; `moment NAME CARD` of a card's moments
  houserule why GAME score --seat p1 --at 40 --deep  every part of the points
  houserule why STAT --from a.toml --scenario NAME   in the position of a scenario")]
    Why(WhyArgs),
}

/// `why`
#[derive(Debug, clap::Args)]
pub struct WhyArgs {
    /// The game, and what is asked; with --from the game may be left out
    #[arg(value_name = "GAME WHAT")]
    pub words: Vec<String>,
    /// The player spoken of [default: who is asked now]
    #[arg(long, value_name = "pN")]
    pub seat: Option<String>,
    /// After so many answers; the questions of the game are counted from set-up on
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "from")]
    pub at: u64,
    /// The position of a scenario of this file, behind its `given` and `when`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "agents", "option", "deal"])]
    pub from: Option<PathBuf>,
    /// Which scenario of the file, if it has several
    #[arg(long, value_name = "NAME", requires = "from")]
    pub scenario: Option<String>,
    /// Shows parts however deep, also those that add nothing
    #[arg(long)]
    pub deep: bool,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Seed of the run, as of `playtest`
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Who plays up to there, as for `playtest`; one for all, or one for each seat
    #[arg(long, value_name = "AGENT", default_value = "greedy")]
    pub agents: Vec<String>,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Puts a card into play, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]")]
    pub deal: Vec<String>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// Writes it as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// `list`
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// A game
    pub game: Option<String>,
    /// `cards` for the ids of its cards
    #[arg(value_parser = ["cards"])]
    pub what: Option<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Writes it as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// `show`
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The card's id or name
    pub card: String,
    /// Only in this game
    #[arg(long)]
    pub game: Option<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
}

/// `words`
#[derive(Debug, clap::Args)]
pub struct WordsArgs {
    /// A word, several that stand together, or a part of an address
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// Only with what this game declares
    #[arg(long)]
    pub game: Option<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Writes it as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// `new`
#[derive(Debug, clap::Args)]
pub struct NewArgs {
    /// `card`, `pack`, `variant`, `game`, or a kind of card
    #[arg(value_name = "card|pack|variant|game|KIND")]
    pub what: String,
    /// What it is called: lower-case words joined by `_`
    pub name: String,
    /// The kind of the card, or of the first card of a pack
    #[arg(long)]
    pub kind: Option<String>,
    /// The game, where several could be meant
    #[arg(long)]
    pub game: Option<String>,
    /// The pack or the folder of a game into which it goes, or the folder in which a pack, a game or a variant is made [default: the
    /// current one]
    #[arg(long = "in", value_name = "DIR")]
    pub within: Option<PathBuf>,
}

/// `check`
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Folders: packs, or with rules/ and cards/ in them
    pub dirs: Vec<PathBuf>,
    /// Adds a pack to each of them; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// What is written, and where: text, json, sarif or github, with =FILE into a file; may be given several times
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = Form::parse)]
    pub format: Vec<Form>,
    /// The same as --format json=FILE, or json for -
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Goes on, and answers anew whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["format", "json"])]
    pub watch: bool,
}

/// `test`
#[derive(Debug, clap::Args)]
pub struct TestArgs {
    /// Scenario files, packs, or folders with scenarios and games in them
    pub files: Vec<PathBuf>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// A changed rule for all tests: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// What is written, and where: text, json, sarif or github, with =FILE into a file; may be given several times
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = Form::parse)]
    pub format: Vec<Form>,
    /// Writes a JUnit report
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Goes on, and answers anew whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["format", "junit"])]
    pub watch: bool,
}

/// `mutate`
#[derive(Debug, clap::Args)]
pub struct MutateArgs {
    /// The game
    pub game: String,
    /// Changes a pack instead of the game; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Only the rules
    #[arg(long, conflicts_with = "cards")]
    pub rules: bool,
    /// Only the cards
    #[arg(long)]
    pub cards: bool,
    /// The figures of cards, too, and not only what they do
    #[arg(long)]
    pub figures: bool,
    /// Only this card, or lines and files in whose text or path this stands; may be given several times
    #[arg(long, value_name = "WORD")]
    pub only: Vec<String>,
    /// So many of them, drawn at random
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Another seed draws others
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A file that lists changes that change nothing, with reasons; they are left out
    #[arg(long, value_name = "FILE")]
    pub equal: Option<PathBuf>,
    /// Shows each change with what was said of it
    #[arg(long)]
    pub all: bool,
    /// How many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// `play`
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// The game
    #[arg(required_unless_present_any = ["load", "from"])]
    pub game: Option<String>,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Who sits where: human, random, greedy, trained, search:500, `exec:COMMAND` and so on, as for playtest; one for each seat, with commas or by
    /// giving it several times; the last one sits on all chairs that are left [default: human,greedy]
    #[arg(long, value_name = "WHO")]
    pub seat: Vec<String>,
    /// The game's seed [default: a fresh one, which is shown]
    #[arg(long, default_value = "random", hide_default_value = true, value_parser = parse_seed)]
    pub seed: u64,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Puts a card into play, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]")]
    pub deal: Vec<String>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// Begins with the position of a scenario
    #[arg(long, value_name = "FILE[#NAME]", conflicts_with_all = ["game", "players", "seed", "deal", "option"])]
    pub from: Option<String>,
    /// Keeps the game in a file when it is left, and when it is over
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Goes on with a game that was saved
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "seed", "with", "pack", "deal", "option", "from"])]
    pub load: Option<PathBuf>,
    /// Whom `hint` asks: greedy, search:200 and so on
    #[arg(long, value_name = "AGENT", default_value = "greedy")]
    pub hint: String,
    /// Line by line, also in a terminal: for screen readers and scripts
    #[arg(long)]
    pub plain: bool,
}

/// `replay`
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// The replay, or a save
    pub file: PathBuf,
    /// Only plays it again, and says whether it comes to the same end
    #[arg(long, conflicts_with_all = ["at", "eyes", "scenario"])]
    pub verify: bool,
    /// How the game stands after so many answers
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
    /// Shows what one seat knows [default: all that was said, and the table as whoever is asked sees it]
    #[arg(long, value_name = "pN")]
    pub eyes: Option<String>,
    /// Writes the position as a scenario to a file: after the last answer, or where --at says
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Line by line, also in a terminal
    #[arg(long)]
    pub plain: bool,
}

/// `playtest`
#[derive(Debug, clap::Args)]
pub struct PlaytestArgs {
    /// The game
    pub game: String,
    /// How many games
    #[arg(short = 'n', long = "games", default_value_t = 1000, value_parser = parse_games)]
    pub games: u64,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Seed of the run; `random` for a fresh one, which the report names
    #[arg(long, default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// Who plays: random, greedy, greedy:K with K imagined states, greedy:STYLE by a style of the rules, trained, search, or `exec:COMMAND` for a
    /// program of yours (docs/agents.md); one for all, or one for each seat, with commas or by giving it several times
    #[arg(long, visible_alias = "seat", value_name = "AGENT", default_value = "greedy")]
    pub agents: Vec<String>,
    /// How many seconds a program of yours may think about a question [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Puts a card into play in every game, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]")]
    pub deal: Vec<String>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// Plays series of games instead, as the rules declare one: who wins begins the next game a step further on; -n is how many series
    #[arg(long, conflicts_with_all = ["csv", "parquet", "hooks", "report", "save", "shard"])]
    pub series: bool,
    /// Plays only one game of the run, of the number that `--csv` gives it (from 0), and writes its replay to --replay
    #[arg(long = "game", value_name = "N", requires = "replay", conflicts_with_all = ["series", "csv", "parquet", "save", "shard", "json", "hooks", "cards", "report"])]
    pub game_number: Option<u64>,
    /// Where the replay of --game goes: a file, or - for the terminal
    #[arg(long, value_name = "FILE", requires = "game_number")]
    pub replay: Option<String>,
    /// Also says which scripts of cards ran in these games, and lists those that never did
    #[arg(long)]
    pub hooks: bool,
    /// Also says what cards do: plays the games in which one came up once more with that card blanked; all cards, or those that are named, or
    /// are of a kind that is (docs/statistics.md)
    #[arg(long, value_name = "CARD|KIND,…", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with_all = ["series", "csv", "parquet", "hooks", "save", "shard"])]
    pub cards: Option<String>,
    /// With --cards: each card lies on top of its deck, as it is and blanked, so that it is offered early in every game
    #[arg(long, requires = "cards")]
    pub early: bool,
    /// Plays one of several parts of the run: 2/5 is the second of five. Games keep their numbers and seeds; with --save, `houserule merge` puts
    /// the parts together (docs/scale.md)
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Part>,
    /// Keeps what is done in a file, every ten seconds and when the run ends or is stopped; if the file is there already, the run goes on with
    /// it
    #[arg(long, visible_alias = "resume", value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// How many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Writes a line for each seat of each game to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub csv: Option<String>,
    /// Writes the same lines to a file as Parquet, for DuckDB, pandas and their like
    #[arg(long, value_name = "FILE")]
    pub parquet: Option<String>,
    /// Writes a page with charts, which a browser shows without a network, to a file, or to - for the terminal
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
}

/// `compare`
#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    /// The game
    pub game: String,
    /// The change: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// The change: a pack, or a .rules file; may be given several times
    #[arg(long, value_name = "PACK")]
    pub against: Vec<PathBuf>,
    /// The change: an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub set: Vec<String>,
    /// The change: a card in play from the start, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]")]
    pub deal: Vec<String>,
    /// Rules of both sides, as `--with`; may be given several times
    #[arg(long, value_name = "RULES")]
    pub both: Vec<String>,
    /// A pack on both sides; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// An option on both sides; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// How many pairs of games at most
    #[arg(short = 'n', long = "games", default_value_t = 1000, value_parser = parse_games)]
    pub games: u64,
    /// Ends as soon as the interval reaches no further than so much to either side
    #[arg(long, value_name = "WIDTH")]
    pub until: Option<f64>,
    /// The measure that --until looks at [default: points]
    #[arg(long, requires = "until")]
    pub measure: Option<String>,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Seed of the run; `random` for a fresh one, which the report names
    #[arg(long, default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// Who plays: random, greedy, greedy:K with K imagined states, greedy:STYLE by a style of the rules, trained, search, or `exec:COMMAND` for a
    /// program of yours (docs/agents.md); one for all, or one for each seat, with commas or by giving it several times; they move on by a
    /// seat from pair to pair
    #[arg(long, visible_alias = "seat", value_name = "AGENT", default_value = "greedy")]
    pub agents: Vec<String>,
    /// How many seconds a program of yours may think about a question [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
    /// Players learn the rules of each side first, as `houserule train` does, and then play as `trained`
    #[arg(long, conflicts_with = "agents")]
    pub adapt: bool,
    /// Compares by players of several strengths, and says what holds for all of them above chance; the agents may be named
    #[arg(long, value_name = "AGENTS", num_args = 0..=1, default_missing_value = LADDER, conflicts_with_all = ["agents", "report", "until", "save", "shard"])]
    pub ladder: Option<String>,
    /// Shows all measures, not only those that differ
    #[arg(long)]
    pub all: bool,
    /// Plays one of several parts of the run: 2/5 is the second of five. Games keep their numbers and seeds; with --save, `houserule merge` puts
    /// the parts together (docs/scale.md)
    #[arg(long, value_name = "I/N", conflicts_with = "until")]
    pub shard: Option<Part>,
    /// Keeps what is done in a file, every ten seconds and when the run ends or is stopped; if the file is there already, the run goes on with
    /// it
    #[arg(long, visible_alias = "resume", value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// How many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Writes a page with charts, which a browser shows without a network, to a file, or to - for the terminal
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
}

/// `tournament`
#[derive(Debug, clap::Args)]
pub struct TournamentArgs {
    /// The game
    pub game: String,
    /// How many games for each two kinds of players; an even number, since each deal is played twice
    #[arg(short = 'n', long = "games", default_value_t = 100, value_parser = parse_even)]
    pub games: u64,
    /// The kinds of players, as `playtest` knows them, with commas or by giving it several times; the strength of the first is 0
    #[arg(long, value_name = "AGENTS", default_value = LADDER)]
    pub agents: Vec<String>,
    /// How many seconds a program of yours may think about a question [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Seed of the run; `random` for a fresh one, which the report names
    #[arg(long, default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Puts a card into play in every game, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]")]
    pub deal: Vec<String>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// How many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// `schema`
#[derive(Debug, clap::Args)]
pub struct SchemaArgs {
    /// The game
    pub game: String,
    /// Which files
    #[arg(long = "for", value_name = "FILES", default_value = "card")]
    pub described: Describe,
    /// Folders of packs whose names are known, too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
}

/// Of which files a schema is made.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Describe {
    /// Files of cards
    Card,
    /// pack.toml
    Pack,
    /// Files of scenarios
    Scenario,
}

/// `merge`
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Files that --save has written
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also sums up if parts are missing or have not been played to their end
    #[arg(long)]
    pub partial: bool,
    /// Of a comparison: shows all measures, not only those that differ
    #[arg(long)]
    pub all: bool,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Writes a page with charts, which a browser shows without a network, to a file, or to - for the terminal
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
}

/// `train`
#[derive(Debug, clap::Args)]
pub struct TrainArgs {
    /// The game
    pub game: String,
    /// Games of each lesson and of each generation
    #[arg(short = 'n', long = "games", default_value_t = GAMES, value_parser = parse_games)]
    pub games: u64,
    /// How often players go by what they have learnt, and learn again
    #[arg(long, default_value_t = LESSONS)]
    pub lessons: usize,
    /// How often, after the lessons, weights are moved a little and players with moved weights meet [default: from 120 to 600, the
    /// fewer the longer a game is]
    #[arg(long)]
    pub generations: Option<usize>,
    /// Terms of what is learnt at most
    #[arg(long, default_value_t = TERMS)]
    pub terms: usize,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Seed of the run; `random` for a fresh one
    #[arg(long, default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// Writes what was learnt to a file of rules
    #[arg(long, value_name = "FILE")]
    pub write: Option<String>,
    /// How many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// How many games: at least one.
fn parse_games(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games| *games > 0);
    games.ok_or_else(|| format!("`{text}` is no number of games: 1 or more"))
}

/// A number of games that are played two by two.
fn parse_even(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games: &u64| *games > 0 && games.is_multiple_of(2));
    games.ok_or_else(|| format!("`{text}` is no even number of games: 2 or more"))
}

/// A time in seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("`{text}` is no number of seconds above 0"))
}

/// A number, or `random` for a fresh one.
fn parse_seed(text: &str) -> Result<u64, String> {
    match text {
        // Small enough to be typed again.
        "random" => Ok(u64::from(rand::random::<u32>())),
        number => number.parse().map_err(|_| format!("`{number}` is neither a number nor `random`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_number_or_a_fresh_one() {
        assert_eq!(parse_seed("18446744073709551615"), Ok(u64::MAX));
        assert!(parse_seed("-1").is_err() && parse_seed("radnom").is_err());
        let fresh: std::collections::BTreeSet<u64> = (0..20).filter_map(|_| parse_seed("random").ok()).collect();
        assert!(fresh.len() > 15);
    }
}
