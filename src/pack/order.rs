//! The load order of packs, and checks that they are compatible.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::load::Pack;
use super::manifest::Manifest;
use super::problem::PackProblem;

/// Adds to `over` of each pack the packs that it extends or requires.
fn extend_over(packs: &mut [Pack]) {
    let bases: Vec<(String, Option<String>)> =
        packs.iter().map(|pack| (pack.manifest.name.clone(), pack.manifest.extends.clone())).collect();
    for Manifest { name, extends, over, .. } in packs.iter_mut().map(|pack| &mut pack.manifest) {
        let mut base = extends.as_ref();
        while let Some((below, next)) = base.and_then(|base| bases.iter().find(|(other, _)| other == base)) {
            if below == name || over.contains(below) {
                break;
            }
            over.push(below.clone());
            base = next.as_ref();
        }
    }
}

/// Sorts packs into load order: by name, but each after the packs that it extends, requires or overrides. The order of `packs` has no
/// influence. Incompatible packs are reported.
pub(super) fn order_packs(game: &str, packs: Vec<Pack>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Pack> {
    let mut waiting: Vec<Pack> = Vec::new();
    for pack in packs {
        let name = &pack.manifest.name;
        let same = waiting.iter().find(|other| other.manifest.name == *name);
        if let Some(other) = same {
            let first = other.manifest.place("name", name);
            diagnostics.push(PackProblem::PackTwice { name: name.clone(), first }.at(pack.manifest.place("name", name)));
        } else if name == game {
            diagnostics.push(PackProblem::CalledLikeGame { game: name.clone() }.at(pack.manifest.place("name", name)));
        } else {
            waiting.push(pack);
        }
    }
    let names: Vec<String> = waiting.iter().map(|pack| pack.manifest.name.clone()).collect();
    for pack in &waiting {
        check_compatibility(game, &pack.manifest, &names, diagnostics);
    }
    waiting.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));
    extend_over(&mut waiting);
    let mut ordered: Vec<Pack> = Vec::new();
    while !waiting.is_empty() {
        let is_ready = |pack: &Pack| {
            let is_waiting = |name: &String| waiting.iter().any(|other| other.manifest.name == *name);
            let own = &pack.manifest;
            !own.extends.iter().chain(&own.requires).chain(&own.over).any(|name| *name != own.name && is_waiting(name))
        };
        let next = waiting.iter().position(is_ready);
        if next.is_none() {
            let circle: Vec<_> = waiting.iter().map(|pack| format!("`{}`", pack.manifest.name)).collect();
            let place: Option<Span> = waiting.first().and_then(|pack| pack.manifest.place("name", &pack.manifest.name));
            diagnostics.push(PackProblem::PacksInACircle { packs: circle.join(" and ") }.at(place));
        }
        ordered.push(waiting.remove(next.unwrap_or(0)));
        if next.is_none() {
            ordered.append(&mut waiting);
        }
    }
    ordered
}

/// Reports packs that are required but missing, or excluded but present.
fn check_compatibility(game: &str, manifest: &Manifest, names: &[String], diagnostics: &mut Vec<Diagnostic>) {
    let name = &manifest.name;
    for (key, named) in
        manifest.extends.iter().map(|base| ("extends", base)).chain(manifest.requires.iter().map(|needed| ("requires", needed)))
    {
        if named == name && named != game {
            let wrong = PackProblem::BuildsOnItself { pack: name.clone(), game: game.to_string() };
            diagnostics.push(wrong.at(manifest.place(key, named)));
        }
    }
    let known = || names.iter().map(String::as_str).filter(|other| other != name);
    if let Some(base) = manifest.extends.as_ref().filter(|base| *base != game && !names.contains(base)) {
        let near = nearest(base, known().chain([game])).map(String::from);
        let wrong = PackProblem::MadeForAnother { pack: name.clone(), base: base.clone(), game: game.to_string(), near };
        diagnostics.push(wrong.at(manifest.place("extends", base)));
    }
    // Invalid names have been reported already.
    let named =
        manifest.requires.iter().filter(|needed| !needed.contains(|letter: char| letter.is_whitespace() || "<>=~^*".contains(letter)));
    for needed in named.filter(|needed| *needed != game && !names.contains(needed)) {
        let near = nearest(needed, known()).map(String::from);
        let wrong = PackProblem::NeedsAnother { pack: name.clone(), needed: needed.clone(), near };
        diagnostics.push(wrong.at(manifest.place("requires", needed)));
    }
    for other in manifest.excludes.iter().filter(|other| names.contains(other)) {
        let wrong = PackProblem::ExcludesAnother { pack: name.clone(), other: other.clone() };
        diagnostics.push(wrong.at(manifest.place("excludes", other)));
    }
}
