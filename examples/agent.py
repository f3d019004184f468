#!/usr/bin/env python3
"""A player for houserule, with nothing but Python: `houserule playtest GAME --seat 'exec:python3 examples/agent.py buy,choose' …`

It takes the first option that begins with one of the words it was given, in the order of the words, and else the first
there is. docs/agents.md says what is spoken.
"""

import json
import sys

wishes = sys.argv[1].split(",") if len(sys.argv) > 1 else []


def choose(view, options):
    """The key that is taken. `view` is what this seat sees: round, order, table, seats."""
    for wish in wishes:
        for key in options:
            if key.startswith(wish):
                return key
    return options[0]


for line in sys.stdin:  # ends when houserule has nothing more to ask
    told = json.loads(line)
    if told["type"] == "ask":
        key = choose(told["view"], told["options"])
        print(json.dumps({"id": told["id"], "key": key}), flush=True)
    elif told["type"] == "end":
        sys.stderr.write(f"points: {told['points']}\n")  # the standard error is yours; in one piece, since others write, too
