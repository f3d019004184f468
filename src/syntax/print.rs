//! The tree as text, for tests: reading it again gives the same tree, but for places.

use super::ast::*;

/// Rules, one declaration a line.
pub fn print(rules: &Rules) -> String {
    rules.declarations.iter().map(|declaration| declaration_text(declaration) + "\n").collect()
}

fn names(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

fn block<T>(block: &Block<T>, item: impl Fn(&T) -> String) -> String {
    if block.items.is_empty() {
        return "{ }".into();
    }
    format!("{{ {} }}", block.items.iter().map(item).collect::<Vec<_>>().join("; "))
}

fn maybe(before: &str, what: Option<String>) -> String {
    what.map_or(String::new(), |what| format!("{before}{what}"))
}

fn says(is: bool, what: &str) -> &str {
    if is { what } else { "" }
}

// ------------------------------------------------------------------ declarations

fn declaration_text(declaration: &Declaration) -> String {
    match &declaration.kind {
        DeclarationKind::Game { name, title } => format!("game {}{}", name.text, maybe(" ", title.as_ref().map(|t| quoted(&t.text)))),
        DeclarationKind::Players(count) => format!("players {}{}", expr(&count.from), maybe(" to ", count.to.as_ref().map(expr))),
        DeclarationKind::Option(option) => format!("option {} = {}", option.name.text, option_text(&option.values)),
        DeclarationKind::Constant { name, value } => format!("constant {} = {}", name.text, expr(value)),
        DeclarationKind::Table(members) => format!("table {}", block(members, member)),
        DeclarationKind::Player(members) => format!("player {}", block(members, member)),
        DeclarationKind::Card(members) => format!("card {}", block(members, member)),
        DeclarationKind::Kind { name, fields } => format!("kind {} {}", name.text, block(fields, field)),
        DeclarationKind::FieldsOf { kinds, fields } => format!("fields of {} {}", names(kinds), block(fields, field)),
        DeclarationKind::Zone { name, places } => format!("zone {} = {}", name.text, names(places)),
        DeclarationKind::Hearing { places } => format!("hearing {}", names(places)),
        DeclarationKind::Symbols { names: all } => format!("symbols {}", names(all)),
        DeclarationKind::Tokens { name, sorts } => format!("tokens {} {}", name.text, block(sorts, sort)),
        DeclarationKind::Exchange { count, tokens, one, symbols } => {
            format!("exchange {} {} as {} {}", expr(count), tokens.text, expr(one), names(symbols))
        }
        DeclarationKind::Define { name, params, value } => format!("define {}{} = {}", name.text, parameters(params), expr(value)),
        DeclarationKind::Changeable { name, params, value, bounds } => {
            format!("changeable {}{} = {}{}", name.text, parameters(params), expr(value), bounds_text(bounds))
        }
        DeclarationKind::Stat { name, params, value, bounds } => {
            format!("stat {}{} = {}{}", name.text, parameters(params), expr(value), bounds_text(bounds))
        }
        DeclarationKind::Rank { name, rule } => format!(
            "rank {} {} = {} {} by {}, ties at the edge {}",
            name.text,
            rule.param.text,
            if rule.top { "top" } else { "bottom" },
            expr(&rule.count),
            rule.by.text,
            if rule.ties_in { "in" } else { "out" }
        ),
        DeclarationKind::Condition { name: ConditionName::Word(name), value } => format!("condition {} = {}", name.text, expr(value)),
        DeclarationKind::Condition { name: ConditionName::Quoted(name), value } => {
            format!("condition {} = {}", quoted(&name.text), expr(value))
        }
        DeclarationKind::Effect { name, params, body } => format!("effect {}{} {}", name.text, parameters(params), body_text(body)),
        DeclarationKind::Shortage { resource, within, missing, body } => {
            format!("when short of {} in {}, missing {} {}", resource.text, names(within), missing.text, body_text(body))
        }
        DeclarationKind::Dealt { card, body } => format!("when {} is dealt {}", card.text, body_text(body)),
        DeclarationKind::Leaving { card, place, body } => format!("when {} leaves {} {}", card.text, place.text, body_text(body)),
        DeclarationKind::Payments { noted, heard, .. } => {
            let said =
                [("noted in", noted), ("heard as", heard)].map(|(how, name)| name.as_ref().map(|name| format!("{how} {}", name.text)));
            format!("payments {}", said.into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
        DeclarationKind::Moments(all) => format!("moments {}", block(all, |one| format!("{} {}", one.name.text, quoted(&one.text.text)))),
        DeclarationKind::Setup(parts) => format!("setup {}", block(parts, part)),
        DeclarationKind::Rounds(rounds) => {
            let until = maybe(" until ", rounds.until.as_ref().map(expr));
            let count = rounds.count.as_ref().map_or(String::new(), |count| amount(count) + " ");
            format!("rounds {count}of {}{until}", names(&rounds.phases))
        }
        DeclarationKind::Phase { name, parts } => format!("phase {} {}", name.text, block(parts, part)),
        DeclarationKind::Always(checks) => format!("always {}", block(checks, check)),
        DeclarationKind::Score(rows) => {
            format!("score {}", block(rows, |row| format!("{} = {}", quoted(&row.name.text), expr(&row.value))))
        }
        DeclarationKind::Wins(WinsRule { lowest, keys }) => {
            let keys = if keys.is_empty() { None } else { Some(order_keys(keys)) };
            format!("wins {} score{}", if *lowest { "lowest" } else { "highest" }, maybe(", ", keys))
        }
        DeclarationKind::Honours(rows) => {
            format!("honours {}", block(rows, |row| format!("{} = {}", quoted(&row.name.text), expr(&row.value))))
        }
        DeclarationKind::Series(option) => format!("series {}", option.text),
        DeclarationKind::Track { name, end, steps } => {
            let steps = if steps.items.is_empty() { String::new() } else { format!(" {}", block(steps, track_step)) };
            format!("track {} to {}{steps}", name.text, amount(end))
        }
        DeclarationKind::Needs { name, condition, reason } => {
            format!("needs {}: {} {}", name.text, expr(condition), quoted(&reason.text))
        }
        DeclarationKind::Rival { name, when, rows } => {
            let rows = block(rows, entry);
            format!("rival {}{} {rows}", name.text, maybe(" when ", when.as_ref().map(expr)))
        }
        DeclarationKind::Agents(lines) => format!("agents {}", block(lines, declaration_text)),
        DeclarationKind::Worth { style, states, value } => {
            let what = style.as_ref().map_or("worth".to_string(), |name| format!("style {}", name.text));
            let states = states.as_ref().map_or(String::new(), |states| format!(" over {} states", amount(states)));
            format!("{what}{states} = {}", expr(value))
        }
    }
}

fn option_text(values: &OptionValues) -> String {
    let all = match &values.choices {
        OptionChoices::One(all) => all.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" | "),
        OptionChoices::Several(all) => format!("any of {}", names(all)),
        OptionChoices::Range { from, to } => format!("{} to {}", expr(from), expr(to)),
    };
    let default: String = values.default.iter().map(|name| format!(", default {}", name.text)).collect();
    format!("{all}{default}{}", says(values.each_player, ", for each player"))
}

fn parameters(params: &[Name]) -> String {
    if params.is_empty() { String::new() } else { format!("({})", names(params)) }
}

fn bounds_text(bounds: &[Bound]) -> String {
    let bound = |bound: &Bound| match bound {
        Bound::AtMost(value) => format!(", at most {}", expr(value)),
        Bound::AtLeast(value) => format!(", at least {}", expr(value)),
        Bound::RankedAs(value) => format!(", ranked as {}", expr(value)),
    };
    bounds.iter().map(bound).collect()
}

fn member(member: &Member) -> String {
    match &member.kind {
        MemberKind::Resource { names: all } => format!("resource {}", names(all)),
        MemberKind::Counter { names: all } => format!("counter {}", names(all)),
        MemberKind::Flag { names: all } => format!("flag {}", names(all)),
        MemberKind::Set { name, of } => format!("set {} of {}", name.text, of.text),
        MemberKind::Tally { name, by } => format!("tally {} by {}", name.text, by.text),
        MemberKind::Each { lifetime, members } => format!("each {} {}", lifetime.text, block(members, self::member)),
        MemberKind::Deck { name, by, kinds, filter } => {
            let by = maybe(" by ", by.as_ref().map(|by| by.text.clone()));
            format!("deck {}{by} of {}{}", name.text, names(kinds), maybe(" where ", filter.as_ref().map(expr)))
        }
        MemberKind::Grid { name, rows, columns } => format!("grid {} {} by {}", name.text, amount(rows), amount(columns)),
        MemberKind::Hexes { name, rings } => format!("hexes {} {}", name.text, amount(rings)),
        MemberKind::Place(PlaceMember { names: all, kinds, limit, room, hidden }) => {
            let kinds = if kinds.is_empty() { String::new() } else { format!(" of {}", names(kinds)) };
            let (limit, room) = (maybe(": ", limit.as_ref().map(amount)), maybe(", room ", room.as_ref().map(amount)));
            format!("place {}{kinds}{limit}{room}{}", names(all), says(*hidden, ", hidden"))
        }
        MemberKind::Pool { name, face_down, full } => {
            format!("pool {}{}{}", name.text, says(*face_down, ", face down"), says(*full, ", full"))
        }
    }
}

fn track_step(step: &TrackStep) -> String {
    let at = |at: &[Expr]| at.iter().map(amount).collect::<Vec<_>>().join(", ");
    let when = match &step.when {
        TrackWhen::Reaching(steps) => format!("reaching {}", at(steps)),
        TrackWhen::Leaving(steps) => format!("leaving {}", at(steps)),
        TrackWhen::Beyond => "beyond".into(),
    };
    format!("{when} {}", body_text(&step.body))
}

fn entry(entry: &Entry) -> String {
    format!("{}: {}", names(&entry.keys), expr(&entry.value))
}

fn field(field: &Field) -> String {
    match &field.kind {
        FieldKind::Slot { place } => format!("slot {}", place.text),
        FieldKind::Field { name, holds, maybe: may, default } => {
            let holds = match holds {
                FieldType::Number => "number".into(),
                FieldType::Numbers => "numbers".into(),
                FieldType::Cards => "cards".into(),
                FieldType::Of(words) => format!("of {}", names(words)),
                FieldType::OneOf(word) => format!("one of {}", word.text),
            };
            format!("{}{}: {holds}{}", if *may { "maybe " } else { "" }, name.text, maybe(" = ", default.as_ref().map(amount)))
        }
    }
}

fn sort(sort: &TokenSort) -> String {
    let shows = |Shown { count, symbol: name }: &Shown| format!("{}{}", count.as_ref().map_or(String::new(), |n| expr(n) + " "), name.text);
    let face = |face: &Face| match face.shows.is_empty() {
        true => "nothing".to_string(),
        false => face.shows.iter().map(shows).collect::<Vec<_>>().join(", "),
    };
    format!("{} {}: {}", sort.name.text, amount(&sort.count), sort.faces.iter().map(face).collect::<Vec<_>>().join(" | "))
}

fn part(part: &PhasePart) -> String {
    match part {
        PhasePart::Step(step) => {
            let when = step.when.as_ref().map(|when| format!("{} {}", if when.unless { "unless" } else { "when" }, expr(&when.condition)));
            format!("step {}{} {}", step.name.text, maybe(" ", when), body_text(&step.body))
        }
        PhasePart::Turns(turns) => {
            let each = turns.each.as_ref().map(|each| amount(each) + " each");
            let counted = turns.counted.as_ref().map(|counter| format!("counted in {}", counter.text));
            format!("turns in order until all have {}{}{}", turns.until.text, maybe(", ", each), maybe(", ", counted))
        }
        PhasePart::BeforeFirstAction(first) => format!("before first action {}", body_text(&first.body)),
        PhasePart::Action(action) => {
            let param = |param: &ActionParam| {
                let word = param.word.as_ref().map_or(String::new(), |word| format!("{} ", word.text));
                format!("{}{word}{} in {}", says(param.maybe, "maybe "), param.name.text, cards(&param.cards))
            };
            let params = action.params.iter().map(param).collect::<Vec<_>>().join(", ");
            let params = if params.is_empty() { params } else { format!(" {params}") };
            format!("{}action {}{params} {}", says(action.free, "free "), action.name.text, block(&action.parts, action_part))
        }
        PhasePart::Statement(statement) => statement_text(statement),
    }
}

fn action_part(part: &ActionPart) -> String {
    match part {
        ActionPart::Needs { name, only_if, condition, reason, .. } => {
            let only_if = maybe(" if ", only_if.as_ref().map(expr));
            format!("needs {}{only_if}: {}{}", name.text, expr(condition), maybe(" ", reason.as_ref().map(|text| quoted(&text.text))))
        }
        ActionPart::Cost(cost) => {
            let pools = cost.pools.as_ref().map(|Pools { from, to }| format!("from {} to {}", from.text, to.text));
            format!("cost {} {}{}", amount(&cost.amount), term(&cost.what), maybe(" ", pools))
        }
        ActionPart::Does { body, .. } => format!("does {}", body_text(body)),
    }
}

fn check(check: &Check) -> String {
    let line = |line: &CheckLine| match &line.kind {
        CheckKind::Leaving { zone } => format!("remove cards in {} that say they leave", zone.text),
        CheckKind::Room { zone } => format!("remove cards in {} beyond the room of their place", zone.text),
    };
    format!("check {} {}", check.name.text, block(&check.body, line))
}

// ------------------------------------------------------------------ statements

fn body_text(body: &Body) -> String {
    block(body, statement_text)
}

fn statement_text(statement: &Statement) -> String {
    let reverse = |reverse: bool| says(reverse, " in reverse order");
    let filtered = |filter: &Option<Expr>| maybe(" where ", filter.as_ref().map(expr));
    match &statement.kind {
        StatementKind::If { condition, yes, no } => {
            let no = no.as_ref().map(|no| match no {
                Else::Body(body) => body_text(body),
                Else::If(statement) => statement_text(statement),
            });
            format!("if {} {}{}", expr(condition), body_text(yes), maybe(" else ", no))
        }
        StatementKind::Unless { condition, body } => format!("unless {} {}", expr(condition), body_text(body)),
        StatementKind::For { name, within, body } => format!("for {} in {} {}", name.text, names(within), body_text(body)),
        StatementKind::RepeatUntil { condition, body } => format!("repeat until {} {}", expr(condition), body_text(body)),
        StatementKind::Advance { track, by } => format!("advance {} by {}", track.text, expr(by)),
        StatementKind::Repeat { times, body } => format!("repeat {} {}", expr(times), body_text(body)),
        StatementKind::EachPlayer { others, reverse: back, filter, body } => {
            format!("each{} player{}{} {}", says(*others, " other"), reverse(*back), filtered(filter), body_text(body))
        }
        StatementKind::EachPlayerChooses { others, reverse: back, choices } => {
            format!("each{} player{} chooses {}", says(*others, " other"), reverse(*back), block(choices, choice))
        }
        StatementKind::EachCard { name, cards: all, body } => format!("each {} in {} {}", name.text, cards(all), body_text(body)),
        StatementKind::AllPlayers { others, secretly, filter, body } => {
            format!("all{} players{}{} {}", says(*others, " other"), says(*secretly, " secretly"), filtered(filter), body_text(body))
        }
        StatementKind::Shuffle { cards: all, deck: into } => {
            format!("shuffle {}{}", all.as_ref().map_or(String::new(), |all| cards(all) + " into "), deck(into))
        }
        StatementKind::PlaceAt { card, place, at } => format!("place {} in {} at {}", term(card), place.text, term(at)),
        StatementKind::Swap { card, with } => format!("swap {} with {}", term(card), term(with)),
        StatementKind::OrderFrom { filter } => format!("order begins with player where {}", expr(filter)),
        StatementKind::Do { effect, args } => format!("do {}", called(effect, args)),
        StatementKind::Moment { name, args } => format!("moment {}", called(name, args)),
        StatementKind::Choose { choices } => format!("player chooses {}", block(choices, choice)),
        StatementKind::MayChoose { choices } => format!("player may choose {}", block(choices, choice)),
        StatementKind::PickAny { choices } => format!("player picks any {}", block(choices, choice)),
        StatementKind::PickTokens { tokens: which, pools, at_least, body } => {
            let least = maybe(", at least ", at_least.as_ref().map(amount));
            format!("player picks any {} in {}{least} {}", tokens(which), names(pools), body_text(body))
        }
        StatementKind::PickSome { count, tokens: which, pools, body } => {
            format!("player picks {} {} in {} {}", amount(count), tokens(which), names(pools), body_text(body))
        }
        StatementKind::Gain { amount: n, resource } => format!("gain {} {}", amount(n), term(resource)),
        StatementKind::Lose { amount: n, resource, named } => {
            format!("lose {} {}{}", amount(n), term(resource), maybe(" for ", named.as_ref().map(|name| name.text.clone())))
        }
        StatementKind::Noting { tally, body } => format!("noting losses in {} {}", tally.text, body_text(body)),
        StatementKind::Pay { amount: n, resource } => format!("pay {} {}", amount(n), term(resource)),
        StatementKind::PayMix { amount: n, resources } => format!("pay {} of {} in any mix", amount(n), names(resources)),
        StatementKind::AddTo { value, set } => format!("add {} to {}", expr(value), set.text),
        StatementKind::Assign { target, index, op, value } => {
            let op = match op {
                AssignOp::Set => "=",
                AssignOp::Add => "+=",
                AssignOp::Sub => "-=",
            };
            format!("{}{} {op} {}", target.text, index.as_ref().map_or(String::new(), |index| format!("[{}]", expr(index))), expr(value))
        }
        StatementKind::Draw { from, to, named } => {
            format!("draw from {} to {}{}", deck(from), to.text, maybe(" for ", named.as_ref().map(|name| name.text.clone())))
        }
        StatementKind::Fill { place, from } => format!("fill {} from {}", place.text, deck(from)),
        StatementKind::PassOn { place, reverse } => format!("pass on {}{}", place.text, says(*reverse, " in reverse order")),
        StatementKind::MoveRow { place, from, to } => {
            format!("move cards in {} row {} to row {}, packed left", place.text, amount(from), amount(to))
        }
        StatementKind::Remove { cards: all } => format!("remove {}", cards(all)),
        StatementKind::Put { cards, place } => format!("put {} in {}", names(cards), place.text),
        StatementKind::PlaceInSlot { card } => format!("place {} in its slot", term(card)),
        StatementKind::PlaceIn { card, place, or_over_one } => {
            format!("place {} in {}{}", term(card), place.text, says(*or_over_one, ", or over one"))
        }
        StatementKind::Acts { card } => format!("{} acts", card.text),
        StatementKind::OrderAtRandom => "order at random".into(),
        StatementKind::OrderBy { keys } => format!("order by {}", order_keys(keys)),
        StatementKind::TakeTokens { amount: n, tokens: which, at_random, from, to } => {
            format!("take {} {}{} from {} to {}", amount(n), tokens(which), says(*at_random, " at random"), from.text, to.text)
        }
        StatementKind::MoveTokens { tokens: which, from, to } => format!("move all {} from {} to {}", tokens(which), from.text, to.text),
        StatementKind::MoveToken { token, to } => format!("move {} to {}", token.text, to.text),
        StatementKind::LiftTokens { tokens: which, pool } => format!("lift all {} in {}", tokens(which), pool.text),
        StatementKind::LiftToken { token } => format!("lift {}", token.text),
        StatementKind::Roll { pool } => format!("roll {}", pool.text),
        StatementKind::Spend { amount: n, symbol, from, to } => {
            format!("spend {} {} from {} to {}", amount(n), term(symbol), from.text, to.text)
        }
    }
}

fn called(name: &Name, args: &[Expr]) -> String {
    if args.is_empty() { name.text.clone() } else { format!("{}({})", name.text, args.iter().map(expr).collect::<Vec<_>>().join(", ")) }
}

fn deck(deck: &Deck) -> String {
    deck.index.as_ref().map_or(deck.name.text.clone(), |index| format!("{}[{}]", deck.name.text, expr(index)))
}

fn order_keys(keys: &[OrderKey]) -> String {
    let key = |key: &OrderKey| match key {
        OrderKey::Present(_) => "order".into(),
        OrderKey::By(value) => expr(value),
    };
    keys.iter().map(key).collect::<Vec<_>>().join(", then ")
}

fn choice(choice: &Choice) -> String {
    let offer = match &choice.offer {
        Offer::Word(text) => quoted(&text.text),
        Offer::Cards { name, cards: all } => format!("each {} in {}", name.text, cards(all)),
        Offer::Words { name, within } => format!("each {} in {}", name.text, names(within)),
        Offer::Numbers { name, from, to } => format!("each {} in {} to {}", name.text, amount(from), amount(to)),
        Offer::Otherwise => return format!("else {}", body_text(&choice.body)),
    };
    let condition = maybe(" if ", choice.condition.as_ref().map(expr));
    let up_to = maybe(", up to ", choice.up_to.as_ref().map(amount));
    format!("{offer}{condition}{up_to} {}{}", body_text(&choice.body), maybe(" else ", choice.otherwise.as_ref().map(body_text)))
}

// ------------------------------------------------------------------ expressions

/// How strongly an expression holds together: more binds more.
fn binding(expr: &Expr) -> u8 {
    match &*expr.kind {
        ExprKind::If { .. } => 0,
        ExprKind::Binary { op: BinaryOp::Or, .. } => 1,
        ExprKind::Binary { op: BinaryOp::And, .. } => 2,
        ExprKind::Not(_) => 3,
        ExprKind::Is { .. } | ExprKind::IsThere { .. } | ExprKind::NextTo { .. } | ExprKind::In { .. } | ExprKind::InRange { .. } => 4,
        ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. } => 5,
        ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::Div, .. } => 6,
        ExprKind::Binary { .. } => 4,
        ExprKind::Minus(_) => 7,
        ExprKind::CountCards(_) | ExprKind::AnyCards(_) | ExprKind::CountPlayers(_) | ExprKind::AnyPlayers(_) => 0,
        ExprKind::OverCards { .. } | ExprKind::OverPlayers { .. } => 0,
        ExprKind::Words(_) | ExprKind::Ranked { .. } | ExprKind::Truth(_) => 8,
        ExprKind::NumberOf { .. } | ExprKind::Shown { .. } | ExprKind::Payable { .. } | ExprKind::FirstOf { .. } => 8,
        ExprKind::Number { .. } | ExprKind::Quoted(_) | ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::Item { .. } => 9,
        ExprKind::By { .. } | ExprKind::NoneIn(_) | ExprKind::FirstRound | ExprKind::LastOf(_) => 9,
        ExprKind::Row(_) | ExprKind::Column(_) | ExprKind::Distance { .. } | ExprKind::Amount(_) => 9,
    }
}

fn at_least(level: u8, value: &Expr) -> String {
    if binding(value) >= level { expr(value) } else { format!("({})", expr(value)) }
}

/// A value where no condition may stand without brackets.
fn amount(value: &Expr) -> String {
    match &*value.kind {
        ExprKind::Words(_) | ExprKind::Ranked { .. } | ExprKind::Quoted(_) => format!("({})", expr(value)),
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div), left, right } => {
            let level = if matches!(op, BinaryOp::Add | BinaryOp::Sub) { 5 } else { 6 };
            let side = |side: &Expr, level: u8| if binding(side) >= level { amount(side) } else { format!("({})", expr(side)) };
            format!("{} {} {}", side(left, level), op.sign(), side(right, level + 1))
        }
        _ => at_least(5, value),
    }
}

/// One value.
fn term(value: &Expr) -> String {
    match &*value.kind {
        ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::Item { .. } => expr(value),
        _ => format!("({})", expr(value)),
    }
}

pub fn expr(value: &Expr) -> String {
    match &*value.kind {
        ExprKind::Number { thousandths, decimal: false } => (thousandths / 1000).to_string(),
        ExprKind::Number { thousandths, decimal: true } => {
            format!("{}.{:03}", thousandths / 1000, thousandths % 1000).trim_end_matches('0').into()
        }
        ExprKind::Truth(yes) => if *yes { "yes" } else { "no" }.into(),
        ExprKind::Quoted(text) => quoted(&text.text),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Words(words) => words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "),
        ExprKind::Ranked { rank, by } => format!("{} {}", rank.text, if binding(by) < 9 { format!("({})", expr(by)) } else { term(by) }),
        ExprKind::Call { name, args } => format!("{}({})", name.text, args.iter().map(expr).collect::<Vec<_>>().join(", ")),
        ExprKind::Item { name, index } => format!("{}[{}]", name.text, expr(index)),
        ExprKind::Not(inner) => format!("not {}", at_least(3, inner)),
        ExprKind::Minus(inner) => format!("-{}", at_least(7, inner)),
        ExprKind::Binary { op, left, right } => {
            let level = binding(value);
            format!("{} {} {}", at_least(level, left), op.sign(), at_least(level + 1, right))
        }
        ExprKind::Is { left, not, right } => format!("{} is {}{}", at_least(4, left), says(*not, "not "), at_least(5, right)),
        ExprKind::NextTo { left, not, to } => format!("{} is {}next to {}", at_least(4, left), says(*not, "not "), term(to)),
        ExprKind::Distance { from, to } => format!("distance from {} to {}", term(from), term(to)),
        ExprKind::IsThere { left, not } => format!("{} is {}there", at_least(4, left), says(*not, "not ")),
        ExprKind::InRange { left, from, to } => format!("{} in {} to {}", at_least(4, left), amount(from), amount(to)),
        ExprKind::In { left, my, name } => format!("{} in {}{}", at_least(4, left), says(*my, "my "), name.text),
        ExprKind::If { condition, yes, no } => format!("if {} then {} else {}", at_least(1, condition), at_least(1, yes), expr(no)),
        ExprKind::By { over, entries } => {
            format!("by {} {{ {} }}", over.text, entries.items.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        ExprKind::NoneIn(place) => format!("no {}", place.text),
        ExprKind::FirstRound => "first round".into(),
        ExprKind::LastOf(name) => format!("round is last of {}", name.text),
        ExprKind::CountPlayers(which) => format!("count {}", players(which)),
        ExprKind::AnyPlayers(which) => format!("any {}", players(which)),
        ExprKind::CountCards(which) => format!("count {}", cards(which)),
        ExprKind::AnyCards(which) => format!("any {}", cards(which)),
        ExprKind::OverCards { fold, each, of } => format!("{} {} of {}", fold.word(), amount(each), cards(of)),
        ExprKind::OverPlayers { fold, each, of } => format!("{} {} of {}", fold.word(), amount(each), players(of)),
        ExprKind::FirstOf { count, list } => format!("first {} of {}", amount(count), list.text),
        ExprKind::Row(card) => format!("row of {}", term(card)),
        ExprKind::Column(card) => format!("column of {}", term(card)),
        ExprKind::Amount(resource) => format!("amount of {}", term(resource)),
        ExprKind::Shown { symbol, pool } => format!("shown {} in {}", term(symbol), pool.text),
        ExprKind::Payable { symbol, pool } => format!("payable {} from {}", term(symbol), pool.text),
        ExprKind::NumberOf { tokens: which, pool } => format!("number of {} in {}", tokens(which), pool.text),
    }
}

fn cards(cards: &Cards) -> String {
    let whose = match cards.whose {
        Whose::Unsaid => "",
        Whose::My => "my ",
        Whose::All => "all ",
    };
    let rows = match cards.rows.as_slice() {
        [] => String::new(),
        [row] => format!(" row {}", amount(row)),
        rows => format!(" rows {}", rows.iter().map(expr).collect::<Vec<_>>().join(", ")),
    };
    let with = maybe(" with ", cards.with.as_ref().map(|name| name.text.clone()));
    let filter = match (&cards.filter, cards.joined) {
        (Some(joined), true) => format!(" and ({})", expr(joined)),
        (condition, _) => maybe(" where ", condition.as_ref().map(filter)),
    };
    format!("{whose}{}{rows}{with}{filter}", cards.name.text)
}

/// What stands behind `where`: what it ends with is in brackets, so that it does not swallow what follows.
fn filter(condition: &Expr) -> String {
    let reckoned = |op| matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
    let is_open = |value: &Expr| matches!(&*value.kind, ExprKind::Binary { op, .. } if reckoned(*op));
    match &*condition.kind {
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right } if binding(right) > binding(condition) => {
            format!("{} {} {}", at_least(binding(condition), left), op.sign(), filter(right))
        }
        ExprKind::Binary { op, left, right } if is_open(right) => format!("{} {} ({})", at_least(4, left), op.sign(), expr(right)),
        ExprKind::InRange { left, from, to } if is_open(to) => format!("{} in {} to ({})", at_least(4, left), amount(from), expr(to)),
        _ => expr(condition),
    }
}

fn players(players: &Players) -> String {
    let which = match &players.which {
        PlayersWhich::Any => String::new(),
        PlayersWhich::Where(condition) => format!(" where {}", filter(condition)),
        PlayersWhich::Fewer(than) => format!(" with fewer {}", term(than)),
        PlayersWhich::More(than) => format!(" with more {}", term(than)),
    };
    format!("{}players{which}", says(players.other, "other "))
}

fn tokens(tokens: &Tokens) -> String {
    let face = maybe(":", tokens.face.as_ref().map(|face| face.text.clone()));
    format!("{}{face}{}", tokens.name.text, maybe(" showing ", tokens.showing.as_ref().map(term)))
}

mod tests {
    use super::super::overlay::rules_of;
    use super::super::parse_file;
    use super::super::reference::reference;
    use super::print;
    use crate::source::{FileId, Sources};
    use std::path::Path;

    fn printed(text: &str) -> String {
        let mut diagnostics = Vec::new();
        let rules = rules_of(parse_file(FileId(0), text, &mut diagnostics));
        assert_eq!(diagnostics, [], "{text}");
        print(&rules)
    }

    #[test]
    fn shipped_rules_read_the_same_when_they_have_been_printed() {
        for path in Sources::read_dir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules"), "rules").expect("rules") {
            let once = printed(&std::fs::read_to_string(path).expect("a text"));
            assert_eq!(printed(&once), once);
        }
    }

    #[test]
    fn every_example_becomes_what_it_says() {
        // What may stand in a block, and a block in which it stands.
        let contexts = [
            ("one_line", "", ""),
            ("one_member", "player { ", " }"),
            ("one_field_line", "kind k { ", " }"),
            ("one_sort", "tokens t { ", " }"),
            ("one_statement", "effect e { ", " }"),
            ("one_phase_part", "phase p { ", " }"),
            ("one_action_part", "phase p { action a { ", " } }"),
            ("one_check", "always { ", " }"),
            ("one_check_line", "always { check c { ", " } }"),
            ("one_track_step", "track path to 6 { ", " }"),
            ("one_score_row", "score { ", " }"),
            ("one_choice", "effect e { player chooses { ", " } }"),
            ("phrase", "define d = ", ""),
            ("atom", "define d = ", ""),
            ("operand", "define d = ", ""),
        ];
        // What is written in one of two ways, and printed in the other.
        let ways = [
            (" } \"", " }; \""),
            (" } each ", " }; each "),
            (", then ", ", "),
            (" } else { lose 1 moss }", " }; else { lose 1 moss }"),
            ("remove cards in market", "remove market"),
            ("3, 4: 2", "3: 2, 4: 2"),
            (", full, face down", ", face down, full"),
        ];
        let same = |text: &str| ways.iter().fold(text.to_string(), |text, (one, other)| text.replace(one, other));
        let (mut count, mut wrong) = (0, Vec::new());
        for (alone, before, behind) in contexts {
            let alternatives = reference().alternatives(alone);
            let constructs = reference().written().filter(|construct| alternatives.contains(&construct.rule));
            for construct in constructs
                .filter(|construct| !["change", "replace", "delete", "insert", "extend", "variant"].contains(&construct.rule.as_str()))
            {
                for example in &construct.examples {
                    let text = format!("{before}{example}{behind}\n");
                    count += 1;
                    if same(&printed(&text)) != same(&text) {
                        wrong.push((same(&printed(&text)), same(&text)));
                    }
                }
            }
        }
        assert_eq!(wrong, []);
        assert!(count > 100, "{count}");
    }

    #[test]
    fn operators_bind_as_the_grammar_says() {
        for (text, wanted) in [
            ("a + b * c - d", "a + b * c - d"),
            ("(a + b) * c", "(a + b) * c"),
            ("a - (b - c)", "a - (b - c)"),
            ("not a and b or c", "not a and b or c"),
            ("not (a and b)", "not (a and b)"),
            ("not a == b + 1", "not a == b + 1"),
            ("-a * b", "-a * b"),
            ("- (a + b)", "-(a + b)"),
            ("a is not b and c is there", "a is not b and c is there"),
            ("a in 1 to b + 2 or x in my yard", "a in 1 to b + 2 or x in my yard"),
            ("if a then b else c + 1", "if a then b else c + 1"),
            ("(if a then b else c) + 1", "(if a then b else c) + 1"),
            ("most stable and top (a + b)", "most stable and top (a + b)"),
            ("count my yard where a > 1 and b", "count my yard where a > 1 and b"),
            ("(count my yard) > 1", "(count my yard) > 1"),
            ("a +\n  b // why\n  - c", "a + b - c"),
            ("0.35 * a", "0.35 * a"),
        ] {
            assert_eq!(printed(&format!("define d = {text}\n")), format!("define d = {wanted}\n"));
        }
    }
}
