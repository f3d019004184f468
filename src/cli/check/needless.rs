//! Warnings about what stands in files and has no effect: names that nothing uses, declarations of packs, files that nobody reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::subject::GameWithPacks;
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::disk::OnDisk;
use crate::lang::{GameText, Setup, compile, unused_name};
use crate::pack::{Manifest, Pack};
use crate::source::{FileId, Sources, Span};

/// Compiles the game with each of its variants. Returns their errors, and warnings about names that nothing uses in any of them; for packs, about those
/// of the packs alone, and those that only what the packs replace has used.
pub(super) fn check_variants(subject: &GameWithPacks, text: &GameText, sources: &mut Sources) -> Vec<Diagnostic> {
    let (root, mut diagnostics) = (subject.root.as_deref(), Vec::new());
    let mut needless = text.unused_definitions();
    let is_base = |pack: &&Pack| text.content.packs.iter().any(|other| other.manifest.extends.as_ref() == Some(&pack.manifest.name));
    let below = text.content.packs.iter().filter(is_base).flat_map(|pack| &pack.rules).chain(&text.content.rules);
    // The texts are loaded again, so that their names are compared.
    let below: Vec<String> = below.map(|file| sources.name(*file).to_string()).collect();
    for (variant, _) in &text.variants {
        let mut found = Vec::new();
        let with = [variant.clone()];
        if let Some(text) = compile::load(sources, root, &subject.game, &subject.packs, &with, &mut found) {
            let _ = compile::compile_without_codegen(&text, &Setup::default(), &mut found);
            // A name used by any variant counts as used.
            let still = text.unused_definitions();
            needless.retain(|wrong| still.iter().any(|other| other.is_same_problem(wrong)));
        }
        // Warnings occur without the variant, too. If a pack contradicts a variant of the game or of another pack, this is reported
        // when the variant is chosen together with the pack.
        let is_below = |span: Span| below.iter().any(|name| name == sources.name(span.file));
        let contradicts = |wrong: &Diagnostic| !subject.packs.is_empty() && wrong.code == "R202" && wrong.span.is_some_and(is_below);
        diagnostics.extend(found.into_iter().filter(|found| found.severity == Severity::Error && !contradicts(found)));
    }
    // Unused names of the game are reported for the game alone.
    let of_packs = |wrong: &Diagnostic| {
        let mut files = text.content.packs.iter().flat_map(|pack| &pack.rules);
        subject.packs.is_empty() || wrong.span.is_some_and(|span| files.any(|&file| file == span.file))
    };
    let (own, others): (Vec<_>, Vec<_>) = needless.into_iter().partition(of_packs);
    diagnostics.extend(own);
    if !others.is_empty()
        && let Some(alone) = compile::load(sources, root, &subject.game, &[], &[], &mut Vec::new())
    {
        let before = alone.unused_definitions();
        let new = others.into_iter().filter(|wrong| !before.iter().any(|known| known.is_same_problem(wrong)));
        diagnostics.extend(new.filter_map(|wrong| no_longer_used(wrong, text, sources)));
    }
    diagnostics
}

/// Converts the warning about an unused name to one about the pack that has replaced the only user of the name; `None` if the pack declares
/// that it replaces the name.
fn no_longer_used(wrong: Diagnostic, text: &GameText, sources: &Sources) -> Option<Diagnostic> {
    let name = unused_name(&wrong)?.to_string();
    let has_name = |span: Span| {
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        sources.slice(span).split(|letter| !word(letter)).any(|part| part == name)
    };
    let by =
        text.tree.written.iter().find(|written| written.replaced && written.old.is_some_and(has_name) && !has_name(written.new_place()));
    let (game, packs) = (&text.content.game, &text.content.packs);
    let pack = by.and_then(|by| packs.iter().find(|pack| pack.manifest.name == by.overlay));
    let meant = |pack: &Pack| {
        let address = by.map(|by| format!("{game}.{}", by.address));
        pack.manifest.over.iter().any(|over| over == game || Some(over) == address.as_ref())
    };
    if pack.is_some_and(meant) || pack.is_none() && packs.iter().any(meant) {
        return None;
    }
    let Some((by, pack)) = by.zip(pack) else {
        return Some(Diagnostic { message: format!("with packs, {}", wrong.message), ..wrong });
    };
    let message = format!("with pack `{}`, {}", by.overlay, wrong.message);
    let found = Diagnostic::warning("R020", by.new_place(), message).label(format!("what `{}` was has read it", by.address));
    let found = found.also_at(by.old.map(|old| (old, "this is replaced")));
    let found = found.also_at(wrong.span.map(|span| (span, format!("`{name}` is declared here"))));
    Some(found.help(format!(
        "use `{name}` here, too, or, if it is to have no effect, say that this is meant: `over = [\"{game}.{}\"]` in `pack.toml` of `{}`",
        by.address, pack.manifest.name
    )))
}

/// Returns a warning for each declaration of a pack that has no effect.
pub(super) fn ineffective_declarations(pack: &Pack, text: &GameText, sources: &Sources) -> Vec<Diagnostic> {
    let Manifest { name, file, .. } = &pack.manifest;
    let mut found = Vec::new();
    let blank = |file: &FileId| sources.text(*file).lines().map(str::trim).all(|line| line.is_empty() || line.starts_with("//"));
    let cards = &pack.cards;
    let nothing = cards.cards.is_empty() && cards.kinds.is_empty() && cards.patches.is_empty() && cards.removes.is_empty();
    if nothing && !cards.broken && pack.rules.iter().all(blank) {
        let place = pack.manifest.place("name", name).unwrap_or(Span { file: *file, start: 0, end: 0 });
        let wrong = Diagnostic::warning("C038", place, format!("pack `{name}` changes nothing")).label("it has neither rules nor cards");
        found.push(wrong.help("rules stand in `rules/NAME.rules`, cards in `cards/NAME.toml`"));
    }
    let packs = text.content.packs.iter().map(|pack| pack.manifest.name.as_str());
    let variants = text.variants.iter().map(|variant| variant.0.as_str());
    let known: Vec<&str> = packs.chain(variants).chain([text.content.game.as_str()]).collect();
    let over = pack.manifest.over.iter().map(|other| ("over", other));
    for (key, other) in over.chain(pack.manifest.excludes.iter().map(|other| ("excludes", other))) {
        let beside = || pack.folder.with_file_name(other).join("pack.toml").is_plain_file();
        let of_game = key == "over" && other.strip_prefix(&text.content.game).is_some_and(|rest| rest.starts_with('.'));
        if !known.contains(&other.as_str()) && !of_game && !beside() {
            let place = pack.manifest.place(key, other);
            let wrong = Diagnostic::warning("C039", place, format!("there is no pack `{other}` here")).label("in vain");
            found.push(match nearest(other, known.iter().copied().filter(|known| known != name)) {
                None => wrong.help("put its folder beside this one, give it by `--pack`, or leave it out"),
                meant => wrong.meant(meant),
            });
        }
    }
    found
}

/// Returns a warning for each file in a folder that was not loaded, although its name is similar to that of a loaded file.
pub(super) fn unread(dir: &Path, sources: &mut Sources) -> Vec<Diagnostic> {
    let is_pack = dir.join("pack.toml").is_plain_file();
    let read: BTreeSet<PathBuf> = sources.all().map(|(name, _)| Sources::real_path(Path::new(name))).collect();
    let folders = if is_pack { vec![dir.to_path_buf()] } else { vec![dir.join("rules"), dir.join("cards")] };
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|folder| Sources::all_files(folder)) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let meant = ["rules", "toml"].into_iter().find(|known| extension == *known).or_else(|| nearest(extension, ["rules", "toml"]));
        let names = path.iter().any(|part| part == "names");
        let of_another =
            path.ancestors().skip(1).take_while(|folder| *folder != dir).any(|folder| folder.join("pack.toml").is_plain_file());
        let Some(meant) = meant.filter(|_| !of_another && !names && !read.contains(&Sources::real_path(&path))) else { continue };
        let place = sources.read_file(&path).ok().map(|file| Span { file, start: 0, end: 0 });
        let wrong = Diagnostic::warning("C040", place, format!("nobody reads `{}`", path.display())).label("not read");
        let help = match (is_pack, meant) {
            _ if extension != meant => format!("its name ends in `.{extension}`: write `.{meant}`"),
            (true, "rules") => "rules of a pack lie below its `rules/`".to_string(),
            (true, _) => "cards of a pack lie below its `cards/`, its scenarios below `tests/`".to_string(),
            (false, _) => "cards of a game lie below `cards/GAME/`; if the folder is a pack, it needs a `pack.toml`".to_string(),
        };
        found.push(wrong.help(help));
    }
    found
}
