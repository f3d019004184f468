//! The text of a setting: a variant, or a pack.

use std::path::{Path, PathBuf};

use super::super::output::{OutputFile, usage_error};
use super::super::result::{CommandResult, ExitReason};
use super::settings::Settings;
use crate::disk::{self, OnDisk};
use crate::pack::is_snake_case;
use crate::source::Sources;

/// Beginning of every file that `tune` writes: only a file that begins like this may be written over.
const VARIANT_HEADER: &str = "// What `houserule tune ";
/// The same of a pack.
const PACK_HEADER: &str = "# What `houserule tune ";
/// Number of patches that are shown at the terminal; the others are counted.
const MAX_SHOWN_PATCHES: usize = 6;
/// Name of a variant or a pack if the file's own name is none.
const DEFAULT_NAME: &str = "tuned";

/// Where a setting is written to.
pub enum Destination {
    /// A file of rules, with the setting as a variant.
    Variant(OutputFile, PathBuf),
    /// A folder, with the setting as a pack.
    Pack(PathBuf),
}

impl Destination {
    /// Opens what `--write` names.
    ///
    /// # Errors
    /// A usage error if it cannot hold the setting, or holds something else.
    pub fn open(path: &Path, settings: &Settings) -> Result<Destination, ExitReason> {
        let is_rules = path.extension().is_some_and(|ending| ending == "rules");
        if settings.needs_pack() && is_rules {
            let folder = path.with_extension("");
            return usage_error(format!("figures of cards stand in a pack: name a folder, such as `--write {}`", folder.display()));
        }
        if is_rules {
            return Ok(Destination::Variant(OutputFile::open_generated(&path.display().to_string(), VARIANT_HEADER)?, path.to_path_buf()));
        }
        if !settings.needs_pack() && path.extension().is_some() {
            return usage_error(format!("`{}`: a variant is written to a file that ends in .rules, a pack to a folder", path.display()));
        }
        let manifest = path.join("pack.toml");
        let ours = Sources::read_bounded(&manifest, 1 << 16).is_ok_and(|text| text.starts_with(PACK_HEADER));
        let is_empty = !path.is_there() || path.is_folder() && Sources::all_files(path).is_empty();
        if !ours && !is_empty {
            return usage_error(format!("`{}` is there already, and `tune` has not written it; name another folder", path.display()));
        }
        Ok(Destination::Pack(path.to_path_buf()))
    }

    /// Writes a setting; returns the options of the command line that play by it.
    pub fn write(self, settings: &Settings, point: &[usize], found: &str) -> Result<String, ExitReason> {
        match self {
            Destination::Variant(file, path) => {
                let name = name_of(&path);
                file.write_text(&variant(settings, point, &name, found))?;
                Ok(format!("--with {}", path.display()))
            }
            Destination::Pack(folder) => {
                let name = name_of(&folder);
                let others = settings.packs();
                let listed = |key: &str| if others.is_empty() { String::new() } else { format!("{key} = {others:?}\n") };
                let manifest = format!(
                    "{PACK_HEADER}{found}\nname = \"{name}\"\nversion = \"1.0\"\nlanguage = 1\nextends = \"{}\"\n{}{}",
                    settings.text.content.game,
                    listed("requires"),
                    listed("over")
                );
                write_file(&folder.join("pack.toml"), &manifest)?;
                write_or_remove(&folder.join("cards/tuned.toml"), &settings.patches(point).join("\n"))?;
                write_or_remove(&folder.join("rules/tuned.rules"), &rules_text(settings, point, ""))?;
                Ok(format!("--pack {}", folder.display()))
            }
        }
    }
}

/// Returns a setting as a text to be read: lines of rules, and patches.
pub fn text_of(settings: &Settings, point: &[usize]) -> String {
    rules_text(settings, point, "") + settings.patches(point).join("\n").as_str()
}

/// Returns the lines of rules of a setting, each behind an indent.
fn rules_text(settings: &Settings, point: &[usize], indent: &str) -> String {
    settings.rule_lines(point).iter().map(|line| format!("{indent}{line}\n")).collect()
}

/// Returns the same for the terminal: of very many patches the first.
pub fn shown_text_of(settings: &Settings, point: &[usize]) -> String {
    let patches = settings.patches(point);
    let more = patches.len().saturating_sub(MAX_SHOWN_PATCHES);
    let lines = rules_text(settings, point, "  ");
    let shown = patches.iter().take(MAX_SHOWN_PATCHES).flat_map(|patch| patch.lines()).map(|line| format!("  {line}\n"));
    let rest = if more > 0 { format!("  and {more} more patches; --write FOLDER writes all of them\n") } else { String::new() };
    format!("{lines}{}{rest}", shown.collect::<String>())
}

/// Returns a setting as a variant.
fn variant(settings: &Settings, point: &[usize], name: &str, found: &str) -> String {
    let lines = rules_text(settings, point, "  ");
    let over = match settings.packs().as_slice() {
        [] => String::new(),
        packs => format!(" over {}", packs.join(", ")),
    };
    let levels: Vec<String> =
        settings.varied.iter().zip(settings.levels(point)).map(|(vary, level)| format!("{} {level}", vary.name)).collect();
    format!("{VARIANT_HEADER}{found}\nvariant {name} \"{}\"{over} {{\n{lines}}}\n", levels.join(", "))
}

/// Returns the name of a variant or pack in a file or folder.
fn name_of(path: &Path) -> String {
    let name = path.file_stem().map(|name| name.to_string_lossy().replace('-', "_").to_lowercase()).unwrap_or_default();
    if is_snake_case(&name) { name } else { DEFAULT_NAME.to_string() }
}

/// Writes a file of a pack; one of an earlier setting that is empty now goes.
fn write_or_remove(path: &Path, text: &str) -> CommandResult {
    if !text.is_empty() {
        return write_file(path, text);
    }
    match disk::remove_file(path) {
        Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => usage_error(format!("cannot remove `{}`: {fault}", path.display())),
        _ => Ok(()),
    }
}

fn write_file(path: &Path, text: &str) -> CommandResult {
    let made = path.parent().map_or(Ok(()), disk::create_folders).and_then(|()| disk::replace(path, text));
    made.or_else(|fault| usage_error(format!("cannot write `{}`: {fault}", path.display())))
}
