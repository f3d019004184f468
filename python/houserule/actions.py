"""Numbers for answers that stay the same, for players that learn."""

from __future__ import annotations

import random
from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from houserule._houserule import Game, Rules
from houserule.errors import InputError


class ActionIds:
    """A number for the key of each answer, which stays the same from question to question and from game to game.

    Keys get numbers in the order in which they are first met, from 0 on, up to `size` of them. What was learnt with some numbers
    wants the same ones again: `save` and `load` keep them in a file, one key a line, and `pickle` keeps them, too.
    """

    def __init__(self, keys: Iterable[str] = (), *, size: int = 4096) -> None:
        if isinstance(keys, str):
            raise TypeError(f"`keys` wants a list, such as [{keys!r}]")
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"`size` is a whole number, not {size!r}")
        if not 1 <= size <= 2**31 - 1:
            raise InputError(f"`size` is {size}; it goes from 1 to {2**31 - 1}")
        self.size = size
        self._ids: dict[str, int] = {}
        for key in keys:
            self.of(key)

    @classmethod
    def of_games(cls, rules: Rules, n: int = 20, *, seed: int = 1, size: int = 4096) -> ActionIds:
        """The keys of all answers that are offered in `n` games by chance, in alphabetical order; others follow as they are met."""
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"`n` is a whole number, not {n!r}")
        if n < 1:
            raise InputError(f"`n` is {n}; it goes from 1 up")
        chance, keys = random.Random(seed), set()
        for number in range(n):
            game = Game(rules, chance.getrandbits(32))
            while (decision := game.decision()) is not None:
                keys.update(decision.options)
                game.answer(chance.randrange(len(decision.options)))
        return cls(sorted(keys), size=size)

    def of(self, key: str) -> int:
        """The number of a key; one that is new gets the next."""
        known = self._ids.get(key)
        if known is not None:
            return known
        if len(self._ids) == self.size:
            raise InputError(f"there are numbers for {self.size} keys, and `{key}` is one more; choose a larger `size`")
        self._ids[key] = len(self._ids)
        return self._ids[key]

    @property
    def keys(self) -> list[str]:
        """All keys that have a number, in the order of their numbers."""
        return list(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, key: str) -> bool:
        return key in self._ids

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the keys into a file, one a line."""
        Path(path).write_text("".join(f"{key}\n" for key in self._ids), encoding="utf-8")

    @classmethod
    def load(cls, path: str | PathLike[str], *, size: int = 4096) -> ActionIds:
        """Reads them again."""
        return cls(Path(path).read_text(encoding="utf-8").splitlines(), size=size)
