//! What a game notes that is on the lookout for a seat: see [`super::Game::look_out`].

/// For whom a game looks out, and whether anything has come to light that the seat did not know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookout {
    pub seat: u8,
    pub has_told: bool,
}
