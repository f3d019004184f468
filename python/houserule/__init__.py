"""houserule for Python: board games whose rules are text.

`load` reads a game as the command line does, `Game` plays it answer by answer, `games` plays many and gives them back as
columns for pandas or polars, `compare` plays the same games with and without a change, `why` says where a number comes from,
`replay` reads a game that was kept, and `houserule.env` is a PettingZoo environment.
"""

from houserule._houserule import Decision, Game, Rules, __version__, game_names
from houserule.actions import ActionIds
from houserule.comparison import compare
from houserule.errors import Error, Fault, InputError, RulesError
from houserule.explain import replay, why
from houserule.load import load
from houserule.table import games
from houserule.view import view

__all__ = [
    "ActionIds",
    "Decision",
    "Error",
    "Fault",
    "Game",
    "InputError",
    "Rules",
    "RulesError",
    "__version__",
    "compare",
    "game_names",
    "games",
    "load",
    "replay",
    "view",
    "why",
]
