//! Lists the options of a question on a card: the words and cards of its offers.

use super::decision::{Act, Opt};
use super::eval::Env;
use super::ids::PieceId;
use super::ruleset::{NodeId, Offer, ScriptQuestion};
use super::sets;
use super::store::Store;

/// Lists the options of the question before a script.
pub(crate) fn list_before_script(store: &mut Store<'_>, ask: &ScriptQuestion, env: &mut Env, options: &mut Vec<Opt>) {
    let rules = store.rules;
    for (offer, when) in &ask.offers {
        list(store, offer, *when, env, options);
    }
    if ask.may && !options.is_empty() {
        options.push(Opt::new(rules, Act::Nothing));
    }
}

/// Adds the options of an offer to a list.
pub(crate) fn list(store: &mut Store<'_>, offer: &Offer, when: Option<NodeId>, env: &mut Env, options: &mut Vec<Opt>) {
    let rules = store.rules;
    match offer {
        Offer::Word(name) => {
            if store.holds_if(when, env) {
                options.push(Opt::new(rules, Act::Word(*name)));
            }
        }
        Offer::Cards(set) => {
            let local = rules.sets[*set as usize].local as usize;
            sets::each_card(store, *set, env, |game, env| {
                if game.holds_if(when, env) {
                    options.push(Opt::new(rules, Act::Card(PieceId::in_option(env.locals[local]))));
                }
                true
            });
        }
    }
}
