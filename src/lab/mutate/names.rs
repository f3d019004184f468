//! Names that can replace each other, since the rules declare them as the same category.

use std::collections::BTreeMap;

use pest::Parser;
use pest::iterators::Pair;

use crate::syntax::grammar::{Grammar, Rule};

/// The names that the rules declare, by category.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameCategories {
    /// Names of each category in order of declaration.
    names_by_category: BTreeMap<&'static str, Vec<String>>,
}

impl NameCategories {
    /// Adds the declarations of a rules file. A file that cannot be parsed adds nothing.
    pub fn add_rules(&mut self, text: &str) {
        for pair in Grammar::parse(Rule::file, text).into_iter().flatten() {
            self.add_declaration(pair);
        }
    }

    /// Adds the names that a parsed declaration introduces, and those of its parts.
    fn add_declaration(&mut self, pair: Pair<'_, Rule>) {
        let declared: (&'static str, usize) = match pair.as_rule() {
            Rule::resource_of => ("resource", usize::MAX),
            Rule::symbols => ("symbol", usize::MAX),
            Rule::counter => ("counter", usize::MAX),
            Rule::flag => ("flag", usize::MAX),
            Rule::kind => ("kind", 1),
            Rule::stat | Rule::changeable => ("quantity", 1),
            Rule::condition => ("condition", 1),
            Rule::told_moment => ("moment", 1),
            _ => ("", 0),
        };
        if declared.1 > 0 {
            let names = names_in(pair.clone()).into_iter().take(declared.1);
            let known = self.names_by_category.entry(declared.0).or_default();
            let new: Vec<String> = names.filter(|name| !known.contains(name)).collect();
            known.extend(new);
        }
        pair.into_inner().for_each(|inner| self.add_declaration(inner));
    }

    /// Returns another name of the same category: the next one in order of declaration. In a dotted name the last part is replaced.
    pub fn next_in_category(&self, name: &str) -> Option<String> {
        let (before, last) = name.rsplit_once('.').map_or(("", name), |(before, last)| (before, last));
        let known = self.names_by_category.values().find(|names| names.len() > 1 && names.iter().any(|known| known == last))?;
        let at = known.iter().position(|known| known == last)?;
        let next = known.get((at + 1) % known.len())?;
        Some(if before.is_empty() { next.clone() } else { format!("{before}.{next}") })
    }
}

/// Returns the names in a declaration, or the quoted texts that replace them.
fn names_in(pair: Pair<'_, Rule>) -> Vec<String> {
    match pair.as_rule() {
        Rule::name => vec![pair.as_str().to_string()],
        Rule::quoted => vec![pair.as_str().trim_matches('"').to_string()],
        Rule::resource_of
        | Rule::symbols
        | Rule::counter
        | Rule::flag
        | Rule::names
        | Rule::place_names
        | Rule::kind
        | Rule::stat
        | Rule::changeable => pair.into_inner().flat_map(names_in).collect(),
        Rule::condition | Rule::told_moment | Rule::signature => pair.into_inner().flat_map(names_in).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_of_the_same_sort() {
        let mut siblings = NameCategories::default();
        siblings.add_rules(
            "player { resource wisp, moss, twig; counter fame }\ncondition \"most fame\" = fame > 1\ncondition calm = moss > 1\n",
        );
        siblings.add_rules("kind wolf { }\nkind wall { }\nmoments { dusk \"evening\"; dawn \"morning\" }\n");
        for (name, other) in [("wisp", "moss"), ("twig", "wisp"), ("calm", "most fame"), ("most fame", "calm"), ("dusk", "dawn")] {
            assert_eq!(siblings.next_in_category(name).as_deref(), Some(other), "{name}");
        }
        assert_eq!(siblings.next_in_category("card.moss").as_deref(), Some("card.twig"));
        assert_eq!(siblings.next_in_category("wolf").as_deref(), Some("wall"));
        // A name that is alone in its category, and an unknown one.
        assert_eq!((siblings.next_in_category("fame"), siblings.next_in_category("storm")), (None, None));
    }
}
