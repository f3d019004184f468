//! Which back end evaluates expressions, and when code is generated.

use super::sandbox::{COMPILES_ASIDE, has_addresses};
use super::shared::SharedCode;
use super::{Emitted, Native};
use crate::ruleset::{NodeId, Ruleset};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How expressions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BackEnd {
    /// By a walk at first, and by generated code once much has been walked.
    Both = 0,
    /// By a walk alone.
    Walker = 1,
    /// By generated code from the first game on.
    Native = 2,
}

static CHOSEN: AtomicU8 = AtomicU8::new(BackEnd::Both as u8);

/// Chooses how expressions are evaluated in games that begin from now on, in this process. What comes of them is the same.
pub fn set_back_end(back_end: BackEnd) {
    CHOSEN.store(back_end as u8, Relaxed);
}

/// How many expressions are walked for each that has been asked for as a whole, before code is generated: to walk them takes about as long as
/// to compile code for one, so that all together never take more than twice as long as what would have been best.
const ENOUGH_EACH: u64 = 100_000;
/// How many are walked between two walks being counted together.
const TOLD: u32 = 1 << 12;

/// What is known of the walks of a ruleset, and the code that came of them.
struct Walked {
    /// How many expressions have been walked since code was last generated.
    steps: AtomicU64,
    /// Whether code is being generated; stays set where there can be none.
    is_compiling: AtomicBool,
    /// For each expression whether it has been asked for as a whole.
    asked: Box<[AtomicBool]>,
    compiled: Mutex<Option<Arc<Native>>>,
    /// What is shared with other rulesets.
    shared: OnceLock<Arc<SharedCode>>,
    /// How much of what is shared has been looked at.
    looked_at: AtomicUsize,
    /// All code, compiled ahead of the first game; `None` within if there can be none.
    ahead: OnceLock<Option<Arc<Native>>>,
}

impl Walked {
    fn of(rules: &Ruleset) -> Option<&Walked> {
        let new = || -> Box<dyn std::any::Any + Send + Sync> {
            let asked = (0..rules.graph.count()).map(|_| AtomicBool::new(false)).collect();
            Box::new(Walked {
                steps: AtomicU64::new(0),
                is_compiling: AtomicBool::new(false),
                asked,
                compiled: Mutex::new(None),
                shared: OnceLock::new(),
                looked_at: AtomicUsize::new(0),
                ahead: OnceLock::new(),
            })
        };
        rules.code.back_end.0.get_or_init(new).downcast_ref()
    }
}

/// Returns the code by which a game that begins now is run; `None` if it is walked.
pub(crate) fn current(rules: &Ruleset) -> Option<Arc<Native>> {
    let chosen = CHOSEN.load(Relaxed);
    if chosen == BackEnd::Walker as u8 {
        return None;
    }
    let walked = Walked::of(rules)?;
    if chosen == BackEnd::Native as u8 {
        return walked.ahead.get_or_init(|| Native::compile_all(rules).ok().map(Arc::new)).clone();
    }
    let mut compiled = walked.compiled.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(shared) = walked.shared.get().filter(|shared| shared.count() > walked.looked_at.load(Relaxed)) {
        walked.look_at_shared(rules, shared, &mut compiled);
    }
    compiled.clone()
}

/// Lets two rulesets share machine code, now and later, as long as their modules differ in nothing but constants. If they differ in more, each
/// has code of its own. What comes of games is the same. Rules with as many expressions are taken for the same as far as it matters when code is
/// generated: what has been walked for the original is not walked again for the other.
pub fn share_code(original: &Ruleset, other: &Ruleset) {
    let is_alike = original.graph.count() == other.graph.count();
    let Some((original, other)) = Walked::of(original).zip(Walked::of(other)) else { return };
    let shared = original.shared.get_or_init(Arc::default);
    let compiled = original.compiled.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(native) = &*compiled {
        shared.add(&native.code);
    } else if is_alike && !original.is_compiling.load(Relaxed) {
        other.steps.store(original.steps.load(Relaxed), Relaxed);
        let asked = original.asked.iter().zip(&other.asked).filter(|(asked, _)| asked.load(Relaxed));
        asked.for_each(|(_, asked)| asked.store(true, Relaxed));
    }
    _ = other.shared.set(shared.clone());
}

/// Notes that an expression has been walked as a whole. Generates code in a thread of its own when enough has been walked.
#[inline]
pub(crate) fn note_walked(rules: &Ruleset, expr: NodeId, steps: &mut u32) {
    let Some(walked) = Walked::of(rules) else { return };
    if let Some(asked) = walked.asked.get(expr.index()).filter(|asked| !asked.load(Relaxed)) {
        asked.store(true, Relaxed);
    }
    if *steps >= TOLD {
        walked.tell(rules, std::mem::take(steps));
    }
}

impl Walked {
    /// Takes up the machine code of other rulesets, if it is that of these rules.
    #[cold]
    fn look_at_shared(&self, rules: &Ruleset, shared: &SharedCode, compiled: &mut Option<Arc<Native>>) {
        let roots = compiled.as_ref().map_or(0, |native| native.code.roots.len());
        let (codes, count) = shared.since(rules, self.looked_at.load(Relaxed), roots);
        self.looked_at.store(count, Relaxed);
        let Some(native) = codes.iter().find_map(|code| Native::by(code, rules)) else { return };
        // What is asked for beyond it is compiled together with it.
        native.code.roots.iter().filter_map(|root| self.asked.get(root.index())).for_each(|asked| asked.store(true, Relaxed));
        *compiled = Some(Arc::new(native));
        self.steps.store(0, Relaxed);
    }

    /// Adds walks; generates code in a thread of its own when there have been enough.
    #[cold]
    fn tell(&self, rules: &Ruleset, steps: u32) {
        let all = self.steps.fetch_add(steps.into(), Relaxed) + u64::from(steps);
        let may_compile = || CHOSEN.load(Relaxed) == BackEnd::Both as u8 && !self.is_compiling.load(Relaxed) && has_addresses();
        if all < ENOUGH_EACH || !may_compile() {
            return;
        }
        let asked = |id: NodeId| self.asked.get(id.index()).is_some_and(|asked| asked.load(Relaxed));
        // Players of one style meet those of others.
        let styles = rules.worths.iter().map(|worth| worth.value).filter(|_| rules.worths.iter().any(|worth| asked(worth.value)));
        let mut roots: Vec<NodeId> = rules.graph.all().map(|(id, _)| id).filter(|id| asked(*id)).chain(styles).collect();
        roots.sort_unstable();
        roots.dedup();
        if all < ENOUGH_EACH * roots.len() as u64 || self.is_compiling.swap(true, Relaxed) {
            return;
        }
        let Some(emitted) = Emitted::new(rules, &roots) else { return };
        let code = rules.code.clone();
        let compile = move || {
            let native = emitted.compile().ok().map(Arc::new);
            if let (Some(native), Some(walked)) = (native, code.back_end.0.get().and_then(|kept| kept.downcast_ref::<Walked>())) {
                if let Some(shared) = walked.shared.get() {
                    shared.add(&native.code);
                }
                *walked.compiled.lock().unwrap_or_else(PoisonError::into_inner) = Some(native);
                // Games that go on without it are not counted twice.
                walked.steps.store(0, Relaxed);
                walked.is_compiling.store(false, Relaxed);
            }
        };
        if COMPILES_ASIDE {
            // Without a thread games go on as they are.
            _ = std::thread::Builder::new().name("compile".to_string()).spawn(compile);
        } else {
            compile();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::graph::{Expr, NumberOp};
    use crate::{Game, testing};

    /// Rules that read what is printed on a card, or a number of the table in its place.
    fn rules(printed: [i64; 5], reads_table: bool) -> (Ruleset, NodeId) {
        let mut read = None;
        let rules = testing::rules(|rules, add| {
            let card = add(rules, Expr::Local { local: 0 });
            read = Some(if reads_table { add(rules, Expr::Global { cell: 0 }) } else { rules.graph.column(card, printed.into()) });
        });
        (rules, read.expect("an expression"))
    }

    /// What is printed on the second piece, by generated code.
    fn value(rules: &Ruleset, read: NodeId) -> Option<i64> {
        let mut env = Env::for_seat(0);
        env.locals[0] = 1;
        Game::new(rules, 1).store(rules).native_value(read, &env)
    }

    #[test]
    fn rules_with_other_figures_take_up_machine_code_and_keep_their_figures() {
        let (original, read) = rules([0, 3, 1, 4, 1], false);
        let native = Arc::new(Native::compile_all(&original).expect("code"));
        *Walked::of(&original).expect("a back end").compiled.lock().expect("a lock") = Some(native.clone());
        for (printed, reads_table, shares) in
            [([0, 3, 0, 4, 1], false, true), ([0, 3, 1, 4, 1], false, true), ([0, 3, 1, 4, 1], true, false)]
        {
            let (other, of_other) = rules(printed, reads_table);
            assert!(current(&other).is_none());
            share_code(&original, &other);
            assert_eq!(current(&other).is_some_and(|other| other.is_shared_with(&native)), shares, "{printed:?} {reads_table}");
            assert_eq!(value(&other, of_other), shares.then_some(printed[2]));
            assert_eq!(value(&original, read), Some(1), "its own figures");
        }
    }

    #[test]
    fn rules_with_other_weights_run_by_the_same_machine_code() {
        let weighed = |weight: i64| {
            let mut made = None;
            let rules = testing::rules(|rules, add| {
                let (weight, card) = (rules.graph.weight(weight), add(rules, Expr::Local { local: 0 }));
                made = Some(rules.graph.binary(NumberOp::Mul, weight, card));
            });
            (rules, made.expect("an expression"))
        };
        let (original, product) = weighed(1500);
        let native = Arc::new(Native::compile_all(&original).expect("code"));
        *Walked::of(&original).expect("a back end").compiled.lock().expect("a lock") = Some(native.clone());
        assert_eq!(value(&original, product), Some(1500));
        for weight in [-250, 0, 1, 1500, crate::graph::MAX_WEIGHT, -crate::graph::MAX_WEIGHT] {
            let (other, product) = weighed(weight);
            share_code(&original, &other);
            assert!(current(&other).is_some_and(|other| other.is_shared_with(&native)), "{weight}");
            assert_eq!(value(&other, product), Some(weight));
        }
        let (beyond, product) = weighed(crate::graph::MAX_WEIGHT + 1);
        share_code(&original, &beyond);
        assert!(current(&beyond).is_none(), "a constant");
        assert_eq!(beyond.graph.count(), original.graph.count());
        assert!(matches!(beyond.graph[product], Expr::Binary { .. }));
    }
}
