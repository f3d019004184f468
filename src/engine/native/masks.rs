//! Which valid bits of a slot a written cell clears, worked out when code is compiled.

use crate::cast;
use crate::ruleset::Ruleset;
use houserule_codegen::MemoryLayout;
use houserule_ruleset::dependencies::Readers;
use houserule_ruleset::write_effect::WriteEffect;
use houserule_state::layout::{PIECE, TABLE};

/// The bits that are cleared in a word of valid bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lost {
    /// The number of the word among those of all seats, one seat after another.
    pub number: u32,
    pub bits: u64,
}

/// The bits of valid values that are about to be cleared in a slot.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// For each word of all seats its bits.
    lost: Vec<u64>,
    /// The words with such bits.
    words: Vec<u32>,
}

impl Collected {
    /// Makes room for so many words.
    pub fn new(words: usize) -> Collected {
        Collected { lost: vec![0; words], words: Vec::new() }
    }

    /// Calls `then` with each word that has such bits, and these, and forgets them.
    #[inline]
    pub fn take(&mut self, mut then: impl FnMut(u32, u64)) {
        for word in self.words.drain(..) {
            if let Some(lost) = self.lost.get_mut(word as usize) {
                then(word, std::mem::take(lost));
            }
        }
    }
}

/// For each row of the table of dependencies and each owner of a cell what is no longer valid when such a cell is written.
#[derive(Debug, Default)]
pub(super) struct Masks {
    all: Box<[Lost]>,
    /// Where the masks of a row and an owner begin, and behind that the end of the last.
    starts: Box<[u32]>,
    /// For each cell before the stack the number of its row and owner; of a piece's, whose owner is where it lies, that of the first seat.
    cells: Box<[Numbered]>,
    players: usize,
}

/// The number of a row and an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbered {
    /// For good.
    Fixed(u32),
    /// Of the first seat; the numbers of the others follow, and that of the table comes last.
    OfPiece(u32),
}

impl Masks {
    /// Works out all masks of a ruleset whose module has this layout.
    pub fn new(rules: &Ruleset, layout: &MemoryLayout) -> Masks {
        let (mut all, mut starts) = (Vec::new(), vec![0]);
        let rows = rules.code.dependencies.first_quantity_row + rules.quantities.len();
        for row in 0..rows {
            for owner in 0..=rules.players {
                for &Readers { word, own, any } in rules.code.dependencies.readers(row) {
                    let gone = |seat: usize| if owner == seat || owner == rules.players { own | any } else { any };
                    let masks = (0..rules.players).map(|seat| {
                        let number = cast::fit::<u32>(seat) * layout.valid_words + u32::from(word);
                        Lost { number, bits: gone(seat) }
                    });
                    all.extend(masks.filter(|lost| lost.bits != 0));
                }
                starts.push(cast::fit::<u32>(all.len()));
            }
        }
        let owners = cast::fit::<u32>(rules.players + 1);
        let number = |effect: &WriteEffect| match effect.owner {
            PIECE => Numbered::OfPiece(effect.class * owners),
            TABLE => Numbered::Fixed(effect.class * owners + owners - 1),
            seat => Numbered::Fixed(effect.class * owners + u32::from(seat)),
        };
        let cells = rules.write_effects.iter().map(number).collect();
        Masks { all: all.into(), starts: starts.into(), cells, players: rules.players }
    }

    /// Returns the number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns the number of the row of a cell and its owner; `None` if it lies behind the cells before the stack.
    #[inline]
    pub fn numbered(&self, cell: u32) -> Option<Numbered> {
        self.cells.get(cell as usize).copied()
    }

    /// Returns the number of a row and the owner of a cell, a seat or the table.
    #[inline]
    pub fn number(&self, row: usize, owner: u8) -> u32 {
        cast::fit::<u32>(row * (self.players + 1)) + self.of_owner(owner)
    }

    /// Returns how far the number of an owner is behind that of the first seat.
    #[inline]
    pub fn of_owner(&self, owner: u8) -> u32 {
        if owner == TABLE { cast::fit::<u32>(self.players) } else { owner.into() }
    }

    /// Adds what is lost by a row and an owner to what has been collected.
    #[inline]
    pub fn collect(&self, number: u32, collected: &mut Collected) {
        for of_row in self.of(number) {
            if let Some(lost) = collected.lost.get_mut(of_row.number as usize) {
                if *lost == 0 {
                    collected.words.push(of_row.number);
                }
                *lost |= of_row.bits;
            }
        }
    }

    /// Returns the masks of a row and an owner.
    #[inline]
    fn of(&self, number: u32) -> &[Lost] {
        match self.starts.get(number as usize..number as usize + 2) {
            Some(&[from, to]) => &self.all[from as usize..to as usize],
            _ => &[],
        }
    }
}
