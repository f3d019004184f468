//! What cards and kinds say beside their figures: each entry is checked once, with types, and lowered for every card that has it.

use super::check::{Checker, Scope};
use super::content::meant_or_listed;
use super::defs::{DefId, Space, What};
use super::lower::{Env, Lowerer};
use super::syntax::{ast, parse_ask, parse_costs, parse_expr};
use super::typed::{self, Ask, Bind, Cost, Entries, Expr, Offer, Param, Says, Script};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{self as engine, AskBefore, CardAction, Change, Forbid, Hook, How, Instead, NameId, NodeId, ScriptText, Who};
use crate::engine::types::Type;
use crate::pack::{Entry, EntryKind, RawCard, RawKind, Spanned, Text, Value};
use crate::source::Span;
use std::collections::BTreeMap;

/// What names in an entry stand for: `own` is the card, `card` the moment's card, `player` whose moment it is.
const BOUND: [(&str, Type); 3] = [("own", Type::Card), ("card", Type::Card), ("player", Type::Seat)];

impl Checker<'_> {
    /// Checks what all cards and kinds say.
    pub fn entries(&mut self, cards: &[&RawCard], kinds: &[RawKind]) -> Entries {
        let mut scope = Scope::new();
        let binds = BOUND.map(|(name, ty)| self.bind(&mut scope, name, ty));
        let mut entries = Entries { binds, ..Entries::default() };
        let missed = self.moments_heard(cards, kinds);
        for card in cards {
            let mut said = Vec::new();
            if let Some(when) = &card.leaves_when {
                let when = self.line(when, &mut scope, &[Type::Truth]);
                said.push(typed::Entry { id: format!("{}.leaves_when", card.id.text), who: Who::Me, when, says: Says::Leaves });
            }
            for entry in &card.entries {
                said.extend(self.entry(entry, &card.id.text, &scope, &missed));
            }
            if let Some(second) = card.entries.iter().filter(|entry| entry.kind == EntryKind::Action).nth(1) {
                let wrong = Diagnostic::error("C028", second.span, "a card has one action at most").label("a second one");
                self.tell(wrong.help("let one action ask what is done: `ask = \"one of …\"`"));
            }
            entries.of_cards.push(said);
        }
        for kind in kinds {
            let Some(index) = self.rules.defs.kind(&kind.id.text) else {
                if !self.rules.defs.is_suspect(&kind.id.text) {
                    let wrong = self.rules.defs.unknown(&kind.id.text, kind.id.span, "a kind of this game", &[Space::Kind]);
                    self.tell(wrong);
                }
                continue;
            };
            for entry in &kind.entries {
                let said = self.entry(entry, &kind.id.text, &scope, &missed);
                entries.of_kinds.entry(index).or_default().extend(said);
            }
        }
        entries
    }

    /// Counts which moments entries hear; those that rules misspell are told there, and given back.
    fn moments_heard(&mut self, cards: &[&RawCard], kinds: &[RawKind]) -> Vec<String> {
        let mut heard: BTreeMap<String, usize> = BTreeMap::new();
        let of_cards = cards.iter().flat_map(|card| &card.entries);
        for entry in of_cards.chain(kinds.iter().flat_map(|kind| &kind.entries)) {
            if let Some(moment) = entry.text("when") {
                *heard.entry(moment.text.trim_start_matches("this.").to_string()).or_default() += 1;
            }
        }
        // The engine raises this moment when something has been paid; it is there if somebody hears it.
        if heard.contains_key(SPENT) && self.rules.defs.find(Space::Moment, SPENT).is_none() {
            let name = ast::Name { text: SPENT.to_string(), span: NOWHERE };
            self.moment(&name);
        }
        let heard: Vec<(String, usize)> = heard.into_iter().collect();
        self.misspelt_moments(&heard)
    }

    /// An entry; what is wrong with it is told, all of it at once.
    fn entry(&mut self, entry: &Entry, owner: &str, scope: &Scope, missed: &[String]) -> Option<typed::Entry> {
        let mut scope = scope.clone();
        let who = match entry.text("who").map(|who| who.text.as_str()) {
            Some("others") => Who::Others,
            Some("all") => Who::All,
            _ => Who::Me,
        };
        let id = format!("{owner}.{}", entry.id.text);
        let made = |when, says| typed::Entry { id, who, when, says };
        Some(match entry.kind {
            EntryKind::On => {
                let moment = self.heard(entry.text("when")?, missed);
                let when = entry.text("if").map(|when| self.line(when, &mut scope, &[Type::Truth]));
                let script = self.script(entry, owner, &mut scope);
                let (moment, own_only) = moment?;
                made(when.flatten(), Says::On { moment, own_only, script: script? })
            }
            EntryKind::Change => return self.change(entry, owner, made),
            EntryKind::Forbid => {
                let what = entry.text("action")?;
                if self.rules.defs.find(Space::Action, &what.text).is_none() {
                    let wrong = self.rules.defs.unknown(&what.text, what.span, "an action", &[Space::Action]);
                    self.tell(wrong);
                }
                let when = entry.text("if").map(|when| self.line(when, &mut scope, &[Type::Truth]));
                let because = entry.text("because").map_or_else(|| "a card forbids it".to_string(), |text| text.text.clone());
                made(when.flatten(), Says::Forbid { action: what.text.clone(), because })
            }
            EntryKind::Instead => {
                let of = entry.text("of")?;
                let loss = self.rules.defs.find(Space::Loss, &of.text);
                if loss.is_none() && !self.rules.defs.is_suspect(&of.text) {
                    let names: Vec<String> = self.rules.defs.names(Space::Loss).map(String::from).collect();
                    let known: Vec<&str> = names.iter().map(String::as_str).collect();
                    let wrong = Diagnostic::error("C027", of.span, format!("the rules name no loss or draw `{}`", of.text)).label("unknown");
                    let wrong = meant_or_listed(wrong, &of.text, known.clone(), "what they name", &known);
                    self.tell(wrong.help("a loss or draw gets a name by `… for NAME` in the rules file"));
                }
                let when = entry.text("if").map(|when| self.line(when, &mut scope, &[Type::Truth]));
                let (script, ask) = match entry.get("do") {
                    Some(_) => (self.script(entry, owner, &mut scope), None),
                    None => (None, self.ask(entry, owner, &mut scope)),
                };
                made(when.flatten(), Says::Instead { of: loss?, script, ask })
            }
            EntryKind::Action => {
                let when = entry.text("needs").map(|needs| self.line(needs, &mut scope, &[Type::Truth]));
                let because =
                    entry.text("because").map_or_else(|| "the card does not allow it now".to_string(), |text| text.text.clone());
                let costs = entry.text("cost").map_or(Vec::new(), |cost| self.costs(cost, &mut scope));
                let script = self.script(entry, owner, &mut scope);
                made(when.flatten(), Says::Action { because, costs, script: script? })
            }
        })
    }

    /// The moment that an entry hears, and whether only the card's own.
    fn heard(&mut self, moment: &Text, missed: &[String]) -> Option<(DefId, bool)> {
        let (own_only, name) = match moment.text.strip_prefix("this.") {
            Some(name) => (true, name),
            None => (false, moment.text.as_str()),
        };
        let found = self.rules.defs.find(Space::Moment, name);
        // One that the rules misspell has been told there.
        if found.is_none() && !missed.iter().any(|missed| missed == name) {
            let names: Vec<String> = self.rules.defs.names(Space::Moment).map(String::from).collect();
            let listed: Vec<&str> = names.iter().map(String::as_str).collect();
            let all: Vec<String> = names.iter().flat_map(|name| [name.clone(), format!("this.{name}")]).collect();
            let wrong = Diagnostic::error("C025", moment.span, format!("the rules never say `moment {name}`")).label("unknown moment");
            let known = all.iter().map(String::as_str);
            self.tell(meant_or_listed(wrong, &moment.text, known, "the moments of the rules", &listed));
        }
        found.map(|moment| (moment, own_only))
    }

    fn change(&mut self, entry: &Entry, owner: &str, made: impl FnOnce(Option<Expr>, Says) -> typed::Entry) -> Option<typed::Entry> {
        let what = entry.text("what")?;
        let quantities = |name: &str| self.rules.defs.find(Space::Value, name).filter(|&def| self.is_quantity(def));
        let Some(quantity) = quantities(&what.text).or_else(|| quantities(&what.text.replace("_rank", ".rank"))) else {
            if !self.rules.defs.is_suspect(&what.text) {
                let names: Vec<String> = self.rules.defs.all().filter(|(id, _)| self.is_quantity(*id)).map(|(_, one)| one.name.clone()).collect();
                let known: Vec<&str> = names.iter().map(String::as_str).collect();
                let wrong = Diagnostic::error("C026", what.span, format!("the rules declare no changeable quantity `{}`", what.text));
                let wrong = wrong.label("unknown quantity");
                self.tell(meant_or_listed(wrong, &what.text, known.clone(), "what cards may change", &known));
            }
            return None;
        };
        let mut scope = Scope::new();
        let own = self.bind(&mut scope, "own", Type::Card);
        let mut params = vec![Param { name: "own".to_string(), bind: own, ty: Type::Card }];
        for param in self.params_of(quantity) {
            let bind = self.bind(&mut scope, &param.name, param.ty);
            params.push(Param { bind, ..param });
        }
        let binds: Vec<Bind> = params.iter().skip(1).map(|param| param.bind).collect();
        self.on_behalf(quantity, |checker| {
            checker.entry = Some(([None; 2], entry.span, owner.to_string()));
            let when = entry.text("if").map(|when| checker.line(when, &mut scope, &[Type::Truth])).unwrap_or_default();
            // What is added for one word alone is no circle by way of another.
            let only = [0, 1].map(|at| when.as_ref().zip(binds.get(at)).and_then(|(when, bind)| wants(when, *bind)));
            checker.entry = Some((only, entry.span, owner.to_string()));
            let mut amounts = Vec::new();
            for (key, how) in [("to", How::To), ("by", How::By), ("at_least", How::AtLeast), ("at_most", How::AtMost)] {
                if let Some(value) = entry.get(key) {
                    amounts.extend(checker.amount(value, &mut scope).map(|amount| (how, amount)));
                }
            }
            checker.entry = None;
            Some(made(when, Says::Change { quantity, params, amounts }))
        })
    }

    fn is_quantity(&self, def: DefId) -> bool {
        matches!(self.rules.defs[def].what, What::Quantity { .. })
    }

    /// A line of the rules language inside a card file.
    fn line(&mut self, text: &Text, scope: &mut Scope, wanted: &[Type]) -> Option<Expr> {
        let parsed = parse_expr(text.span.file, &text.text, text.span.start, &mut self.diagnostics)?;
        Some(self.expr(&parsed, scope, wanted))
    }

    fn amount(&mut self, value: &Spanned, scope: &mut Scope) -> Option<Expr> {
        match &value.value {
            Value::Integer(number) => Some(Expr::constant(*number, Type::Number, value.span)),
            Value::Text(text) => self.line(text, scope, &[Type::Number]),
            Value::Boolean(_) | Value::List(_) | Value::Table(_) => {
                let message = format!("expected a number or an expression, found {}", value.sort());
                self.tell(Diagnostic::error("C023", value.span, message));
                None
            }
        }
    }

    /// `1 wisp, 2 moss`
    fn costs(&mut self, text: &Text, scope: &mut Scope) -> Vec<(Expr, u16)> {
        let Some(parsed) = parse_costs(text.span.file, &text.text, text.span.start, &mut self.diagnostics) else { return Vec::new() };
        let mut costs = Vec::new();
        for cost in &parsed {
            match self.cost(cost, scope) {
                Some(Cost::Resource(amount, resource)) => costs.push((amount, resource)),
                Some(Cost::Tokens(_)) => {
                    let wrong = Diagnostic::error("R003", cost.span, "a card's action costs resources");
                    self.tell(wrong.label("tokens cannot pay it").help("let the action do an effect of the rules that says `spend …`"));
                }
                None => {}
            }
        }
        costs
    }

    fn script(&mut self, entry: &Entry, owner: &str, scope: &mut Scope) -> Option<Script> {
        let ask = self.ask(entry, owner, scope);
        let (text, span) = match entry.get("do").map(|script| &script.value) {
            Some(Value::Text(text)) => (text.text.clone(), Some(text.span)),
            Some(Value::List(list)) => {
                let parts: Vec<&Text> = list.iter().filter_map(Spanned::text).collect();
                (parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(";\n"), parts.first().map(|part| part.span))
            }
            _ => {
                let wrong = Diagnostic::error("C029", entry.span, "what should it do?").label("`do` is missing");
                self.tell(wrong.help("write `do = \"…\"` with what the card does"));
                return None;
            }
        };
        Some(Script { text, span, ask })
    }

    /// `one of wisp, moss if wisp > 2, each card in my yard`, `may`, `may one of …`
    fn ask(&mut self, entry: &Entry, owner: &str, scope: &mut Scope) -> Option<Ask> {
        let text = entry.text("ask")?;
        let parsed = parse_ask(text.span.file, &text.text, text.span.start, &mut self.diagnostics)?;
        let mut offers = Vec::new();
        for offer in &parsed.offers {
            let mut there = scope.clone();
            let what = match &offer.what {
                ast::AskWhat::Word(word) => {
                    self.check_offered(&word.text, word.span);
                    Some(Offer::Word(word.text.clone()))
                }
                ast::AskWhat::Cards { name, cards } => {
                    let bind = self.bind(&mut there, &name.text, Type::Card);
                    self.cards(cards, &mut there, &name.text, bind).map(Offer::Cards)
                }
            };
            let when = offer.condition.as_ref().map(|when| self.expr(when, &mut there, &[Type::Truth]));
            offers.extend(what.map(|what| (what, when)));
        }
        Some(Ask { id: format!("{owner}.answer"), may: parsed.may, offers })
    }

    /// A word on offer may be any word; one that is nearly a resource, and no other name, is a slip.
    fn check_offered(&mut self, word: &str, span: Span) {
        let defs = &self.rules.defs;
        let known = defs.all().any(|(_, one)| one.name == word);
        if known || defs.is_suspect(word) {
            return;
        }
        if let Some(meant) = nearest(word, defs.resources()) {
            let wrong = Diagnostic::warning("R016", span, format!("`{word}` is no name of this game")).label("offered as it is written");
            let wrong = wrong.meant(Some(meant));
            self.tell(wrong);
        }
    }
}

/// The moment that the engine raises when something has been paid.
pub(super) const SPENT: &str = "spent";
const NOWHERE: Span = Span { file: crate::source::FileId(0), start: 0, end: 0 };

/// The word that a condition wants a parameter to be.
fn wants(when: &Expr, param: Bind) -> Option<i64> {
    use typed::{Binary, ExprKind};
    match &when.kind {
        ExprKind::Binary(Binary::And, a, b) => wants(a, param).or_else(|| wants(b, param)),
        ExprKind::Compare(engine::Compare::Equal, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Local(bind), ExprKind::Const(value)) if *bind == param => Some(*value),
            _ => None,
        },
        _ => None,
    }
}

impl Lowerer<'_> {
    /// What every card says, by itself and by its kind.
    pub fn entries(&mut self, entries: &Entries) {
        let mut made: BTreeMap<*const typed::Entry, Made> = BTreeMap::new();
        for (number, own) in entries.of_cards.iter().enumerate() {
            let kind = self.out.definitions[number].kind;
            let of_kind = entries.of_kinds.get(&kind).map_or(&[][..], Vec::as_slice);
            for entry in own.iter().chain(of_kind) {
                // Cards of a kind share what the kind says.
                let lowered = match made.get(&std::ptr::from_ref(entry)) {
                    Some(lowered) => lowered.clone(),
                    None => {
                        let lowered = self.entry(entry, number, entries.binds);
                        made.insert(std::ptr::from_ref(entry), lowered.clone());
                        lowered
                    }
                };
                let definition = &mut self.out.definitions[number];
                match lowered {
                    Made::Hook(hook) => definition.hooks.push(hook),
                    Made::Changes(changes) => definition.changes.extend(changes),
                    Made::Forbids(forbids) => definition.forbids.extend(forbids),
                    Made::Instead(instead) => definition.insteads.push(instead),
                    Made::Action(action) => definition.action = Some(action),
                    Made::Leaves(when) => definition.leaves_when = when,
                }
            }
        }
        self.note_changes();
    }

    /// Which quantities some piece may change.
    fn note_changes(&mut self) {
        let definitions = self.out.definitions.iter().filter(|definition| definition.copies > 0);
        for change in definitions.flat_map(|definition| &definition.changes) {
            self.out.quantities[change.quantity as usize].changed = true;
        }
    }

    fn entry(&mut self, entry: &typed::Entry, number: usize, binds: [Bind; 3]) -> Made {
        let mut env = Env::from(0);
        for bind in binds {
            self.bind(&mut env, bind, NOWHERE);
        }
        let (id, who) = (entry.id.clone(), entry.who);
        match &entry.says {
            Says::On { moment, own_only, script } => {
                let when = self.condition(entry.when.as_ref(), &mut env);
                let (ask, script) = self.script(script, &id, number, &mut env);
                let moment = match self.tree.defs[*moment].what {
                    What::Moment(moment) => moment,
                    _ => 0,
                };
                Made::Hook(Hook { id, moment, who, own_only: *own_only, when, ask, script })
            }
            Says::Change { quantity, params, amounts } => {
                let mut env = self.with_params(0, params);
                let when = self.condition(entry.when.as_ref(), &mut env);
                let quantity = self.quantity_index(*quantity);
                let change = |(how, amount): &(How, Expr)| Change { quantity, who, when, how: *how, amount: self.expr(amount, &mut env) };
                Made::Changes(amounts.iter().map(change).collect())
            }
            Says::Forbid { action, because } => {
                let when = self.condition(entry.when.as_ref(), &mut env);
                let name = self.out.names.add(action);
                let actions = self.out.actions.iter().enumerate().filter(|(_, action)| action.name == name);
                let forbid = |(action, _)| Forbid { action: action as u16, who, when, because: because.clone() };
                Made::Forbids(actions.map(forbid).collect())
            }
            Says::Instead { of, script, ask } => {
                let when = self.condition(entry.when.as_ref(), &mut env);
                let (ask, script) = match script {
                    Some(script) => {
                        let (ask, script) = self.script(script, &id, number, &mut env);
                        (ask, Some(script))
                    }
                    None => (ask.as_ref().map(|ask| self.ask(ask, &mut env).0), None),
                };
                let of = match self.tree.defs[*of].what {
                    What::Loss(loss) => loss,
                    _ => 0,
                };
                Made::Instead(Instead { id, of, who, when, ask, script })
            }
            Says::Action { because, costs, script } => {
                let needs = self.condition(entry.when.as_ref(), &mut env);
                let costs = costs.iter().map(|(amount, resource)| (self.expr(amount, &mut env), *resource as u8)).collect();
                let (ask, script) = self.script(script, &id, number, &mut env);
                Made::Action(CardAction { id, needs, because: because.clone(), costs, ask, script })
            }
            Says::Leaves => Made::Leaves(self.condition(entry.when.as_ref(), &mut env)),
        }
    }

    fn condition(&mut self, when: Option<&Expr>, env: &mut Env) -> Option<NodeId> {
        when.map(|when| self.expr(when, env))
    }

    fn script(&mut self, script: &Script, id: &str, number: usize, env: &mut Env) -> (Option<AskBefore>, u32) {
        let (ask, words) = match &script.ask {
            Some(ask) => {
                let (ask, words) = self.ask(ask, env);
                (Some(ask), words)
            }
            None => (None, Vec::new()),
        };
        let (text, span) = (script.text.clone(), script.span);
        self.out.scripts.push(ScriptText { owner: id.to_string(), definition: number as i32, text, span, words });
        (ask, self.out.scripts.len() as u32 - 1)
    }

    fn ask(&mut self, ask: &Ask, env: &mut Env) -> (AskBefore, Vec<NameId>) {
        let id = ask.id.clone();
        if ask.offers.is_empty() {
            let (yes, no) = (self.out.names.add("yes"), self.out.names.add("no"));
            let offers = [yes, no].map(|name| (engine::Offer::Word { name, bare: false }, None)).to_vec();
            return (AskBefore { id, may: false, no: Some(no), offers }, vec![yes, no]);
        }
        let mut words = Vec::new();
        let mut offers = Vec::new();
        for (offer, when) in &ask.offers {
            let mut there = env.clone();
            let offer = match offer {
                Offer::Word(word) => {
                    let name = self.out.names.add(word);
                    words.push(name);
                    engine::Offer::Word { name, bare: false }
                }
                Offer::Cards(cards) => engine::Offer::Cards(self.cards(cards, &mut there, NOWHERE)),
            };
            offers.push((offer, self.condition(when.as_ref(), &mut there)));
        }
        (AskBefore { id, may: ask.may, no: None, offers }, words)
    }
}

/// What an entry becomes.
#[derive(Clone)]
enum Made {
    Hook(Hook),
    Changes(Vec<Change>),
    Forbids(Vec<Forbid>),
    Instead(Instead),
    Action(CardAction),
    Leaves(Option<NodeId>),
}
