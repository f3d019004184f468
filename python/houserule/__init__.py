"""houserule for Python: board games whose rules are text.

`load` reads a game as the command line does, `Game` plays it answer by answer, `games` plays many and gives them back as
columns for pandas or polars, and `houserule.env` is a PettingZoo environment.
"""

from houserule._houserule import Decision, Fault, Game, Rules, RulesError, __version__, game_names
from houserule.load import load
from houserule.table import games
from houserule.view import view

__all__ = ["Decision", "Fault", "Game", "Rules", "RulesError", "__version__", "game_names", "games", "load", "view"]
