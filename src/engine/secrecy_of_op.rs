//! What the running op tells of what it writes; see [`super::secrecy`].

/// How the running op changes what seats know of the hidden values that it writes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Secrecy {
    /// The seats that do not learn what is written, as a bit set.
    pub unknown_to: i32,
    /// Whether all other seats know the value from now on, whatever it was.
    pub replaces: bool,
}
