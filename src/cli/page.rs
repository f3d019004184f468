//! What a page in a browser asks of the program besides commands: the games there are, a language server in pieces, and a table.

mod games;
mod language;
mod table;

pub use games::games;
pub use language::LanguageService;
pub use table::{PageTable, TableStart};
