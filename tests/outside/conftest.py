"""Looks at what houserule writes with programs of others: a reader of PDF, a validator of JSON Schema, a terminal, a parser of XML.

    cargo build                                                  # the program; or HOUSERULE=PATH names another one
    python3 -m venv .venv && .venv/bin/pip install -r tests/outside/requirements.txt
    .venv/bin/pytest tests/outside                               # all of it
    .venv/bin/pytest tests/outside -k paper --durations=10       # one file, and what took longest

They run the program only, know nothing of its code, and need Python 3.11 or newer on Linux or macOS."""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from terminal import Terminal

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("HOUSERULE") or ROOT / "target" / "debug" / "houserule").absolute()


def pytest_configure():
    if not os.access(PROGRAM, os.X_OK) or PROGRAM.is_dir():
        raise pytest.UsageError(f"there is no program {PROGRAM}: build it with `cargo build`, or say with HOUSERULE=PATH where one is")


class Done(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def root():
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def program():
    """Where the program is."""
    return PROGRAM


@pytest.fixture(scope="session")
def houserule():
    """Runs a command in a folder, which is the repository unless another is named."""

    def run(*args, folder=ROOT):
        done = subprocess.run([PROGRAM, *args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def in_terminal():
    """Starts programs in terminals of their own, in the repository; what still runs at the end of a test is ended."""
    started = []

    def start(command, size, **environment):
        started.append(Terminal(command, size, ROOT, environment))
        return started[-1]

    yield start
    for terminal in started:
        terminal.kill()
