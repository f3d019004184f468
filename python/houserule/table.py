"""Many games by machine players, as columns."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np

from houserule import _houserule
from houserule.errors import InputError

_KNOWN = ("game", "seat", "rank", "points", "rounds", "decisions")
_ORDER = ("game", "seed", "seat", "agent", "rank", "points", "rounds", "decisions")


def games(
    rules: _houserule.Rules,
    n: int = 1000,
    *,
    seed: int = 1,
    agents: str | Iterable[str] = "greedy",
    threads: int = 0,
    time_limit: float | None = None,
) -> dict[str, np.ndarray | list[str]]:
    """Plays `n` games on all cores and gives back one line for each seat of each, by columns, as `houserule playtest --csv` does.

    `pandas.DataFrame(games(rules))` and `polars.DataFrame(games(rules))` take it as it is. `agents` are those of the command line
    (`"greedy,random,random"`, or a list of them; `"exec:COMMAND"` too). A game that meets a fault is left out and warned of; a
    player that fails raises `Fault`. The same seed gives the same games as on the command line, with any number of threads.
    """
    whole("n", n, 1)
    whole("seed", seed, 0)
    whole("threads", threads, 0, 1024)
    named = [agents] if isinstance(agents, str) else list(agents)
    seeds, numbers, names, dropped = _houserule.columns(rules, n, seed, named, threads, time_limit)
    for count, game, game_seed, fault in dropped:
        warnings.warn(f"{count} of {n} games met a fault, the first of them game {game} with seed {game_seed}: {fault}", stacklevel=2)
    known = [np.frombuffer(column, dtype=np.int64) for column in numbers]
    table: dict[str, np.ndarray | list[str]] = dict(zip(_KNOWN, known))
    table["seed"] = np.frombuffer(seeds, dtype=np.uint64)
    table["agent"] = [names[seat - 1] for seat in known[1]]
    table = {name: table[name] for name in _ORDER}
    for row, column in zip(rules.score, known[len(_KNOWN) :]):
        while row in table:
            row += " (score)"
        table[row] = column
    return table


def whole(name: str, value: int, least: int, most: int = 2**64 - 1) -> None:
    """Refuses what is no whole number within bounds."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise TypeError(f"`{name}` is a whole number, not {value!r}")
    if not least <= value <= most:
        raise InputError(f"`{name}` is {value}; it goes from {least} to {most}")
