//! The command-line arguments and their help texts.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

mod lab;
mod parse;
mod set_up;
mod shared;
mod table;
mod tune;
mod write;

pub use lab::{CompareArgs, DEFAULT_GAMES, DEFAULT_LESSONS, DEFAULT_TERMS, MergeArgs, PlaytestArgs, TournamentArgs, TrainArgs};
pub use set_up::{CompletionsArgs, ManArgs, ServeArgs};
pub use shared::{OutputArgs, RunArgs, SetupArgs};
pub use table::{PlayArgs, ReplayArgs, WhyArgs};
pub use tune::TuneArgs;
pub use write::{
    CheckArgs, Describe, DiagramArgs, FmtArgs, FmtLanguage, ListArgs, MutateArgs, NewArgs, PrintArgs, SchemaArgs, ShowArgs, TestArgs,
    WordsArgs,
};

/// Board-game rules as data: a game is a folder of text, and this program plays it, tests it and measures it.
///
/// Rules stand in rules/*.rules, cards in cards/GAME/**/*.toml. The games inside the program are overridden, file by
/// file, by those in the current folder or in --root DIR.
#[derive(Debug, Parser)]
#[command(
    name = "houserule",
    version,
    long_version = concat!(
        env!("CARGO_PKG_VERSION"),
        "\nexpressions: walked at first, then as machine code (WebAssembly, compiled by wasmtime with Cranelift);",
        "\n  HOUSERULE_BACKEND=walker walks alone, HOUSERULE_BACKEND=native compiles ahead of the first game"
    ),
    max_term_width = 100,
    after_long_help = "\
A first round:
  houserule list                                   which games, variants and cards there are
  houserule playtest GAME -n 1000                  a thousand games, summed up
  houserule playtest GAME --with 'change X by +1'  the same with a changed rule
  houserule words                                  what can be written in rules and cards
  houserule list GAME cards --lang fr              what cards are called in French
  houserule check && houserule test                is everything in order?

Environment: HOUSERULE_BACKEND=walker evaluates all expressions by the walker that says what they mean, =native all by machine code from the
first game on. Unset, the first games are walked while code is compiled. Results are the same; who doubts one can compare.

Exit status: 0 all is well, 1 something was found, 2 the command was used wrongly, 130 or 143 it was stopped by Ctrl-C or SIGTERM and has
reported or kept what is done, 129 its terminal was closed."
)]
pub struct Args {
    /// Folder with rules/ and cards/ that overrides the games inside the program [default: the current folder, if it
    /// has rules/ and is no pack]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Language of the names of cards, kinds and words, such as fr; ids and keys stay as they are [default: as on the cards]
    #[arg(long, global = true, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// The command to be run, with its arguments.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands of the program, each with its arguments.
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
    /// A card: its figures, what it does, and where its file is; or the picture of a board
    #[command(after_long_help = "\
Examples:
  houserule show CARD             by its id
  houserule show GAME CARD        the one of this game
  houserule show \"Card's Name\"    by its printed name, or its name in the language of --lang
  houserule show CARD --pack DIR  as a pack changes it
  houserule show CARD --json -    for a program (docs/cards.md)
  houserule show GAME BOARD       a board after set-up, as a picture of signs
  houserule show GAME BOARD --replay FILE --svg board.svg
                                  at the end of a game that was kept, as a graphic
  houserule show GAME BOARD --json -
                                  what lies on each space, for a program")]
    Show(ShowArgs),
    /// Cards and boards on paper, as sheets in a PDF file; or a page with a card each
    #[command(after_long_help = "\
What is on a card comes from its TOML: name, kind, figures, text. Where it stands on the card, and how large cards and sheets are, is a layout, \
which is text, too: a default for every kind of every game, over which print/GAME.toml, the print.toml of packs and --layout lay theirs, key by key \
(docs/paper.md). What does not fit even with the smallest letters is told, with the card and the box. The same game gives the same bytes.

Examples:
  houserule print GAME --out cards.pdf                      all cards, each as often as the game has it, and the boards
  houserule print GAME --cards KIND,CARD,BOARD --out a.pdf  some of them
  houserule print GAME --cards 'kind is KIND and age == 2' --once --out a.pdf
                                                            those of which this holds, each once
  houserule print GAME --pack mypack --lang fr --out a.pdf  with a pack, in French
  houserule print GAME --json printed.json --out a.pdf      keeps what was printed …
  houserule print GAME --since printed.json --out b.pdf     … so that later only what has changed is printed
  houserule print GAME --pack mypack --since oldpack --out b.pdf
                                                            what has changed since an older folder of the pack
  houserule print GAME --layout mine.toml --out a.pdf       in a format of your own
  houserule print GAME --show-layout                        the layout that this begins with
  houserule print GAME --gallery cards.html                 a page: figures, text, script, tests
  houserule print GAME --gallery cards.html --from run.json also with what `playtest GAME --cards --json run.json` has found")]
    Print(PrintArgs),
    /// Pictures of the rules: the course of a round, who hears which moment, and where resources come from and go
    #[command(after_long_help = "\
Examples:
  houserule diagram GAME --phases course.svg   phases with their steps and actions
  houserule diagram GAME --moments heard.svg   what raises each moment, and which cards hear it
  houserule diagram GAME --flows flows.svg     what brings and takes resources: means of a hundred games
  houserule diagram GAME --flows flows.svg -n 1000 --agents search:50 --with 'change X by +1'
                                               more games of better players, with a changed rule
  houserule diagram GAME --phases course.mmd   as text for Mermaid, which many pages draw by themselves")]
    Diagram(DiagramArgs),
    /// What can be written in rules, cards and scripts, from the checker's own tables
    #[command(after_long_help = "\
Examples:
  houserule words               everything, one line each
  houserule words gain          one word, with an example
  houserule words \"face up\"     a word of your own: what is written for it, and where to read of it
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
    /// Writes files of rules and cards in one way: indentation, blanks, columns
    #[command(after_long_help = "\
Words, comments and line breaks stay as they are; what lies between them is settled. A block on one line stays on it as long as it fits into \
140 columns. What was written in one column with its like on the lines around it, such as `=` or a comment, stays in one column. Formatting \
twice is formatting once, and never changes what rules and cards say. A file with errors is not touched, and its errors are shown.
Of a folder with rules/, cards/ or pack.toml these are formatted, and the packs below its packs/; of any other folder all .rules and .toml in it.

Examples:
  houserule fmt                      the pack that the current folder is, or all games and packs in it
  houserule fmt GAME                 the rules and cards of one game
  houserule fmt mypack               a pack of your own
  houserule fmt a.rules b.toml       two files
  houserule fmt --check              shows what would change, writes nothing; exit status 1 if anything would
  houserule fmt - < a.rules          from the standard input to the standard output
  houserule fmt - --as toml < b.toml the same of a file of cards")]
    Fmt(FmtArgs),
    /// Runs scenarios and the tests on cards
    #[command(after_long_help = "\
Without a file all scenarios right in tests/ and below tests/scenarios/ and all card tests are run, and those of the packs below packs/. What the
scenarios of a game say holds with each of its packs, too: they are run once more with each below packs/, and with those of --pack, but for
the ones that say `without` (docs/scenarios.md).
Of a pack its tests/ and its cards are tested, of a folder all scenarios in it, each with the game or pack around it.

Examples:
  houserule test                         everything
  houserule test tests/scenarios/a.toml  one file
  houserule test GAME                    one game
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
Without a word of `--seat` a person sits at the first seat and greedy at the others. A game can be left and saved at any time; with --save each \
answer is kept at once, and at a terminal every game is, so that one can go on when the window was closed. A save is a \
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
  houserule playtest GAME --game 17 --replay a.replay    game number 17 as a replay, to be looked at
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
them, so that far fewer games show a difference than if they had nothing in common. Who plays moves on by a seat from pair to pair. Of many measures about 5% of those \
shown to differ are false (Benjamini-Hochberg). With --until the run ends as soon as the interval is narrow enough, and \
the intervals are wider, because they hold whenever one looks.

Examples:
  houserule compare GAME --with 'change X by +1'         a rule changed on the command line
  houserule compare GAME --with VARIANT --until 0.3      until the points are known to 0.3 on either side
  houserule compare GAME --against mypack                a pack of your own
  houserule compare GAME --since olddir                  your files, against those of an older copy of the folder
  houserule compare GAME --since inside                  your files, against the game inside the program
  houserule compare GAME --pack mypack --with VARIANT    a variant, with a pack on both sides
  houserule compare GAME --set level=king                another option
  houserule compare GAME --deal CARD@p1 --all            a card in play in every game; all measures
  houserule compare GAME --seat 'exec:python3 my.py' --with VARIANT  played by a program of yours (docs/agents.md)
  houserule compare GAME --with VARIANT --adapt          by players who have learnt the rules of their side
  houserule compare GAME --with VARIANT --ladder         by random, greedy and searching players: is it robust?
  houserule compare GAME --with VARIANT --ladder --report a.html  the same as a page
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
  houserule tournament GAME --agents greedy,'exec:python3 my.py'   a program of yours (docs/agents.md)
  houserule tournament GAME --report page.html                     a page with charts, to show at the table")]
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
    /// Opens a folder in the browser: the workbench and the table, over your own files
    #[command(after_long_help = "\
The page is the same that can be had without a program: files, an editor with what `houserule lsp` says, tests that run as one types, \
comparisons, games at the table. Here the files are those of the folder: what you write on the page is written there, and what you change in \
another editor is on the page at once. The program inside the page plays; this one hands out the page and the files, to this machine alone.

Examples:
  houserule serve                 the folder in which you are
  houserule serve mypack          another one
  houserule serve --port 8000     always at the same address")]
    Serve(ServeArgs),
    /// A JSON Schema of a game's card, pack or scenario files, for editors that know TOML
    #[command(after_long_help = "\
The schema is made from the loaded game: its kinds, fields, moments, quantities, actions and ids, and the keys with what they mean.

Examples:
  houserule schema GAME > cards.json                      of card files
  houserule schema GAME --for pack > pack.json            of pack.toml
  houserule schema GAME --for scenario > scenarios.json   of scenario files
  houserule schema GAME --pack mypack > cards.json        with what a pack declares")]
    Schema(SchemaArgs),
    /// Completion of commands, options, games, cards and variants in a shell
    #[command(after_long_help = "\
What it prints is loaded by the shell, and asks this program whenever the key is pressed: games, cards, kinds, variants, options and packs of \
your own are among the candidates, those of --root and --pack of the line that is being typed, too.

Examples:
  source <(houserule completions bash)                            in ~/.bashrc
  source <(houserule completions zsh)                             in ~/.zshrc, behind compinit
  houserule completions fish | source                             in ~/.config/fish/config.fish
  houserule completions powershell | Out-String | Invoke-Expression    in $PROFILE")]
    Completions(CompletionsArgs),
    /// Manual pages, from the same texts as --help
    #[command(after_long_help = "\
Examples:
  houserule man | man -l -                      the page of the program
  houserule man playtest | man -l -             the page of a command
  houserule man --out ~/.local/share/man/man1   the pages of all commands, where `man houserule-playtest` finds them")]
    Man(ManArgs),
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
    /// Brings numbers of the rules towards targets: even seats, so many points, so many rounds
    #[command(after_long_help = "\
Settings are tried over the same games, cards and dice; a model of what each number does says which to try next (docs/tune.md). Those that come \
nearest are played once more in fresh games, since what looks best among many was also lucky, and the report tells by how much each \
target is missed. The best is shown as text, and written with --write. Ctrl-C ends the run and reports what is known. The exit status is 1 if a \
target is out of reach.

Examples:
  houserule tune GAME --vary 'ADDRESS in 0..6' --target 'seat shares = even'       a handicap
  houserule tune GAME --vary 'X in 1..9' --vary 'Y by -2..2' --target 'points = 40' two numbers, the second as a difference
  houserule tune GAME --vary 'OPTION in WORD,WORD' --target 'rounds = 6..8'        an option
  houserule tune GAME --vary 'CARD.KEY in 1..5' --target 'card shares = even'      a figure of a card
  houserule tune GAME --vary 'KEY where kind is KIND by -1..1' --target 'points = 40 +- 2' --target 'seat shares = even'
                                                                                   figures of many cards, two targets
  houserule tune GAME --vary 'X in 0..6' --target 'points = 40' --write tuned.rules  a file for --with")]
    Tune(TuneArgs),
    /// Where a number comes from, what speaks against an option, which cards speak at a moment
    #[command(after_long_help = "\
The position is one of game 0 of `playtest` with the same players, seed, options and agents, after so many answers (--at), that of a \
scenario behind its `given` and `when` (--from), or one of a game that was kept (--replay). What is asked is an expression of the rules, the key of an option, a \
moment, or a row of the score; without it all is listed that can be asked. Each part has its file and line; parts make the whole.

Examples:
  houserule why GAME --at 40                         what can be asked here
  houserule why GAME STAT --seat p2 --at 40          where the stat of p2 comes from
  houserule why GAME 'p2.STAT - p1.STAT' --at 40     any expression, in which players and cards can be named
  houserule why GAME 'price(CARD)' --at 40           a number that cards may change, of a card
  houserule why GAME 'buy CARD' --at 40              all that an option needs, and what of it is not so
  houserule why GAME MOMENT --at 40                  which cards would speak, in which order; `moment NAME CARD` of a card's moments
  houserule why GAME score --seat p1 --at 40 --deep  every part of the points
  houserule why STAT --from a.toml --scenario NAME   in the position of a scenario
  houserule why STAT --replay a.replay --at 40       in a game that was kept; without --at where it was left")]
    Why(WhyArgs),
}
