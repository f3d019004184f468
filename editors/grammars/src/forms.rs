//! Lines of the rules language in a form that can be read from left to right, with one sign in advance.

use std::collections::{BTreeMap, BTreeSet};

use super::shapes::{Part, Shapes};

/// A part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A row of words, values and operators, or none.
    Row {
        /// Whether it can be left out.
        optional: bool,
    },
    /// A word that stands in no row.
    Word(String),
    /// A sign that assigns.
    Sign {
        /// The signs, one of which stands there.
        signs: BTreeSet<String>,
        /// Whether a row stands behind it.
        row: bool,
        /// Whether both can be left out.
        optional: bool,
    },
    /// A block.
    Block {
        /// The rules of which it can be.
        rules: BTreeSet<String>,
        /// Whether it can be left out.
        optional: bool,
    },
    /// What can stand behind a block: a word, and another block or line.
    Tail(Part),
    /// A line within the line: one of these rules.
    Line(BTreeSet<String>),
}

/// A way in which a line is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// The constructs that are written so.
    pub rules: BTreeSet<String>,
    /// The words with which it begins: one of several, each of one keyword or two. Without any it begins with a value.
    pub lead: BTreeSet<Vec<String>>,
    /// Whether a name stands behind them that is declared here; and whether values in brackets or a text can stand there.
    pub name: Option<bool>,
    /// What stands behind that.
    pub pieces: Vec<Piece>,
    /// Whether the next line must be separated from it.
    pub separated: bool,
}

impl Form {
    /// What tells forms with the same beginning apart: signs, and words that stand in no row.
    fn outline(&self) -> Vec<String> {
        let mut outline = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Word(word) => outline.push(word.clone()),
                Piece::Sign { .. } => outline.push("=".to_string()),
                Piece::Line(_) => outline.push("line".to_string()),
                Piece::Row { .. } | Piece::Block { .. } | Piece::Tail(_) => {}
            }
        }
        outline
    }

    /// Takes in what another form with the same outline allows.
    fn merge(&mut self, other: Form) {
        self.rules.extend(other.rules);
        self.name = self.name.zip(other.name).map(|(left, right)| left || right);
        self.separated |= other.separated;
        let (mut mine, mut others) = (std::mem::take(&mut self.pieces).into_iter().peekable(), other.pieces.into_iter().peekable());
        loop {
            let rank = |piece: Option<&Piece>| match piece {
                Some(Piece::Row { .. }) => 0,
                Some(Piece::Block { .. }) => 1,
                Some(Piece::Tail(_)) => 2,
                Some(Piece::Word(_) | Piece::Sign { .. } | Piece::Line(_)) => 3,
                None => 4,
            };
            match rank(mine.peek()).cmp(&rank(others.peek())) {
                std::cmp::Ordering::Less => self.pieces.extend(mine.next().map(optional)),
                std::cmp::Ordering::Greater => self.pieces.extend(others.next().map(optional)),
                std::cmp::Ordering::Equal => match (mine.next(), others.next()) {
                    (Some(mine), Some(others)) => self.pieces.push(both(mine, others)),
                    (None, None) => return,
                    (Some(rest), None) | (None, Some(rest)) => self.pieces.push(optional(rest)),
                },
            }
        }
    }
}

/// A piece that can be left out, too.
fn optional(piece: Piece) -> Piece {
    match piece {
        Piece::Row { .. } => Piece::Row { optional: true },
        Piece::Sign { signs, row, .. } => Piece::Sign { signs, row, optional: true },
        Piece::Block { rules, .. } => Piece::Block { rules, optional: true },
        Piece::Word(_) | Piece::Tail(_) | Piece::Line(_) => piece,
    }
}

/// A piece that allows what either of two allows.
fn both(left: Piece, right: Piece) -> Piece {
    match (left, right) {
        (Piece::Row { optional: left }, Piece::Row { optional: right }) => Piece::Row { optional: left || right },
        (Piece::Sign { signs, row, optional: left }, Piece::Sign { signs: more, row: other, optional: right }) => {
            Piece::Sign { signs: &signs | &more, row: row || other, optional: left || right }
        }
        (Piece::Block { rules, optional: left }, Piece::Block { rules: more, optional: right }) => {
            Piece::Block { rules: &rules | &more, optional: left || right }
        }
        (Piece::Line(rules), Piece::Line(more)) => Piece::Line(&rules | &more),
        (left, _) => left,
    }
}

/// All lines of the language.
pub(super) struct Forms {
    shapes: Shapes,
    /// The constructs that do something with a name, and declare none.
    referring: BTreeSet<String>,
    /// The words that can stand in rows.
    pub row_words: BTreeSet<String>,
    /// The words that begin lines.
    pub lead_words: BTreeSet<String>,
    /// For each block that is used, by the rules of which it can be, its lines.
    pub blocks: BTreeMap<BTreeSet<String>, Vec<Form>>,
}

impl Forms {
    /// Works out the lines of all blocks that can stand in a file of rules.
    pub fn of_rules() -> Forms {
        let shapes = Shapes::new();
        let referring = &shapes.heads_of("statement") | &shapes.heads_of("operation");
        let mut forms = Forms { shapes, referring, row_words: BTreeSet::new(), lead_words: BTreeSet::new(), blocks: BTreeMap::new() };
        let (mut rules, mut open) = (BTreeSet::new(), vec!["file".to_string(), "entries".to_string()]);
        let mut seen: BTreeSet<String> = open.iter().cloned().collect();
        while let Some(block) = open.pop() {
            for (rule, _) in forms.shapes.lines_of(&block) {
                let parts = forms.shapes.parts_of(&rule);
                forms.row_words.extend(rows_of(&parts));
                blocks_of(&parts, &mut |block| open.extend(Some(block.to_string()).filter(|block| seen.insert(block.clone()))));
                rules.insert(rule);
            }
        }
        forms.row_words.extend(forms.shapes.words_of("expr"));
        let mut wanted = vec![BTreeSet::from(["file".to_string()]), BTreeSet::from(["entries".to_string()])];
        while let Some(block) = wanted.pop() {
            if forms.blocks.contains_key(&block) {
                continue;
            }
            let lines = block.iter().flat_map(|rule| forms.shapes.lines_of(rule)).collect::<Vec<_>>();
            let lines = forms.lines(&lines);
            for piece in lines.iter().flat_map(|form| &form.pieces) {
                match piece {
                    Piece::Block { rules, .. } => wanted.push(rules.clone()),
                    Piece::Tail(part) => blocks_of(part, &mut |block| wanted.push(BTreeSet::from([block.to_string()]))),
                    Piece::Row { .. } | Piece::Word(_) | Piece::Sign { .. } | Piece::Line(_) => {}
                }
            }
            forms.lead_words.extend(lines.iter().flat_map(|form| &form.lead).filter_map(|lead| lead.first().cloned()));
            forms.blocks.insert(block, lines);
        }
        forms
    }

    /// The forms of some constructs, alike ones together.
    pub fn lines(&self, rules: &[(String, bool)]) -> Vec<Form> {
        let mut forms: Vec<Form> = Vec::new();
        let mut all: Vec<Form> = rules.iter().flat_map(|(rule, separated)| self.forms_of(rule, *separated)).collect();
        // What several begin with alike is a name for all of them or for none.
        for at in 0..all.len() {
            let bare = all.iter().any(|other| other.name.is_none() && all.get(at).is_some_and(|form| form.lead == other.lead));
            if let Some(form) = all.get_mut(at).filter(|form| bare && form.name.is_some()) {
                form.name = None;
                match form.pieces.first_mut() {
                    Some(Piece::Row { optional }) => *optional = false,
                    Some(_) | None => form.pieces.insert(0, Piece::Row { optional: false }),
                }
            }
        }
        for form in all {
            match forms.iter_mut().find(|other| other.lead == form.lead && other.outline() == form.outline()) {
                Some(other) => other.merge(form),
                None => forms.push(form),
            }
        }
        forms
    }

    /// The words that can stand in a rule of the grammar.
    pub fn words_of(&self, rule: &str) -> BTreeSet<String> {
        self.shapes.words_of(rule)
    }

    /// The forms of lines that can stand within a line.
    pub fn lines_of_rules(&self, rules: &BTreeSet<String>) -> Vec<Form> {
        self.lines(&rules.iter().map(|rule| (rule.clone(), true)).collect::<Vec<_>>())
    }

    /// The forms of a construct.
    fn forms_of(&self, rule: &str, separated: bool) -> Vec<Form> {
        let variants = match self.shapes.parts_of(rule) {
            whole @ Part::Choice(_) if !whole.is_structure() => vec![whole],
            Part::Choice(parts) => parts,
            whole => vec![whole],
        };
        let mut forms = Vec::new();
        for variant in variants {
            let parts = match variant {
                Part::Sequence(parts) => parts,
                part => vec![part],
            };
            let (lead, rest) = lead_of(&parts);
            let form = |lead: BTreeSet<Vec<String>>, name, pieces| Form {
                rules: BTreeSet::from([rule.to_string()]),
                lead,
                name,
                pieces,
                separated,
            };
            let pieces = self.pieces(&rest);
            if !lead.is_empty() {
                let kept = lead.iter().flatten().all(|word| !self.row_words.contains(word));
                let name = self.shapes.named(rule).filter(|_| kept && !self.referring.contains(rule));
                forms.push(form(lead, name, if name.is_some() { behind_name(pieces) } else { pieces }));
                continue;
            }
            let firsts = self.shapes.firsts_of(rule);
            let words: BTreeSet<String> =
                firsts.words.into_iter().filter(|word| parts.first().is_some_and(|part| part.words().contains(word))).collect();
            if firsts.others {
                // With a sign it is another line than without one.
                let bare: Vec<Piece> =
                    pieces.iter().filter(|piece| !matches!(piece, Piece::Sign { optional: true, .. })).cloned().collect();
                if bare.len() < pieces.len() {
                    forms.push(form(BTreeSet::new(), None, bare));
                }
                let signs = pieces.iter().cloned().map(|piece| match piece {
                    Piece::Sign { signs, row, .. } => Piece::Sign { signs, row, optional: false },
                    Piece::Row { .. } | Piece::Word(_) | Piece::Block { .. } | Piece::Tail(_) | Piece::Line(_) => piece,
                });
                forms.push(form(BTreeSet::new(), None, signs.collect()));
            }
            for word in words {
                let mut pieces = pieces.clone();
                if let Some(Piece::Row { optional }) = pieces.first_mut() {
                    *optional = true;
                }
                forms.push(form(BTreeSet::from([vec![word]]), None, pieces));
            }
        }
        forms
    }

    fn pieces(&self, parts: &[Part]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for part in parts {
            match part {
                Part::Word(word) if !self.row_words.contains(word) => pieces.push(Piece::Word(word.clone())),
                Part::Word(_) | Part::Row(_) => push(&mut pieces, Piece::Row { optional: false }),
                Part::Sign(signs) => pieces.push(Piece::Sign { signs: signs.clone(), row: false, optional: false }),
                Part::Block(rule) => pieces.push(Piece::Block { rules: BTreeSet::from([rule.clone()]), optional: false }),
                Part::Line(rules) => pieces.push(Piece::Line(rules.clone())),
                Part::Sequence(inner) => self.pieces(inner).into_iter().for_each(|piece| push(&mut pieces, piece)),
                Part::Optional(inner) if inner.is_structure() && pieces.iter().any(|piece| matches!(piece, Piece::Block { .. })) => {
                    pieces.push(Piece::Tail((**inner).clone()));
                }
                Part::Optional(inner) => {
                    summary(std::slice::from_ref(&**inner), true).into_iter().for_each(|piece| push(&mut pieces, piece))
                }
                Part::Choice(inner) => summary(inner, false).into_iter().for_each(|piece| push(&mut pieces, piece)),
            }
        }
        pieces
    }
}

/// Adds a piece; rows that follow each other are one.
fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match (pieces.last_mut(), &piece) {
        (Some(Piece::Row { optional }), Piece::Row { optional: other }) => *optional &= other,
        // The row behind a sign belongs to it.
        (Some(Piece::Sign { row, .. }), Piece::Row { .. }) => *row = true,
        (Some(_) | None, _) => pieces.push(piece),
    }
}

/// What can stand where one of some parts stands, or none of them: a row, then a sign, then a block.
fn summary(parts: &[Part], can_be_left_out: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut signs, mut blocks) = (BTreeSet::new(), BTreeSet::new());
    for part in parts {
        signs_of(part, &mut signs);
        blocks_of(part, &mut |block| _ = blocks.insert(block.to_string()));
    }
    let all = |holds: &dyn Fn(&Part) -> bool| !can_be_left_out && parts.iter().all(holds);
    let has_sign = |part: &Part| {
        let mut signs = BTreeSet::new();
        signs_of(part, &mut signs);
        !signs.is_empty()
    };
    if parts.iter().any(|part| !only_block(part)) {
        pieces.push(Piece::Row { optional: !all(&|part| !part.is_structure()) });
    }
    if !signs.is_empty() {
        pieces.push(Piece::Sign { signs, row: true, optional: !all(&has_sign) });
    }
    if !blocks.is_empty() {
        let required = all(&|part| {
            let mut has = false;
            blocks_of(part, &mut |_| has = true);
            has
        });
        pieces.push(Piece::Block { rules: blocks, optional: !required });
    }
    pieces
}

fn only_block(part: &Part) -> bool {
    matches!(part, Part::Block(_) | Part::Line(_))
}

fn signs_of(part: &Part, signs: &mut BTreeSet<String>) {
    match part {
        Part::Sign(found) => signs.extend(found.iter().cloned()),
        Part::Sequence(parts) | Part::Choice(parts) => parts.iter().for_each(|part| signs_of(part, signs)),
        Part::Optional(part) => signs_of(part, signs),
        Part::Word(_) | Part::Row(_) | Part::Block(_) | Part::Line(_) => {}
    }
}

fn blocks_of(part: &Part, visit: &mut dyn FnMut(&str)) {
    match part {
        Part::Block(rule) => visit(rule),
        Part::Sequence(parts) | Part::Choice(parts) => parts.iter().for_each(|part| blocks_of(part, visit)),
        Part::Optional(part) => blocks_of(part, visit),
        Part::Word(_) | Part::Row(_) | Part::Sign(_) | Part::Line(_) => {}
    }
}

/// Returns the words of a construct that stand in rows: all but those with which it begins, and those that must stand there.
fn rows_of(part: &Part) -> BTreeSet<String> {
    match part {
        Part::Word(_) | Part::Sign(_) | Part::Block(_) | Part::Line(_) => BTreeSet::new(),
        Part::Row(words) => words.clone(),
        Part::Sequence(parts) => {
            let (_, rest) = lead_of(parts);
            let behind_block = |at: usize| parts.iter().take(at).any(|part| matches!(part, Part::Block(_)));
            let kept = parts.len() - rest.len();
            rest.iter()
                .enumerate()
                .flat_map(|(at, part)| match part {
                    Part::Optional(inner) if inner.is_structure() && behind_block(at + kept) => BTreeSet::new(),
                    Part::Optional(_) | Part::Choice(_) => part.words(),
                    Part::Word(_) | Part::Sign(_) | Part::Row(_) | Part::Block(_) | Part::Line(_) | Part::Sequence(_) => rows_of(part),
                })
                .collect()
        }
        Part::Choice(parts) if part.is_structure() => parts.iter().flat_map(rows_of).collect(),
        Part::Choice(_) => lead_of(std::slice::from_ref(part)).1.iter().flat_map(Part::words).collect(),
        Part::Optional(inner) => rows_of(inner),
    }
}

/// Returns the words with which a sequence begins, and what stands behind them.
fn lead_of(parts: &[Part]) -> (BTreeSet<Vec<String>>, Vec<Part>) {
    let rest = |from: usize| parts.get(from..).unwrap_or_default().to_vec();
    match parts {
        [Part::Word(word), ..] => (BTreeSet::from([vec![word.clone()]]), rest(1)),
        [Part::Optional(first), Part::Word(word), ..] => match &**first {
            Part::Word(first) => (BTreeSet::from([vec![first.clone(), word.clone()], vec![word.clone()]]), rest(2)),
            _ => (BTreeSet::new(), parts.to_vec()),
        },
        [Part::Choice(choices), ..] => {
            let (mut lead, mut behind) = (BTreeSet::new(), BTreeSet::new());
            for choice in choices {
                let (words, rest) = match choice {
                    Part::Sequence(parts) => lead_of(parts),
                    part => lead_of(std::slice::from_ref(part)),
                };
                if words.is_empty() || rest.iter().any(Part::is_structure) {
                    return (BTreeSet::new(), parts.to_vec());
                }
                lead.extend(words);
                behind.extend(rest.iter().flat_map(Part::words));
                if !rest.is_empty() {
                    behind.insert(String::new());
                }
            }
            let mut rest = rest(1);
            if !behind.is_empty() {
                behind.remove("");
                rest.insert(0, Part::Optional(Box::new(Part::Row(behind))));
            }
            (lead, rest)
        }
        _ => (BTreeSet::new(), parts.to_vec()),
    }
}

/// The pieces behind a name that stands first: what is left of the row can be left out.
fn behind_name(mut pieces: Vec<Piece>) -> Vec<Piece> {
    if let Some(Piece::Row { optional }) = pieces.first_mut() {
        *optional = true;
    }
    pieces
}
