"""A PettingZoo environment (AEC): any game of houserule, seat by seat."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from houserule._houserule import Game, Rules
from houserule.actions import ActionIds
from houserule.errors import InputError
from houserule.load import load

#: No question has more options than these.
MOST_OPTIONS = 256


def env(game: str | Rules, **options: Any) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game with -1 for whoever took it."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # noqa: N801, the name that PettingZoo's environments have
    """A game without wrappers.

    `game` is rules that are loaded, or the name of a game; what else is given goes to `houserule.load`. An observation is what the
    seat sees, as numbers (-1 for what it does not know), with a mask of the actions. An action is the index of an option, or, with
    `actions`, the number that they have for the option's key, the same at every question; `infos` say what is asked, what the options
    are called, and by which actions they are taken. A question with one answer is not put.

    `reward` is given at the end: "win" (1, shared by those whom nothing tells apart, and 0 for the others) or "points".
    A seed given to `reset` is the seed of the game, as everywhere in houserule.
    """

    metadata = {"name": "houserule_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str | Rules,
        *,
        reward: str = "win",
        actions: ActionIds | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if reward not in ("win", "points"):
            raise InputError(f'there is no reward {reward!r}; there are "win" and "points"')
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f'there is no render mode {render_mode!r}; there is "ansi"')
        if isinstance(game, Rules) and options:
            raise TypeError(f"these rules are loaded already: {', '.join(options)} come too late")
        self.rules = game if isinstance(game, Rules) else load(game, **options)
        self.reward = reward
        self.actions = actions
        self.render_mode = render_mode
        self.possible_agents = list(self.rules.seats)
        numbers = np.iinfo(np.int32)
        box = spaces.Box(numbers.min, numbers.max, (self.rules.observation_size,), np.int32)
        count = MOST_OPTIONS if actions is None else actions.size
        mask = spaces.Box(0, 1, (count,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        if options:
            # PettingZoo wants them to be taken by every environment.
            names = ", ".join(options)
            warnings.warn(f"options are chosen when a game is loaded; without effect when it begins: {names}", stacklevel=2)
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.game_seed = int(self._random.integers(2**63)) if seed is None else seed
        self.game = Game(self.rules, self.game_seed, log=self.render_mode is not None)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = np.frombuffer(self.game.observe(agent), dtype=np.int32)
        mask = np.zeros(self.action_spaces[agent].n, dtype=np.int8)
        if not self.game.finished and agent == self.agent_selection:
            mask[list(self._options)] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if int(action) not in self._options:
            raise InputError(f"the action {action} is not legal; the mask says which are")
        self.game.answer(self._options[int(action)])
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode is None:
            gymnasium.logger.warn('nothing is rendered without render_mode="ansi"')
            return None
        return "\n".join(self.game.log)

    def close(self) -> None:
        pass

    def _go_on(self) -> None:
        """To the next question that has a choice, or to the end."""
        decision = self.game.decision()
        while decision is not None and len(decision.options) == 1:
            self.game.answer(0)
            decision = self.game.decision()
        options = decision.options if decision else []
        #: The index of the option that an action takes.
        self._options = {self._action(index, key): index for index, key in enumerate(options)}
        self.infos = {agent: {} for agent in self.agents}
        if decision:
            self.agent_selection = decision.seat
            self.infos[decision.seat] = {"question": decision.question, "options": options, "actions": list(self._options)}
            return
        points, winners = dict(self.game.points()), self.game.winners()
        for agent in self.agents:
            won = 1.0 / len(winners) if agent in winners else 0.0
            self.rewards[agent] = won if self.reward == "win" else float(points[agent])
            self.terminations[agent] = True
            self.infos[agent] = {"points": points[agent], "winners": winners}

    def _action(self, index: int, key: str) -> int:
        return index if self.actions is None else self.actions.of(key)
