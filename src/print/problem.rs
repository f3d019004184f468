//! All problems with layouts and with what they are to hold, as values, with the table of their messages.

use houserule_source::problems;

use crate::source::Span;

problems! {
    /// A problem with a layout, or with a card that does not fit into its boxes.
    pub(crate) enum PrintProblem {
        // ------------------------------------------------------------------ places and sizes
        error C050 NoRoom { what: String, needs: String, has: String } => "{what} does not fit on the sheet"
            label "{needs}, where {has}"
            help "make it smaller, or choose a larger `size` or a smaller `margin` of `[sheet]`";
        error C050 BeyondEdge { name: String, width: String, height: String } => "box `{name}` reaches over the edge of its card"
            label "left, top, width and height in millimetres"
            help "the card is {width} wide and {height} high";
        error C050 SizesCrossed { name: String } => "the smallest size of box `{name}` is above its largest"
            label "`smallest` is above `font`"
            help "write a smaller `smallest`, or a larger `font`";
        error C050 NoRoomForMarks { margin: String } => "there is no room for cut marks"
            label "a margin of {margin}"
            help "a margin of 3 mm is enough; or write `marks = false`";
        error C003 BoxLacks { name: String, key: &'static str, example: &'static str } => "box `{name}` has no `{key}`"
            label "`{key}` is missing"
            help "add `{example}`";
        error C003 BoxOfNothing { name: String } => "box `{name}` shows nothing"
            label "it has no `show`, `symbol`, `fill` or `line`"
            help "remove the box, or say what it shows, such as `show = \"{{text}}\"`";
        error C001 PathUnread { name: String, why: String } => "shape `{name}` is no path: {why}"
            label "a path as in SVG"
            help "such as `M 0 0 L 100 0 L 50 100 Z`, in a square of 100";

        // ------------------------------------------------------------------ names
        error C052 UnknownValue { name: String, near: Option<String>, known: String } => "there is nothing called `{name}` on these cards"
            label "unknown"
            with (|wrong| match near {
                Some(near) => wrong.meant(Some(near.as_str())),
                None => wrong.help(format!("there are {known}")),
            });
        error C052 BraceOpen => "a name in braces does not end"
            label "`{{` without `}}`"
            help "write `{{name}}`";
        error C052 BraceClosed => "a brace ends that never began"
            label "`}}` without `{{`"
            help "write `{{name}}`";
        error C052 UnknownKind { kind: String, near: Option<String>, known: String } => "this game has no kind `{kind}`"
            label "unknown kind"
            with (|wrong| match near {
                Some(near) => wrong.meant(Some(near.as_str())),
                None => wrong.help(format!("its kinds are {known}")),
            });
        error C052 UnknownShape { shape: String, near: Option<String>, known: String } => "there is no shape `{shape}`"
            label "unknown shape"
            with (|wrong| match near {
                Some(near) => wrong.meant(Some(near.as_str())),
                None => wrong.help(format!("the shapes are {known}; `[shapes]` adds others")),
            });
        warning C053 IdleKeys { name: String, keys: String } => "keys of box `{name}` that do nothing: {keys}"
            label "they are about what the box does not have"
            help "letters need a `show`, and `symbol_color` needs a `symbol`";
        error C052 UnknownBox { name: String, near: Option<String>, known: String } => "there is no box `{name}` on these cards"
            label "unknown box"
            with (|wrong| match near {
                Some(near) => wrong.meant(Some(near.as_str())),
                None => wrong.help(format!("its boxes are {known}")),
            });
        error C001 PathBeyond { name: String } => "shape `{name}` reaches out of its square"
            label "all points lie between 0 and 100"
            help "make it smaller: the square, 100 wide and high, is what becomes as large as the letters beside it";
        warning C053 EmptyCards { what: String } => "{what} is printed empty: the layout has no box for it"
            help "add a box such as `[card.boxes.title]` with `place` and `show`, or leave out `basis = \"nothing\"`";
        warning C053 LayoutOfNothing { name: String, game: String } => "there is no game `{name}`, so that nobody reads this layout"
            help "is it that of `{game}`? Then call it `print/{game}.toml`";
        warning C053 IconOfNothing { word: String, near: Option<String> } => "no card has the word `{word}`"
            label "this icon is never drawn"
            meant (near.as_deref());

        // ------------------------------------------------------------------ what does not fit
        warning C051 DoesNotFit { card: String, name: String, lines: usize, smallest: String, place: Option<Span> } =>
            "`{card}` has more in box `{name}` than fits"
            label "lines that are left out: {lines}, with letters of {smallest} points"
            also_at (place.map(|place| (place, "the box")))
            help "make the box larger or its `smallest` smaller, or say less on the card";
        warning C051 TooSmall { board: String, size: String } => "the words on board `{board}` are {size} points high on this sheet"
            help "choose a larger `size` of `[sheet]`, or a larger `space` of `[board]`";
        warning C054 NoLetter { card: String, letters: String } => "the fonts of the program lack letters that `{card}` has: {letters}"
            label "a box stands in their places"
            help "the fonts have Latin, Greek and Cyrillic letters, and signs such as → ≥ ★ ♥";
    }
}
