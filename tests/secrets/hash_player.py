"""A player whose answers depend on every byte that it has ever been told."""

import hashlib
import json
import sys

heard = hashlib.sha256()
for line in sys.stdin:
    heard.update(line.encode())
    told = json.loads(line)
    if told["type"] == "ask":
        options = told["options"]
        key = options[int(heard.hexdigest(), 16) % len(options)]
        print(json.dumps({"id": told["id"], "key": key}), flush=True)
