//! The rules of each setting, and the text that makes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::args::TuneArgs;
use super::super::load::{Workspace, compile_rules, players, set_up};
use super::super::output::{print_error, show_diagnostics, usage_error};
use super::super::result::ExitReason;
use super::vary::{Vary, VaryFault};
use crate::diagnostic::Severity;
use crate::engine::Ruleset;
use crate::lang::{ExtraRules, GameText, ParsedGame, Setup, compile};
use crate::script::check_scripts;
use crate::source::Sources;
use crate::tune::{Axis, Lattice, Point};

/// Number of compiled settings that are kept.
const MAX_COMPILED: usize = 64;

/// A game whose numbers are varied.
pub struct Settings {
    /// The files of the game, and what was typed for the setting that was compiled last.
    pub sources: Sources,
    /// The game as it is.
    pub text: GameText,
    /// The rules as they are.
    pub now: Arc<Ruleset>,
    /// What is varied.
    pub varied: Vec<Vary>,
    parsed: ParsedGame,
    with: Vec<ExtraRules>,
    setup: Setup,
    compiled: BTreeMap<Point, Arc<Ruleset>>,
}

impl Settings {
    /// Loads the game, and reads what is varied; shows what is wrong.
    pub fn open(workspace: &Workspace, args: &TuneArgs) -> Result<Settings, ExitReason> {
        workspace.expect_game(&args.game)?;
        let (mut sources, mut found) = (Sources::new(), Vec::new());
        let parsed = ParsedGame::read(&mut sources, workspace.root(), &args.game, &args.changed.pack, &mut found);
        let Some(parsed) = parsed else { return show_diagnostics(&sources, &found).and(Err(ExitReason::Findings)) };
        let with: Vec<ExtraRules> = args.changed.with.iter().map(|text| ExtraRules { text: text.clone(), at: None }).collect();
        let text = parsed.with(&mut sources, &with, &mut found);
        show_diagnostics(&sources, &found)?;
        let setup = set_up(players(&text, args.run.players)?, &args.changed.option, &args.changed.deal)?;
        let now = compile_rules(&sources, &text, &setup)?;
        show_diagnostics(&sources, &check_scripts(&now))?;
        let mut varied: Vec<Vary> = Vec::new();
        for written in &args.vary {
            match Vary::parse(written, &text, &mut sources) {
                Ok(vary) if varied.iter().any(|known| known.name == vary.name) => {
                    return usage_error(format!("`{}` is varied twice; name all its values behind one `in`", vary.name));
                }
                Ok(vary) => {
                    if let Some(known) = varied.iter().find(|known| known.overlaps(&vary)) {
                        return usage_error(format!(
                            "`{}` and `{}` set the same value in part, and which of them holds cannot be told; vary one of the two",
                            known.name, vary.name
                        ));
                    }
                    varied.push(vary);
                }
                Err(VaryFault::Message(message)) => return usage_error(message),
                Err(VaryFault::Diagnostics(found)) => return show_diagnostics(&sources, &found).and(Err(ExitReason::Findings)),
            }
        }
        let fixed = setup.options.iter().map(|(name, _)| name).chain(setup.seat_options.iter().map(|(_, name, _)| name));
        if let Some(name) = fixed.into_iter().find(|name| varied.iter().any(|vary| vary.address() == Some(name))) {
            return usage_error(format!("`{name}` is varied, and set by `--option`; leave one of the two out"));
        }
        let mut settings = Settings { sources, text, now, varied, parsed, with, setup, compiled: BTreeMap::new() };
        settings.try_ends()?;
        Ok(settings)
    }

    /// Returns the combinations of all values.
    pub fn lattice(&self) -> Lattice {
        Lattice { axes: self.varied.iter().map(|vary| Axis { levels: vary.levels.len(), ordered: vary.ordered }).collect() }
    }

    /// Returns the setting of the rules as they are, if it is one of them.
    pub fn now(&self) -> Option<Point> {
        self.varied.iter().map(|vary| vary.now).collect()
    }

    /// Returns the words of a setting's values.
    pub fn levels(&self, point: &[usize]) -> Vec<String> {
        self.varied.iter().zip(point).map(|(vary, level)| vary.levels[*level].clone()).collect()
    }

    /// Returns the lines of rules of a setting.
    pub fn rule_lines(&self, point: &[usize]) -> Vec<String> {
        let changed = |(vary, level): (&Vary, &usize)| if vary.now == Some(*level) { None } else { vary.rule_line(*level) };
        self.varied.iter().zip(point).filter_map(changed).collect()
    }

    /// Returns the patches of a setting, for a pack.
    pub fn patches(&self, point: &[usize]) -> Vec<String> {
        self.varied.iter().zip(point).flat_map(|(vary, level)| vary.patches(*level, &self.text.content.cards)).collect()
    }

    /// Whether figures of cards are varied, so that only a pack can hold a setting.
    pub fn needs_pack(&self) -> bool {
        self.varied.iter().any(|vary| vary.address().is_none())
    }

    /// Returns the names of the packs that the game is played with.
    pub fn packs(&self) -> Vec<String> {
        self.parsed.packs().map(str::to_string).collect()
    }

    /// Returns the rules of a setting. Shows what is wrong with them.
    pub fn rules(&mut self, point: &Point) -> Result<Arc<Ruleset>, ExitReason> {
        if self.now().as_ref() == Some(point) {
            return Ok(Arc::clone(&self.now));
        }
        if let Some(rules) = self.compiled.get(point) {
            return Ok(Arc::clone(rules));
        }
        let (mut sources, mut found) = (self.sources.snapshot(), Vec::new());
        let lines = self.rule_lines(point);
        let typed = (!lines.is_empty()).then(|| ExtraRules { text: lines.join("\n"), at: None });
        let with: Vec<ExtraRules> = self.with.iter().cloned().chain(typed).collect();
        let mut text = self.parsed.with(&mut sources, &with, &mut found);
        let figures: Vec<_> = self.varied.iter().zip(point).flat_map(|(vary, level)| vary.figures(*level)).collect();
        if !figures.is_empty() {
            let mut content = text.content.clone();
            for change in &figures {
                let card = &mut content.cards[change.card];
                if !card.set_figure(&change.key, change.value) {
                    return usage_error(format!("`{}.{}` cannot be {}", card.id.text, change.key, change.value));
                }
            }
            text = text.with_content(content);
        }
        let rules = compile::compile(&text, &self.setup, &mut found).map(Arc::new);
        found.extend(rules.iter().flat_map(|rules| check_scripts(rules)));
        // Warnings that the rules as they are do not have either come from values at the ends of ranges, and repeat themselves.
        found.retain(|one| one.severity == Severity::Error);
        let shown = show_diagnostics(&sources, &found);
        let (Some(rules), Ok(())) = (rules, shown) else {
            let levels = self.levels(point);
            let named: Vec<String> = self.varied.iter().zip(levels).map(|(vary, level)| format!("{} {level}", vary.name)).collect();
            print_error(&format!("these rules were tried: {}\n", named.join(", ")));
            return Err(ExitReason::Findings);
        };
        if self.compiled.len() >= MAX_COMPILED {
            self.compiled.clear();
        }
        self.compiled.insert(point.clone(), Arc::clone(&rules));
        Ok(rules)
    }

    /// Compiles the rules at both ends of each range, so that what cannot be is told before games are played.
    fn try_ends(&mut self) -> Result<(), ExitReason> {
        let start: Point = self.varied.iter().map(|vary| vary.now.unwrap_or(0)).collect();
        for at in 0..self.varied.len() {
            for level in [0, self.varied[at].levels.len() - 1] {
                let mut point = start.clone();
                point[at] = level;
                self.rules(&point)?;
            }
        }
        Ok(())
    }
}
