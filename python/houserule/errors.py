"""What can go wrong. All of it is an `Error`."""


class Error(Exception):
    """Whatever this package raises by itself, but for values of a wrong type (`TypeError`)."""


class InputError(Error, ValueError):
    """What is asked for is not there, or is out of bounds; the message says what there is."""


class RulesError(Error):
    """A game, a pack or a change that is not well written; the message says where."""


class Fault(Error):
    """A rule or a card that met something impossible in a game, or a player that failed."""
