"""Whole games at the full-screen table, in a terminal of their own, by keys alone."""

import os
import signal
import time

import pytest

from terminal import PATIENCE

ENTER = "\r"
F5 = "\x1b[15~"
F9 = "\x1b[20~"
F10 = "\x1b[21~"
DOWN, RIGHT, LEFT = "\x1b[B", "\x1b[C", "\x1b[D"

DICE = ["play", "nations-dice", "--players", "1", "--seed", "17"]
NATIONS = ["play", "nations", "--players", "2", "--seed", "17"]
TINKERS = ["--root", "tests/games", "play", "tinkers", "--players", "3", "--seat", "human,greedy", "--seed", "17"]


class Wrong(Exception):
    """What is wrong with the boxes of a screen."""


def boxes(text, columns, lines):
    """The boxes of a screen, each with its title and the lines in it. They must be whole, fill all lines between head and foot from edge to
    edge, and not reach into each other."""

    def wrong(what):
        return Wrong(f"{what}:\n{text}")

    rows = text.split("\n")
    if len(rows) > lines or any(len(row) > columns for row in rows):
        raise wrong("larger than the terminal")
    rows = [row.ljust(columns) for row in rows] + [" " * columns] * (lines - len(rows))
    covered = [[False] * columns for _ in range(lines)]
    found = []
    corners = ((top, left) for top in range(lines) for left in range(columns) if rows[top][left] == "┌")
    for top, left in corners:
        right = rows[top].find("┐", left + 1)
        if right < 0:
            raise wrong("an open top")
        bottom = next((row for row in range(top + 1, lines) if rows[row][left] != "│"), lines)
        if bottom == lines or rows[bottom][left] != "└" or rows[bottom][right] != "┘":
            raise wrong("an open box")
        if rows[bottom][left + 1 : right].strip("─") or any(rows[row][right] != "│" for row in range(top + 1, bottom)):
            raise wrong("something lies on a border")
        title = rows[top][left + 1 : right]
        name = title.rstrip("─")
        if name == title or not name.endswith(("]", " ")):
            raise wrong(f"a title is cut: `{title}`")
        for row in covered[top : bottom + 1]:
            if any(row[left : right + 1]):
                raise wrong("boxes lie on each other")
            row[left : right + 1] = [True] * (right + 1 - left)
        found.append((name.strip(" []"), [row[left + 1 : right] for row in rows[top + 1 : bottom]]))
    with_boxes = [row for row, cells in enumerate(covered) if any(cells)]
    if not with_boxes:
        raise wrong("no box at all")
    if not all(all(row) for row in covered[with_boxes[0] : with_boxes[-1] + 1]):
        raise wrong("between head and foot something is not covered")
    return found


def look_at_boxes(terminal):
    """Waits until the table is shown with its four boxes, or the game is over, which lies over everything."""
    begun = time.monotonic()
    while not is_over(text := terminal.text()):
        try:
            found = boxes(text, *terminal.size)
            if len(found) == 4:
                return
            wrong = f"{len(found)} boxes and not four:\n{text}"
        except Wrong as fault:
            wrong = str(fault)
        # Of a screen that is half drawn something more is to come.
        assert time.monotonic() < begun + PATIENCE and terminal.read(20), wrong


def words_in_order(text):
    """A text with one blank between words."""
    return " ".join(text.split())


@pytest.fixture
def state(tmp_path):
    """Where the program keeps by itself what it keeps."""
    return tmp_path / "state"


@pytest.fixture
def table(in_terminal, program, state):
    """Starts the program in a terminal of this size, without colours unless they are asked for."""

    def start(args, size=(80, 24), *, colour=False):
        no_color = None if colour else "1"
        return in_terminal([program, *args], size, TERM="xterm-256color", XDG_STATE_HOME=state, NO_COLOR=no_color)

    return start


def kept(state, name):
    """A file that the program keeps by itself: its text, or nothing."""
    path = state / "houserule" / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def is_asked(text):
    """Whether the table is there."""
    return "F10: leave" in text


def is_over(text):
    return ": the game is over" in text


def plays(terminal, colour):
    """Plays with the first option always, and looks at every screen on the way; gives back how many there were."""
    terminal.wait("the table", is_asked)
    begun = time.monotonic()
    screens, coloured = 0, False
    while True:
        terminal.settle()
        text = terminal.text()
        # What the game has come to lies over the cards, which have the colours.
        coloured = coloured or terminal.screen.is_coloured()
        if is_over(text):
            break
        screens += 1
        look_at_boxes(terminal)
        terminal.press(ENTER * 4)
        assert time.monotonic() < begun + PATIENCE, f"the game does not end:\n{text}"
    assert coloured == colour, "colours are there unless NO_COLOR forbids them"
    terminal.press(F10)
    assert terminal.ended() == 0
    # The screen is gone, and what the game has come to stands where one was before.
    assert not terminal.screen.alternate
    terminal.wait("the outcome", lambda text: " points" in text and ", state " in text)
    return screens


@pytest.mark.parametrize(("size", "colour"), [((80, 24), False), ((160, 50), True)], ids=["plain", "large"])
@pytest.mark.parametrize(
    ("args", "least"),
    [([*NATIONS, "--seat", "human,random"], 10), (DICE, 5), (TINKERS, 2)],
    ids=["nations", "dice", "tinkers"],
)
def test_whole_games_are_played_on_the_screen(table, args, least, size, colour):
    assert plays(table(args, size, colour=colour), colour) > least


def test_machine_players_answer_however_fast_keys_are_typed(table):
    terminal = table(TINKERS)
    terminal.wait("the table", is_asked)
    begun = time.monotonic()
    while not is_over(terminal.text()):
        # Nobody waits for what a key does.
        terminal.press(ENTER)
        terminal.read(0.001)
        assert time.monotonic() < begun + PATIENCE, f"the game does not end:\n{terminal.text()}"
    terminal.press(F10)
    assert terminal.ended() == 0


@pytest.mark.parametrize("size", [(49, 24), (80, 15), (30, 8)])
def test_a_terminal_that_is_too_small_says_so_and_can_be_left(table, size):
    terminal = table(NATIONS, size)
    whole = "the terminal is too small: 50 columns and 16 lines are the least; --plain needs no more than lines"
    terminal.wait("what is wrong", lambda text: words_in_order(text) == whole)
    terminal.press(F10)
    assert terminal.ended() == 0


def test_the_least_that_is_needed_is_enough(table):
    terminal = table(NATIONS, (50, 16))
    terminal.wait("the question", lambda text: "p1 is asked: " in text and is_asked(text))
    look_at_boxes(terminal)
    terminal.press(F10)
    assert terminal.ended() == 0


def test_a_game_is_saved(table, tmp_path):
    save = tmp_path / "a.replay"
    terminal = table([*DICE, "--save", save])
    terminal.wait("the table", is_asked)
    terminal.press(ENTER)
    terminal.press(F5)
    terminal.wait("the save", lambda text: "the game is saved in" in text)
    terminal.press(F10)
    assert terminal.ended() == 0
    assert "\np1: " in save.read_text(encoding="utf-8")


def test_a_replay_is_looked_at_backwards(table):
    terminal = table(["replay", "tests/replays/nations-2.replay"], (100, 30))
    terminal.wait("the first answer", lambda text: "after 0 of 167 answers" in text)
    terminal.press(RIGHT * 3 + LEFT)
    terminal.wait("the second answer", lambda text: "after 2 of 167 answers" in text)
    terminal.press(F10)
    assert terminal.ended() == 0


def test_a_map_keeps_its_shape_over_the_whole_screen(table, houserule):
    """A board is no text that could be wrapped: each row stays a line, with what stands below the same column."""
    replay = "tests/replays/near-2.replay"
    terminal = table(["replay", replay])
    terminal.wait("the table", lambda text: "after 0 of " in text)
    # By then all tiles of the world are laid.
    terminal.press(RIGHT * 12)
    terminal.wait("the twelfth answer", lambda text: "after 12 of " in text)
    terminal.press(F9)
    picture = houserule("show", "near", "world", "--replay", replay, "--at", "12").out
    rows = [line.rstrip() for line in picture.splitlines() if line.startswith("r") and "  " in line]
    assert len(rows) > 6, picture
    terminal.wait("the map", lambda text: "all that lies on the table" in text)

    def is_drawn(row):
        return any(row in line for line in terminal.text().splitlines())

    for row in rows:
        for _ in range(40):
            terminal.settle()
            if is_drawn(row):
                break
            terminal.press(DOWN)
        assert is_drawn(row), f"`{row}` is not shown in one line:\n{terminal.text()}"


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_game_whose_terminal_is_closed_is_kept_and_the_screen_is_restored(table, houserule, state, sent, status):
    terminal = table(DICE)
    terminal.wait("the table", is_asked)
    assert terminal.screen.alternate
    terminal.press(ENTER)
    terminal.wait("the answer that is written down", lambda _: "\np1: " in kept(state, "nations-dice-17.replay"))
    os.kill(terminal.child.pid, sent)
    assert terminal.ended() == status
    assert "goesonwithit" in "".join(terminal.text().split()), f"how to go on is not said:\n{terminal.text()}"
    assert not terminal.screen.alternate, "the screen is left as it was before"
    # Whoever plays the same game again is told of it, and the line that was said goes on with it.
    done = houserule("replay", str(state / "houserule/nations-dice-17.replay"), "--verify")
    assert "1 answers, the same state; the game is not over" in done.out


def test_a_game_that_nobody_wants_is_not_kept(table, state):
    own = "nations-dice-17.replay"
    terminal = table(DICE)
    terminal.wait("the table", is_asked)
    assert "over    = false" in kept(state, own)
    terminal.press(ENTER)
    terminal.press(F10)
    terminal.wait("the question", lambda text: "save the game before leaving? y or n" in text)
    terminal.press("n")
    assert terminal.ended() == 0
    assert kept(state, own) == ""


def test_a_game_that_is_over_is_kept(table, state):
    terminal = table(TINKERS)
    terminal.wait("the table", is_asked)
    begun = time.monotonic()
    while not is_over(terminal.text()):
        terminal.press(ENTER)
        terminal.settle()
        assert time.monotonic() < begun + PATIENCE, f"the game does not end:\n{terminal.text()}"
    terminal.press(F10)
    assert terminal.ended() == 0
    assert "over    = true" in kept(state, "tinkers-last.replay") and kept(state, "tinkers-17.replay") == ""
    terminal.wait("where it is", lambda text: "it is kept until another is over: `houserule --root tests/games replay" in text)
