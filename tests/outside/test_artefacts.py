"""What `.ci/artefacts` keeps of a build, and when it does not use it."""

import os
import subprocess
from pathlib import Path

import pytest

OTHERS = ["deps/libserde-0123456789abcdef.rlib", "deps/serde-0123456789abcdef.d", "build/libc-0123456789abcdef/output", ".fingerprint/serde-0123456789abcdef/lib-serde"]
OURS = ["deps/libhouserule_engine-0123456789abcdef.rlib", "deps/main-0123456789abcdef", "deps/mutate-0123456789abcdef", ".fingerprint/houserule-lab-0123456789abcdef/lib", "houserule"]


@pytest.fixture
def artefacts(root, tmp_path):
    """Runs `.ci/artefacts` with a cache and target folders of its own, and gives back what it says."""

    def run(what, target, **more):
        line = [root / ".ci" / "artefacts", what, tmp_path / target]
        done = subprocess.run(line, env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")} | more, capture_output=True, text=True, check=True)
        return done.stdout + done.stderr

    for file in [*OTHERS, *OURS]:
        path = tmp_path / "built" / "debug" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"what {file} is")
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return run


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def kept_folder(tmp_path):
    (folder,) = (path for path in (tmp_path / "cache" / "houserule-ci").iterdir() if path.is_dir())
    return folder


def test_crates_of_others_come_back_with_their_times_and_ours_do_not(artefacts, tmp_path):
    assert "nothing is kept" in artefacts("restore", "new")
    assert "4 files" in artefacts("keep", "built")
    assert "has all 4 files" in artefacts("keep", "built")
    assert "4 files" in artefacts("restore", "new")
    assert files(tmp_path / "new" / "debug") == sorted(OTHERS)
    for file in OTHERS:
        assert (tmp_path / "new" / "debug" / file).stat().st_mtime == 1_700_000_000
    assert (tmp_path / "new/debug/build/libc-0123456789abcdef/out").is_dir()
    # What is there already stays as it is.
    (tmp_path / "new/debug" / OTHERS[0]).write_text("another")
    assert "0 files" in artefacts("restore", "new")
    assert (tmp_path / "new/debug" / OTHERS[0]).read_text() == "another"


def cut(folder):
    (folder / "debug" / OTHERS[0]).write_text("what debug/deps/libserde-0123456789abcdef.rlib iz")


def lose(folder):
    (folder / "debug" / OTHERS[1]).unlink()


def garble(folder):
    (folder / "contents.json").write_text("{")


def open_to_others(folder):
    (folder / "contents.json").chmod(0o666)


def lead_out(folder):
    (folder / "contents.json").write_text('{"../out": [0, "0"]}')


@pytest.mark.parametrize("harm", [cut, lose, garble, open_to_others, lead_out])
def test_what_is_damaged_or_not_ours_is_noticed_and_made_anew(artefacts, tmp_path, harm):
    artefacts("keep", "built")
    harm(kept_folder(tmp_path))
    assert "cannot be used, and is made anew" in artefacts("restore", "new")
    assert files(tmp_path / "new") == []
    assert "4 files" in artefacts("keep", "built") and "4 files" in artefacts("restore", "new")


def test_nothing_is_kept_where_that_is_not_wanted_or_not_possible(artefacts, tmp_path):
    assert artefacts("keep", "built", HOUSERULE_CI_KEEP="no") == ""
    (tmp_path / "cache").write_text("no folder")
    assert "nothing is kept" in artefacts("keep", "built") and "nothing is kept" in artefacts("restore", "new")


def test_other_settings_have_a_folder_of_their_own_and_old_ones_go(artefacts, tmp_path):
    for flags in ["-Copt-level=0", "-Copt-level=1", "-Copt-level=2"]:
        artefacts("keep", "built", RUSTFLAGS=flags)
    folders = {path.name for path in (tmp_path / "cache/houserule-ci").iterdir() if path.is_dir()}
    assert len(folders) == 3
    for days, name in enumerate(sorted(folders)):
        before = 1_700_000_000 - days
        os.utime(tmp_path / "cache/houserule-ci" / name, (before, before))
    assert "which is old, is removed" in artefacts("keep", "built")
    assert len({path.name for path in (tmp_path / "cache/houserule-ci").iterdir() if path.is_dir()} & folders) == 0
