"""Where a number comes from."""

from __future__ import annotations

import json
from os import PathLike
from typing import Any

from houserule import _houserule
from houserule._houserule import Game


def why(game: Game, what: str = "", seat: str | None = None) -> dict[str, Any]:
    """Where a number comes from, or why an option is refused, as `houserule why --json` says it (docs/why.md).

    `what` is an expression of the rules (`"stability"`, `"p2.strength - p1.strength"`), the key of an option, a moment, or
    `"score"`; without it the answer is all that can be asked. `seat` is whose it is: of nobody else is said, of who must decide.
    Nothing is kept secret: this is not for players.
    """
    return json.loads(game.why_json(what, seat))


def replay(path: str | PathLike[str], *, at: int | None = None, root: str | PathLike[str] | None = None) -> Game:
    """The game of a replay or a save, with all its answers or the first `at` of them; its log is kept.

    `game.rules` are the rules that the file names, loaded from `root`, and it can go on from there. Raises `RulesError` if the file
    is wrong, or if the rules have changed so that an answer cannot be given any more.
    """
    return _houserule.replay(path, at, root)[1]
