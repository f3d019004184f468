"""The same games with and without a change."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from houserule import _houserule
from houserule.errors import InputError
from houserule.table import whole


def compare(
    plain: _houserule.Rules,
    changed: _houserule.Rules,
    n: int = 1000,
    *,
    seed: int = 1,
    agents: str | Iterable[str] = "greedy",
    threads: int = 0,
    time_limit: float | None = None,
    until: float | None = None,
) -> dict[str, Any]:
    """Plays `n` pairs of games, each pair from one seed, by the rules without and with the change, and says what differs.

    What comes back is what `houserule compare --json` writes (docs/statistics.md says what it means): `rows` with each
    measure, its difference and interval, `conclusion`, `between` with what differs in the rules. With `until` it ends as soon as the interval
    of the points reaches no further than so much to either side.
    """
    whole("n", n, 1)
    whole("seed", seed, 0)
    whole("threads", threads, 0, 1024)
    if until is not None and not (isinstance(until, (int, float)) and not isinstance(until, bool)):
        raise TypeError(f"`until` is a number, not {until!r}")
    if until is not None and not 0 < until < float("inf"):
        raise InputError(f"`until` is {until}; it is a number above 0, such as 0.3")
    named = [agents] if isinstance(agents, str) else list(agents)
    return json.loads(_houserule.compare_json(plain, changed, n, seed, named, threads, time_limit, until))
