"""`houserule completions` in the shells themselves; bash and zsh in a terminal of their own."""

import os
import shutil
import subprocess

import pytest

# What every shell completes: commands, games, cards, variants, options, values and machine players.
LINES = [
    ("houserule tourn", "houserule tournament "),
    ("houserule playtest nations-d", "houserule playtest nations-dice "),
    ("houserule show hatshep", "houserule show hatshepsut "),
    ("houserule compare nations --with camp", "--with campaign "),
    ("houserule tournament nations --agents random,gre", "random,greedy"),
    ("houserule schema nations --for sce", "--for scenario "),
    ("houserule playtest nations --option set=adv", "--option set=advanced"),
]

# Bash parts words at `=`, `@` and `:`.
PARTED_LINES = [
    ("houserule play nations --option si", "--option side="),
    ("houserule playtest nations --option set=base,adv", "set=base,advanced"),
    ("houserule playtest nations --deal hatshepsut@", "hatshepsut@p"),
    ("houserule --root tests/games play orch", "play orchard "),
    ("houserule check packs/dyn", "packs/dynasties/"),
    ("houserule playtest nations --with 'camp", "--with 'campaign'"),
]


@pytest.fixture
def shell(in_terminal, tmp_path):
    """Starts a shell without settings of anybody's; `load` is the line by which it loads the completions."""

    def start(command, load):
        terminal = in_terminal(command, (100, 50), TERM="xterm", PS1="ready> ", LC_ALL="C.UTF-8", HOME=tmp_path)
        terminal.press(f"{load}; echo load''ed\r")
        terminal.wait("what is loaded", lambda text: "loaded" in text)
        return terminal

    return start


def completes(shell, typed, wanted):
    """Types the beginning of a line and the key for completion, and waits for what must come; then the line is emptied."""
    shell.press(f"{typed}\t")
    shell.wait(f"`{wanted}`", lambda _: wanted in shell.screen.before_cursor())
    shell.press("\x15")


def test_bash_completes_names_of_games_cards_and_options(shell, program):
    bash = shell(["bash", "--norc", "--noprofile", "-i"], f"source <('{program}' completions bash)")
    for typed, wanted in LINES + PARTED_LINES:
        completes(bash, typed, wanted)


def test_zsh_completes_names_of_games_cards_and_options(shell, program):
    if shutil.which("zsh") is None:
        pytest.skip("nobody has looked at completions of zsh, which is not installed")
    zsh = shell(["zsh", "-f", "-i"], f"autoload -Uz compinit; compinit -u; source <('{program}' completions zsh)")
    for typed, wanted in LINES:
        completes(zsh, typed, wanted.rstrip())


def test_fish_completes_names_of_games_cards_and_options(program, root, tmp_path):
    if shutil.which("fish") is None:
        pytest.skip("nobody has looked at completions of fish, which is not installed")
    for typed, wanted in LINES:
        line = f"'{program}' completions fish | source; complete --do-complete '{typed}'"
        done = subprocess.run(
            ["fish", "--no-config", "-c", line], cwd=root, env=os.environ | {"HOME": str(tmp_path)}, capture_output=True, text=True
        )
        words = [said.split("\t")[0] for said in done.stdout.splitlines()]
        assert wanted.split()[-1] in words, f"{typed}: {done.stdout}{done.stderr}"
