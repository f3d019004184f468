//! Which pack comes after which, and whether they get on with each other.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::load::Pack;
use super::manifest::Manifest;

/// Lets each pack be over those on which it builds: it knows what they say.
fn build_on(packs: &mut [Pack]) {
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

/// Packs in load order: by their names, but each after those that it extends, requires or is over. The order in which they were named
/// does not matter. What does not get on with the others is reported.
pub(super) fn order_packs(game: &str, packs: Vec<Pack>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Pack> {
    let mut waiting: Vec<Pack> = Vec::new();
    for pack in packs {
        let name = &pack.manifest.name;
        let same = waiting.iter().find(|other| other.manifest.name == *name);
        if let Some(other) = same {
            let fault = Diagnostic::error("C012", pack.manifest.place("name", name), format!("two packs are called `{name}`"));
            let first = other.manifest.place("name", name);
            diagnostics.push(first.into_iter().fold(fault.label("the second"), |fault, span| fault.also(span, "the first")));
        } else if name == game {
            let fault = Diagnostic::error("C012", pack.manifest.place("name", name), format!("a pack is called like the game `{game}`"));
            diagnostics.push(fault.label("give it a name of its own"));
        } else {
            waiting.push(pack);
        }
    }
    let names: Vec<String> = waiting.iter().map(|pack| pack.manifest.name.clone()).collect();
    for pack in &waiting {
        check_company(game, &pack.manifest, &names, diagnostics);
    }
    waiting.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));
    build_on(&mut waiting);
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
            let fault = Diagnostic::error("C012", place, format!("packs {} each ask to come after one another", circle.join(" and ")));
            diagnostics.push(fault.label("see `extends`, `requires` and `over`"));
        }
        ordered.push(waiting.remove(next.unwrap_or(0)));
        if next.is_none() {
            ordered.append(&mut waiting);
        }
    }
    ordered
}

/// Whether what a pack extends and requires is there, and what it excludes is not.
fn check_company(game: &str, manifest: &Manifest, names: &[String], diagnostics: &mut Vec<Diagnostic>) {
    let name = &manifest.name;
    for (key, named) in
        manifest.extends.iter().map(|base| ("extends", base)).chain(manifest.requires.iter().map(|needed| ("requires", needed)))
    {
        if named == name && named != game {
            let fault = Diagnostic::error("C012", manifest.place(key, named), format!("pack `{name}` cannot build on itself"));
            diagnostics.push(fault.label(format!("this is its own name: name the game, `{game}`, or another pack")));
        }
    }
    let known = || names.iter().map(String::as_str).filter(|other| other != name);
    if let Some(base) = manifest.extends.as_ref().filter(|base| *base != game && !names.contains(base)) {
        let message = format!("pack `{name}` is made for `{base}`, which is not loaded");
        let fault = Diagnostic::error("C010", manifest.place("extends", base), message);
        let fault = fault.label(format!("the game is `{game}`"));
        diagnostics.push(fault.meant(nearest(base, known().chain([game]))));
    }
    // What is no name at all has been told.
    let named =
        manifest.requires.iter().filter(|needed| !needed.contains(|letter: char| letter.is_whitespace() || "<>=~^*".contains(letter)));
    for needed in named.filter(|needed| *needed != game && !names.contains(needed)) {
        let message = format!("pack `{name}` needs pack `{needed}`, which is not loaded");
        let fault = Diagnostic::error("C010", manifest.place("requires", needed), message);
        let fault = fault.label("not loaded").meant(nearest(needed, known()));
        diagnostics.push(fault.help(format!("add it with `--pack` and the folder of `{needed}`")));
    }
    for other in manifest.excludes.iter().filter(|other| names.contains(other)) {
        let message = format!("packs `{name}` and `{other}` cannot be used together");
        let fault = Diagnostic::error("C011", manifest.place("excludes", other), message);
        diagnostics.push(fault.label("but it is loaded").help("leave out one of them"));
    }
}
