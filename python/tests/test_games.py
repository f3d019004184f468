"""Games answer by answer and as tables."""

import copy
import csv
import io
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pandas
import polars
import pytest

import houserule

ROOT = Path(__file__).resolve().parents[2]
SMALL = ROOT / "tests" / "games"


def program() -> str:
    built = [os.environ.get("HOUSERULE"), ROOT / "target/release/houserule", ROOT / "target/debug/houserule"]
    for path in built:
        if path and Path(path).exists():
            return str(path)
    pytest.fail("there is no houserule to compare with: build it, or name it in HOUSERULE")


def printed_table(game: str, root: Path, *options: str) -> list[dict[str, str]]:
    command = [program(), "--root", str(root), "playtest", game, *options, "--csv", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


@pytest.mark.parametrize(("game", "players", "agents"), [("attic", 3, "random"), ("skerry", 4, "greedy,random,random,random")])
def test_the_same_seed_gives_the_table_of_the_command_line(game, players, agents):
    rules = houserule.load(game, players=players, root=SMALL)
    table = houserule.games(rules, 6, seed=11, agents=agents, threads=2)
    options = ["-n", "6", "--seed", "11", "--players", str(players), "--agents", agents]
    printed = printed_table(game, SMALL, *options)
    assert list(table) == list(printed[0])
    assert [{name: str(column[line]) for name, column in table.items()} for line in range(len(printed))] == printed
    again = houserule.games(rules, 6, seed=11, agents=agents, threads=1)
    assert all(np.array_equal(table[name], again[name]) for name in table)


def test_nations_is_inside_and_played_as_by_the_command_line():
    rules = houserule.load("nations", players=2, changes=["change bonus.prince to 5"], options={"set": ["base", "advanced"]})
    assert (rules.game, rules.seats) == ("nations", ["p1", "p2"])
    table = houserule.games(rules, 2, agents=["random", "random"])
    options = ["-n", "2", "--players", "2", "--agents", "random", "--with", "change bonus.prince to 5", "--option", "set=base,advanced"]
    printed = printed_table("nations", ROOT, *options)
    assert table["points"].tolist() == [int(line["points"]) for line in printed]
    assert houserule.load("nations", players=2).hash != rules.hash
    assert {"nations", "nations-dice"} <= set(houserule.game_names())


def test_pandas_and_polars_take_a_table_as_it_is():
    table = houserule.games(houserule.load("glutton", players=2, root=SMALL), 5, agents="greedy,random")
    for frame in (pandas.DataFrame(table), polars.DataFrame(table)):
        assert frame.shape == (10, 9)
        assert list(frame["agent"])[:2] == ["greedy", "random"]
        assert frame["seed"].max() > 2**32 and frame["points"].min() >= 0


def play(rules, seed, choose):
    game, answers = houserule.Game(rules, seed), []
    while (decision := game.decision()) is not None:
        answers.append((decision.seat, decision.question, choose(decision, len(answers))))
        game.answer(answers[-1][2])
    return game, answers


def test_the_same_seed_and_answers_are_the_same_game():
    rules = houserule.load("orchard", players=3, root=SMALL)
    choose = lambda decision, number: decision.options[number * 7 % len(decision.options)]  # noqa: E731
    (one, answers), (two, again) = play(rules, 5, choose), play(rules, 5, choose)
    assert answers == again and one.points() == two.points() and one.finished
    assert play(rules, 6, choose)[1] != answers
    by_index = houserule.Game(rules, 5)
    for _, _, key in answers:
        by_index.answer(by_index.decision().options.index(key))
    assert by_index.points() == one.points()
    assert sum(points for _, points in one.score("p2")) == dict(one.points())["p2"]
    assert set(one.winners()) <= {"p1", "p2", "p3"}
    with pytest.raises(ValueError, match="the game is over"):
        one.answer(0)
    assert one.decision() is None and houserule.view(one) is None


def test_a_view_is_in_words_and_an_observation_in_numbers():
    rules = houserule.load("thistles", players=4, root=SMALL)
    game = houserule.Game(rules, 3, log=True)
    decision, seen = game.decision(), houserule.view(game)
    mine = next(seat for seat in seen["seats"] if seat["seat"] == decision.seat)
    assert len(mine["places"]["hand"]["cards"]) == 6 and mine["places"]["hand"]["hidden"] == 0
    assert all(seat["places"]["hand"] == {"cards": [], "hidden": 6} for seat in seen["seats"] if seat is not mine)
    assert json.loads(game.view_json()) == seen
    numbers = {seat: np.frombuffer(game.observe(seat), dtype=np.int32) for seat in rules.seats}
    assert all(len(of_seat) == rules.observation_size and (of_seat == -1).any() for of_seat in numbers.values())
    assert not np.array_equal(numbers["p1"], numbers["p2"])
    assert len(game.log) > 0 and houserule.Game(rules, 3).log == []
    with pytest.raises(ValueError, match="there is no seat `p5`"):
        game.observe("p5")


def test_what_is_wrong_is_told():
    with pytest.raises(ValueError, match="there is no game `natoins`; there are nations"):
        houserule.load("natoins")
    with pytest.raises(ValueError, match="this game is for 1 to 5 players, not 9"):
        houserule.load("nations", players=9)
    with pytest.raises(houserule.RulesError, match="did you mean `bonus.prince`"):
        houserule.load("nations", changes=["change bonus.prinze to 5"])
    with pytest.raises(houserule.RulesError, match="this game has no option `sett`"):
        houserule.load("nations", options={"sett": "base"})
    with pytest.raises(TypeError, match="wants a list"):
        houserule.load("nations", changes="change bonus.prince to 5")
    rules = houserule.load("glutton", players=2, root=SMALL)
    with pytest.raises(ValueError, match="`fly` is not offered; there are "):
        houserule.Game(rules, 1).answer("fly")
    with pytest.raises(ValueError, match="there is no option 99; they go from 0 to "):
        houserule.Game(rules, 1).answer(99)
    with pytest.raises(ValueError, match="did you mean `greedy`"):
        houserule.games(rules, 1, agents="gredy")
    for wrong in ({"n": -1}, {"n": 0}, {"seed": -1}, {"threads": -1}, {"seed": 2**64}):
        with pytest.raises(ValueError, match="it goes from"):
            houserule.games(rules, **wrong)
    with pytest.raises(TypeError, match="`n` is a whole number"):
        houserule.games(rules, 1.5)


def test_another_program_can_play_and_fail():
    rules = houserule.load("attic", players=3, root=SMALL)
    agent = f"exec:python3 '{ROOT / 'examples' / 'agent.py'}'"
    table = houserule.games(rules, 2, agents=[agent, "random", "random"])
    assert table["agent"][0] == agent and len(table["points"]) == 6
    with pytest.raises(houserule.Fault, match=r"the player `false` of p\d ended \(exit status: 1\)"):
        houserule.games(rules, 2, agents="exec:false")


def test_games_that_meet_a_fault_are_left_out_and_warned_of(tmp_path):
    rules = (SMALL / "rules" / "glutton.rules").read_text()
    score = next(line for line in rules.splitlines() if line.startswith("score"))
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "glutton.rules").write_text(rules.replace(score, score.replace("= cake", "= cake / (cake - cake)")))
    loaded = houserule.load("glutton", players=2, root=tmp_path)
    with pytest.warns(UserWarning, match="4 of 4 games met a fault, the first of them game 0 with seed "):
        table = houserule.games(loaded, 4, agents="random")
    assert len(table["points"]) == 0


def test_a_copy_goes_on_by_itself():
    rules = houserule.load("orchard", players=3, root=SMALL)
    game = houserule.Game(rules, 5, log=True)
    for _ in range(6):
        game.answer(0)
    for other in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        assert (other.answers, other.log, other.points()) == (game.answers, game.log, game.points())
        options = other.decision().options
        other.answer(len(options) - 1)
        assert len(other.answers) == 7 and other.answers[-1] == options[-1] and len(game.answers) == 6
        assert game.decision().options == options
    assert (game.seed, game.rules.hash) == (5, rules.hash)


def test_a_pickled_game_is_the_same_game(tmp_path):
    rules = houserule.load("nations", players=2, changes=["change bonus.prince to 5"], options={"set": ["base", "advanced"]})
    assert pickle.loads(pickle.dumps(rules)).hash == rules.hash
    game = houserule.Game(rules, 11)
    for number in range(30):
        game.answer(number % len(game.decision().options))
    other = pickle.loads(pickle.dumps(game))
    assert other.answers == game.answers and other.decision().options == game.decision().options
    assert all(other.observe(seat) == game.observe(seat) for seat in rules.seats)
    # Rules that have changed since are told.
    (tmp_path / "rules").mkdir()
    text = (SMALL / "rules" / "glutton.rules").read_text()
    path = tmp_path / "rules" / "glutton.rules"
    path.write_text(text)
    packed = pickle.dumps(houserule.Game(houserule.load("glutton", players=2, root=tmp_path), 1))
    path.write_text(text + "// changed\n")
    with pytest.raises(houserule.RulesError, match="have changed since they were pickled"):
        pickle.loads(packed)


def test_a_comparison_is_that_of_the_command_line():
    plain, changed = houserule.load("nations", players=2), houserule.load("nations", players=2, changes=["change bonus by +2"])
    found = houserule.compare(plain, changed, 6, agents="random", threads=2)
    command = [program(), "compare", "nations", "-n", "6", "--players", "2", "--agents", "random", "--with", "change bonus by +2", "--json", "-"]
    printed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT / "docs").stdout)
    assert found == printed
    with pytest.raises(houserule.InputError, match="there is nothing to compare"):
        houserule.compare(plain, plain, 6)
    with pytest.raises(houserule.InputError, match="not of `nations` for 2 players with `nations` for 3 players"):
        houserule.compare(plain, houserule.load("nations", players=3), 6)


def test_where_a_number_comes_from_is_told():
    game = houserule.Game(houserule.load("nations", players=2), 7)
    told = houserule.why(game, "stability", seat="p2")["value"]
    assert told["what"] == "stability of p2"
    asked = houserule.why(game)
    assert asked and "value" not in asked
    command = [program(), "why", "nations", "stability", "--seat", "p2", "--players", "2", "--json", "-"]
    printed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT / "docs").stdout)
    assert printed["answer"]["value"]["what"] == told["what"]
    with pytest.raises(houserule.InputError, match="did you mean `stability`"):
        houserule.why(game, "stabilty")


def test_a_replay_is_the_game_that_was_kept(tmp_path):
    path = tmp_path / "a.replay"
    command = [program(), "playtest", "nations", "-n", "3", "--players", "2", "--agents", "random", "--game", "2", "--replay", str(path)]
    subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT / "docs")
    whole = houserule.replay(path)
    assert whole.finished and len(whole.log) > 100
    part = houserule.replay(path, at=20)
    assert part.answers == whole.answers[:20] and not part.finished
    for key in whole.answers[20:]:
        part.answer(key)
    assert part.points() == whole.points() and pickle.loads(pickle.dumps(part)).points() == whole.points()
    with pytest.raises(houserule.InputError, match="`at` is 99999; it goes from 0 to "):
        houserule.replay(path, at=99999)
    with pytest.raises(houserule.InputError, match="cannot read"):
        houserule.replay(tmp_path / "none.replay")
    path.write_text(path.read_text().replace(whole.answers[0], "fly away", 1))
    with pytest.raises(houserule.RulesError, match="fly away"):
        houserule.replay(path)


def test_numbers_out_of_bounds_are_errors_of_its_own():
    rules = houserule.load("glutton", players=2, root=SMALL)
    game = houserule.Game(rules, 1)
    wrong = [
        lambda: houserule.games(rules, -1),
        lambda: houserule.games(rules, 1, threads=2**20),
        lambda: houserule.games(rules, 1, time_limit=-1.0),
        lambda: houserule.games(rules, 1, time_limit=1e300),
        lambda: houserule.compare(rules, rules, -1),
        lambda: houserule.Game(rules, -1),
        lambda: houserule.Game(rules, 2**64),
        lambda: houserule.load("glutton", players=-1, root=SMALL),
        lambda: houserule.load("glutton", players=2**70, root=SMALL),
        lambda: game.answer(-1),
        lambda: game.answer(2**80),
        lambda: houserule.ActionIds(size=0),
        lambda: houserule.ActionIds.of_games(rules, -1),
    ]
    for call in wrong:
        with pytest.raises(houserule.InputError):
            call()
    assert issubclass(houserule.InputError, ValueError) and issubclass(houserule.Fault, houserule.Error)
    for call in (lambda: houserule.Game(rules, "1"), lambda: houserule.Game(rules, True), lambda: game.answer(1.5), lambda: game.answer(None)):
        with pytest.raises(TypeError):
            call()


def test_numbers_of_answers_stay_the_same(tmp_path):
    rules = houserule.load("attic", players=3, root=SMALL)
    actions = houserule.ActionIds.of_games(rules, 3, seed=4)
    assert actions.keys == sorted(actions.keys) and houserule.ActionIds.of_games(rules, 3, seed=4).keys == actions.keys
    count = len(actions)
    assert count > 3 and actions.of("a new key") == count and actions.of("a new key") == count and "a new key" in actions
    actions.save(tmp_path / "keys")
    again = houserule.ActionIds.load(tmp_path / "keys")
    assert again.keys == actions.keys == pickle.loads(pickle.dumps(actions)).keys
    with pytest.raises(houserule.InputError, match="choose a larger `size`"):
        houserule.ActionIds(["one", "two"], size=1)
