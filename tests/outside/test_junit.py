"""`houserule test --junit FILE`: well-formed XML, read by a parser of others, with every test in it and the right counts."""

import json
import unicodedata
import xml.etree.ElementTree as ElementTree

import pytest

GROWTH = 'when = "run maintenance.growth; p2: take gold; p1: take food"'

# Names that XML must escape, or cannot hold.
NAMES = [
    """<b> & "quotes" 'both' ]]> &amp; <!-- -->""",
    "œuf, λύκος, 遠い, 🂡",
    "two\nlines,\ta tab,\r\nand blanks  ",
    "bell \x07, escape \x1b[31m, \x7f and \x85",
    "no characters: \ufffe \uffff",
]


@pytest.fixture
def report(houserule, tmp_path):
    """Runs the tests of files, and reads what is written of them: the root, the suites by name, and what was said."""

    def run(files, *args, status):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(text.encode())
        done = houserule("test", *args, "--junit", "report.xml", folder=tmp_path)
        assert done.status == status, done.out + done.err
        top = ElementTree.fromstring((tmp_path / "report.xml").read_bytes())
        assert (top.tag, top.get("name")) == ("testsuites", "houserule")
        suites = {suite.get("name"): suite for suite in top}
        assert len(suites) == len(top)
        counted = dict.fromkeys(["tests", "skipped", "failures", "errors"], 0)
        for name, suite in suites.items():
            of_suite = counts(suite)
            assert of_suite == {key: int(suite.get(key)) for key in counted}, name
            counted = {key: counted[key] + of_suite[key] for key in counted}
        assert counted == {key: int(top.get(key)) for key in counted}
        return top, suites, done

    return run


def counts(suite):
    """How many tests of a suite there are, and what came of them, counted one by one."""
    for case in suite:
        assert case.tag == "testcase" and case.get("classname") == suite.get("name")
        assert len(case) <= 1 and float(case.get("time")) >= 0
    tags = [case[0].tag for case in suite if len(case)]
    assert set(tags) <= {"skipped", "failure", "error"}
    return {"tests": len(suite), "skipped": tags.count("skipped"), "failures": tags.count("failure"), "errors": tags.count("error")}


def quoted(text):
    """A text as TOML writes it, with what cannot be seen in it as a number."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in quoted)


def scenario(name, then):
    return f"[[scenario]]\nname = {quoted(name)}\n{GROWTH}\nthen = {quoted(then)}\n\n"


def held(name):
    """What can be seen of a name, and can be held by XML."""
    lost = {one for one in name if unicodedata.category(one) == "Cc"} - set("\t\n\r") | {"\ufffe", "\uffff"}
    return "".join("\ufffd" if one in lost else one for one in name)


def test_every_test_is_in_the_file_with_what_came_of_it(report):
    tests = scenario("growth gives three", "p2.gold gained 3\np1.food gained 4") + scenario("it gives three indeed", "p1.food gained 3")
    top, suites, _ = report({"growth.toml": f'game = "nations"\nplayers = 2\n\n{tests}'}, "growth.toml", status=1)
    failed, passed = suites["growth.toml"]
    assert (failed.get("name"), passed.get("name")) == ("growth gives three", "it gives three indeed")
    assert len(passed) == 0 and failed[0].tag == "failure"
    assert failed[0].get("message") == failed[0].text.splitlines()[0]
    assert "`p1.food gained 4` does not hold" in failed[0].text
    assert top.get("tests") == "2" and top.get("failures") == "1"


def test_names_are_read_as_they_are_written(report):
    tests = "".join(scenario(name, "p1.food gained 4" if at % 2 else "p1.food gained 3") for at, name in enumerate(NAMES))
    _, suites, _ = report({"a & <b>.toml": f'game = "nations"\nplayers = 2\n\n{tests}'}, "a & <b>.toml", status=1)
    *cases, unseen = suites["a & <b>.toml"]
    assert [case.get("name") for case in cases] == [held(name) for name in NAMES]
    assert [len(case) for case in cases] == [at % 2 for at in range(len(NAMES))]
    # What cannot be seen is told besides.
    assert unseen[0].tag == "error" and "`\\u{7}`, which cannot be seen" in unseen[0].get("message")


def test_what_is_said_of_a_failed_test_is_read_as_it_is_written(report):
    tests = scenario("wrong", "p1.food gained 4")
    _, suites, done = report({"λ <&> 'é'.toml": f'game = "nations"\nplayers = 2\n\n{tests}'}, "λ <&> 'é'.toml", status=1)
    failure = suites["λ <&> 'é'.toml"][0][0]
    assert "λ <&> 'é'.toml:" in failure.text
    # It is what the terminal shows, there indented by two.
    shown = done.out.split("\n\n", 1)[0].splitlines()
    assert shown[0].startswith("FAILED ") and [line[2:] for line in shown[1:]] == failure.text.splitlines()


def test_a_file_that_cannot_be_read_is_an_error_and_its_tests_are_skipped(report):
    pack = 'name = "mine"\nversion = "1.0"\nlanguage = 1\nextends = "nations"\n'
    card = '[[card]]\nid = "wisp"\nname = "Wisp"\nkind = "advisor"\nage = 1\nset = "base"\nsource = "original"\n'
    test = '\n[[card.test]]\ngiven = "p1 has wisp"\nthen = "p1 has wisp"\n'
    tests = "".join(scenario(name, "p1.food gained 3") for name in ["one", "<two>"])
    tests = f'packs = [".."]\ngame = "nations"\nplayers = 2\n\n{tests}'
    files = {"mine/pack.toml": pack, "mine/rules/mine.rules": "extend setup { gian 1 gold }", "mine/cards/wisp.toml": card + test}
    top, _, done = report({**files, "mine/tests/growth.toml": tests}, "mine", status=1)
    assert "0 passed, 0 failed, 3 not run" in done.out
    cases = list(top.iter("testcase"))
    skipped = [case.get("name") for case in cases if len(case) and case[0].tag == "skipped"]
    errors = [(case.get("name"), case[0]) for case in cases if len(case) and case[0].tag == "error"]
    assert len(skipped) == 3 and {"one", "<two>"} <= set(skipped)
    assert errors and {name for name, _ in errors} == {"the files can be read"}
    assert any("`gian`" in error.get("message") for _, error in errors) and all(error.text.startswith("error") for _, error in errors)


def test_all_tests_of_a_game_are_counted(report, root):
    top, _, done = report({}, "--root", root, "nations-dice", status=0)
    tests = int(top.get("tests"))
    files = sum(1 for suite in top if len(suite))
    assert tests > 100 and done.out.startswith(f"{tests} passed, 0 failed, in {files} file"), done.out
