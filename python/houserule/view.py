"""What a seat sees, in words."""

from __future__ import annotations

import json
from typing import Any

from houserule._houserule import Game


def view(game: Game) -> dict[str, Any] | None:
    """What the seat that must decide sees, as the page on agents describes it; nothing once the game is over."""
    text = game.view_json()
    return None if text is None else json.loads(text)
