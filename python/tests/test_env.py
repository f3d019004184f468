"""The environment, by PettingZoo's own tests and by ours."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import houserule
from houserule.env import MOST_OPTIONS, env, raw_env

SMALL = Path(__file__).resolve().parents[2] / "tests" / "games"
GAMES = [("attic", 3), ("glutton", 2), ("orchard", 3), ("pilgrims", 1), ("skerry", 4), ("thistles", 4), ("tinkers", 3)]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_pettingzoo_finds_nothing_wrong(game, players):
    with warnings.catch_warnings():
        # It remarks that observations are no pictures.
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(game, players=players, root=SMALL), num_cycles=300)


def test_pettingzoo_finds_nothing_wrong_with_the_dice_game():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(env("nations-dice", players=2), num_cycles=100)


def test_the_same_seed_gives_the_same_course():
    seed_test(lambda: env("skerry", players=4, root=SMALL), num_cycles=60)


def play(environment, seed, choose):
    environment.reset(seed=seed)
    rewards = dict.fromkeys(environment.possible_agents, 0.0)
    answers = []
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        rewards[agent] += reward
        if termination or truncation:
            environment.step(None)
            continue
        count = int(observation["action_mask"].sum())
        assert observation in environment.observation_space(agent)
        assert 2 <= count == len(info["options"]) <= MOST_OPTIONS and observation["action_mask"][:count].all()
        answers.append(info["options"][choose(count)])
        environment.step(choose(count))
    return rewards, answers


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_it_plays_the_game_of_its_seed_and_rewards_who_wins(game, players):
    rules = houserule.load(game, players=players, root=SMALL)
    by_hand = houserule.Game(rules, 9)
    rewards, answers = play(env(rules), 9, lambda count: count // 2)
    taken = iter(answers)
    while (decision := by_hand.decision()) is not None:
        by_hand.answer(next(taken) if len(decision.options) > 1 else 0)
    assert next(taken, None) is None
    winners = by_hand.winners()
    assert rewards == {agent: 1 / len(winners) if agent in winners else 0.0 for agent in rules.seats}
    points, _ = play(env(rules, reward="points"), 9, lambda count: count // 2)
    assert points == {agent: float(points) for agent, points in by_hand.points()}


def test_games_without_a_seed_are_others():
    environment = raw_env("attic", players=3, root=SMALL)
    seeds = []
    for _ in range(3):
        environment.reset()
        seeds.append(environment.game_seed)
    environment.reset(seed=4)
    assert len(set(seeds)) == 3 and environment.game_seed == 4


def test_an_illegal_action_ends_the_game_for_whoever_took_it():
    environment = env("attic", players=3, root=SMALL)
    environment.reset(seed=1)
    agent = environment.agent_selection
    environment.step(MOST_OPTIONS - 1)
    assert environment.rewards[agent] == -1 and all(environment.terminations.values())


def test_only_who_must_decide_has_actions():
    environment = raw_env("orchard", players=3, root=SMALL)
    environment.reset(seed=1)
    for agent in environment.agents:
        assert environment.observe(agent)["action_mask"].any() == (agent == environment.agent_selection)
    seen = [environment.observe(agent)["observation"] for agent in environment.agents]
    assert not np.array_equal(seen[0], seen[1])


def test_what_is_wrong_is_told():
    with pytest.raises(ValueError, match='there are "win" and "points"'):
        raw_env("attic", reward="glory", root=SMALL)
    with pytest.raises(TypeError, match="players come too late"):
        raw_env(houserule.load("attic", root=SMALL), players=3)
    with pytest.warns(UserWarning, match="without effect when it begins: side"):
        raw_env("attic", root=SMALL).reset(options={"side": "b"})
    environment = raw_env("attic", root=SMALL, render_mode="ansi")
    environment.reset(seed=1)
    assert environment.render()


def test_an_action_can_mean_the_same_at_every_question():
    rules = houserule.load("attic", players=3, root=SMALL)
    actions = houserule.ActionIds.of_games(rules, 5, size=512)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(rules, actions=actions), num_cycles=300)
    environment = env(rules, actions=actions)
    environment.reset(seed=7)
    met = {}
    for agent in environment.agent_iter():
        observation, _, termination, truncation, info = environment.last()
        if termination or truncation:
            environment.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        assert sorted(info["actions"]) == legal and environment.action_space(agent).n == 512
        for action, key in zip(info["actions"], info["options"]):
            assert met.setdefault(action, key) == key
        environment.step(legal[-1])
    assert len(met) > 3
    raw = raw_env(rules, actions=actions)
    raw.reset(seed=7)
    with pytest.raises(houserule.InputError, match="the action 511 is not legal"):
        raw.step(511)
