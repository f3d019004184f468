from os import PathLike

__version__: str

class Rules:
    """Rules for a number of players and a choice of options; `houserule.load` makes them."""

    @property
    def game(self) -> str:
        """Id of the game."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def seats(self) -> list[str]:
        """The seats: `p1` and so on."""
    @property
    def hash(self) -> str:
        """A hash of rules, cards and options: what was learnt with one may be wrong with another."""
    @property
    def score(self) -> list[str]:
        """The rows of the score."""
    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""

class Decision:
    """A question to a seat."""

    @property
    def seat(self) -> str:
        """Who decides."""
    @property
    def question(self) -> str:
        """What is asked, a stable id."""
    @property
    def options(self) -> list[str]:
        """The keys of the answers; at least one, at most 256."""

class Game:
    """A game of some rules by a seed: the same seed and the same answers are the same game. It stays in the thread that made it."""

    def __init__(self, rules: Rules, seed: int, *, log: bool = False) -> None:
        """A new game at its first question; `log` keeps what happens."""
    def copy(self) -> Game:
        """The same game once more, which goes on by itself; `copy.copy` and `copy.deepcopy` do the same.

        `pickle` keeps rules (how they were loaded, and their hash), seed and answers, and plays them again.
        """
    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
    @property
    def seed(self) -> int:
        """The seed from which it was begun."""
    @property
    def answers(self) -> list[str]:
        """The keys of all answers given so far."""
    def decision(self) -> Decision | None:
        """The open question; nothing once the game is over."""
    def answer(self, answer: str | int) -> None:
        """Answers it by the key of an option or by its index, and goes on to the next question."""
    def why_json(self, asked: str, seat: str | None = None) -> str:
        """Where a number comes from, as JSON; `houserule.why` reads it."""
    def view_json(self) -> str | None:
        """What the seat that must decide sees, as JSON; `houserule.view` reads it."""
    def observe(self, seat: str) -> bytes:
        """What a seat sees, for `numpy.frombuffer(…, numpy.int32)`; -1 stands for what it does not know."""
    def points(self) -> list[tuple[str, int]]:
        """Points by seat, as if the game ended now, with all that is hidden: not for players."""
    def score(self, seat: str) -> list[tuple[str, int]]:
        """The rows of a seat's score, as `points`."""
    def winners(self) -> list[str]:
        """Who wins, as if the game ended now; several if nothing tells them apart. Not for players."""
    @property
    def finished(self) -> bool:
        """Whether the game is over."""
    @property
    def round(self) -> int:
        """The round, from 1; 0 during set-up."""
    @property
    def log(self) -> list[str]:
        """What has happened, line by line, if it is kept."""

def game_names(root: str | PathLike[str] | None = None) -> list[str]:
    """The ids of the games inside the package, and of those below a folder."""

def load(
    game: str,
    *,
    players: int | None = None,
    changes: list[str] = [],
    packs: list[str | PathLike[str]] = [],
    options: list[str] = [],
    deal: list[str] = [],
    root: str | PathLike[str] | None = None,
) -> Rules:
    """Loads a game; `houserule.load` takes options by name."""

def columns(
    rules: Rules, games: int, seed: int, agents: list[str], threads: int, time_limit: float | None
) -> tuple[bytes, list[bytes], list[str], list[tuple[int, int, int, str]]]:
    """Plays games and gives back their columns; `houserule.games` gives them names."""

def reload(
    game: str,
    players: int,
    changes: list[str],
    packs: list[str | PathLike[str]],
    options: list[str],
    deal: list[str],
    root: str | PathLike[str] | None,
    hash: str,
) -> Rules:
    """Loads rules that were pickled."""

def restore(rules: Rules, seed: int, log: bool, answers: list[str]) -> Game:
    """Plays a game that was pickled again."""

def replay(path: str | PathLike[str], at: int | None = None, root: str | PathLike[str] | None = None) -> tuple[Rules, Game]:
    """Plays a replay again; `houserule.replay` gives back the game."""

def compare_json(
    plain: Rules,
    changed: Rules,
    pairs: int,
    seed: int,
    agents: list[str],
    threads: int,
    time_limit: float | None,
    until: float | None,
) -> str:
    """Compares two rules, as JSON; `houserule.compare` reads it."""
