"""Games by name, with packs, changes and options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike

from houserule import _houserule

Value = str | int | Iterable[str]


def load(
    game: str,
    *,
    players: int | None = None,
    changes: Iterable[str] = (),
    packs: Iterable[str | PathLike[str]] = (),
    options: Mapping[str, Value] | None = None,
    deal: Iterable[str] = (),
    root: str | PathLike[str] | None = None,
) -> _houserule.Rules:
    """Loads a game for a number of players (four, or as near as it allows).

    `changes` are what the command line takes as `--with`: rules text, names of variants, paths of .rules files. `packs` are
    folders. `options` are `{"set": ["base", "advanced"], "side@p2": "b"}`. `deal` puts cards into play: `"card"` or `"card@p2"`.
    Files below `root` override those inside the package, one by one; without it there are only those.

    Raises `RulesError` if the text of a game, pack or change is wrong, with file, line and a way out, and `InputError`, a
    `ValueError`, if what is asked for is not there.
    """
    words = [f"{name}={_text(value)}" for name, value in (options or {}).items()]
    return _houserule.load(
        game,
        players=players,
        changes=_list(changes, "changes"),
        packs=_list(packs, "packs"),
        options=words,
        deal=_list(deal, "deal"),
        root=root,
    )


def _text(value: Value) -> str:
    return str(value) if isinstance(value, (str, int)) else ",".join(value)


def _list(values: Iterable, name: str) -> list:
    """A text is iterable, too, letter by letter: hardly what was meant."""
    if isinstance(values, str):
        raise TypeError(f"`{name}` wants a list, such as [{values!r}]")
    return list(values)
