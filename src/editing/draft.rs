//! Drafts: the first texts of a card, a pack, a variant or a game, which their author goes on with. Each is made from what a game
//! declares and from the cards it has, so that no word of a game stands here; what is written to the disk, and where, `cli` says.

mod card;
mod figures;
mod name;
mod print;
mod variant;

pub use card::{CardDraft, draft_card, models};
pub use name::{check_game_name, check_name, name_of};
pub use variant::{VariantDraft, variants};

/// A file that is to be written: its path below some folder, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Below the folder.
    pub path: String,
    /// All of it.
    pub text: String,
}

impl File {
    /// A file of this text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> File {
        File { path: path.into(), text: text.into() }
    }
}

/// The files of a small game that can be played: rules, cards with a test, scenarios.
pub fn draft_game(name: &str) -> Vec<File> {
    let id = name.replace('-', "_");
    let fill = |text: &str| text.replace("{name}", name).replace("{title}", &name_of(&id));
    vec![
        File::new(format!("rules/{name}.rules"), fill(include_str!("draft/game/game.rules"))),
        File::new(format!("cards/{name}/cards.toml"), fill(include_str!("draft/game/cards.toml"))),
        File::new(format!("tests/{name}.toml"), fill(include_str!("draft/game/tests.toml"))),
    ]
}

/// The `pack.toml` of a pack for a game, or for a pack on which it builds.
pub fn draft_manifest(name: &str, extends: &str) -> File {
    let text = format!(
        "# What the pack is. Its cards lie in cards/, changed rules in rules/, scenarios in tests/.\n\
         name     = \"{name}\"\n\
         version  = \"0.1\"\n\
         language = 1                   # of the rules and cards, not of their names\n\
         extends  = \"{extends}\"\n"
    );
    File::new("pack.toml", text)
}
