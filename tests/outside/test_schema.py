"""`houserule schema`: every shipped file fits the schema of its game, wrong ones do not, and a validator of others says what is wrong."""

import functools
import json

import pytest
import tomli
from jsonschema import Draft202012Validator

# Files that are no TOML at all.
NO_TOML = {"broken.toml", "one_bracket_of_two.toml"}

# An advisor of Nations without `kind`.
CARD = 'id = "wisp"\nage = 1\nset = "base"\nsource = "original"\n'


@pytest.fixture(scope="session")
def schema_of(houserule, root):
    """The validator of what `houserule schema` prints: of a game below a folder, for a kind of file."""

    @functools.cache
    def of(game, *packs, described="card", below=root):
        packs = [word for pack in packs for word in ("--pack", root / pack)]
        done = houserule("--root", below, "schema", game, "--for", described, *packs)
        assert done.status == 0, done.err
        schema = json.loads(done.out)
        assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
        Draft202012Validator.check_schema(schema)
        return Draft202012Validator(schema)

    return of


@pytest.fixture(scope="session")
def small(root):
    """The folder of the small games."""
    return root / "tests/games"


@pytest.fixture(scope="session")
def errors(root):
    """The folder of wrong files, in which is a game for them."""
    return root / "tests/errors"


@functools.cache
def read(path):
    return tomli.loads(path.read_text(encoding="utf-8"))


def said(schema, file):
    """What a validator says of a file or its text, each with its place."""
    file = tomli.loads(file) if isinstance(file, str) else file
    return ["".join(f"/{part}" for part in wrong.absolute_path) + f": {wrong.message}" for wrong in schema.iter_errors(file)]


def all_fit(schema, folder):
    """How many files below a folder fit, and all must."""
    files = [path for path in sorted(folder.rglob("*.toml")) if "names" not in path.relative_to(folder).parts]
    for path in files:
        assert said(schema, read(path)) == [], path
    return len(files)


@pytest.mark.parametrize(("game", "least"), [("nations", 100), ("nations-dice", 6), ("near", 20)])
def test_every_card_fits_the_schema_of_its_game(schema_of, root, game, least):
    assert all_fit(schema_of(game), root / "cards" / game) >= least


def test_every_card_of_a_small_game_fits_its_schema(schema_of, small):
    games = sorted(path.stem for path in (small / "rules").glob("*.rules"))
    assert len(games) >= 15
    assert {path.name for path in (small / "cards").iterdir()} <= set(games)
    assert sum(all_fit(schema_of(game, below=small), small / "cards" / game) for game in games) >= 10


@pytest.fixture(scope="session")
def packs(root):
    """The packs that are shipped."""
    return sorted(path.parent.relative_to(root) for path in (root / "packs").glob("*/pack.toml"))


def test_every_file_of_a_pack_fits(schema_of, root, packs):
    assert [pack.name for pack in packs] == ["dynasties", "promo"]
    for pack in packs:
        assert all_fit(schema_of("nations", *packs), root / pack / "cards") > 0
        assert all_fit(schema_of("nations", *packs, described="scenario"), root / pack / "tests") > 0
        assert said(schema_of("nations", described="pack"), read(root / pack / "pack.toml")) == []


def test_every_file_of_the_examples_fits(schema_of, root):
    """The walks of the book end in these."""
    examples = root / "examples"
    assert all_fit(schema_of("nations", "examples/saltmarsh"), examples / "saltmarsh/cards") > 0
    assert said(schema_of("nations", described="pack"), read(examples / "saltmarsh/pack.toml")) == []
    for game in ["harbour", "foragers"]:
        assert all_fit(schema_of(game, below=examples / game), examples / game / "cards") > 0


def test_every_scenario_fits_the_schema_of_its_game(schema_of, root, packs):
    files = sorted((root / "tests/scenarios").rglob("*.toml"))
    assert len(files) >= 17
    for path in files:
        file = read(path)
        schema = schema_of(file["game"], *(packs if file["game"] == "nations" else []), described="scenario")
        assert said(schema, file) == [], path


def wrong_files(errors):
    """The wrong files that are TOML, without translations, each with what is in it."""
    for path in sorted(errors.glob("*.toml")):
        if ".names." not in path.name and path.name not in NO_TOML:
            yield path, read(path)


def test_wrong_files_do_not_fit(schema_of, errors):
    cards = schema_of("toy", below=errors / "game")
    scenarios = schema_of("toy", described="scenario", below=errors / "game")
    unfit = {path.name for path, file in wrong_files(errors) if said(scenarios if ".scenario." in path.name else cards, file)}
    wanted = {"kind_unknown.toml", "missing_key.toml", "misspelt_header.toml", "figure_of_another_sort.toml", "ages_and_limits.toml"}
    assert wanted <= unfit
    assert len(unfit) >= 10, unfit


def test_files_that_are_no_toml_are_none_for_a_reader_of_others(errors):
    for name in NO_TOML:
        with pytest.raises(tomli.TOMLDecodeError):
            read(errors / name)


@pytest.mark.parametrize(
    "begins",
    [
        f'[[card]]\n{CARD}kind = "advisor"\n',
        f'[defaults]\nkind = "advisor"\n[[card]]\n{CARD}',
        f'[[card]]\n{CARD}like = "hatshepsut"\n',
        '[[patch]]\ncard = "hatshepsut"\n',
        "[defaults.advisor]\n",
    ],
    ids=["of the card", "by default", "by another card", "patch", "defaults of the kind"],
)
def test_a_field_of_another_kind_is_refused_wherever_the_kind_is_said(schema_of, begins):
    cards = schema_of("nations")
    assert said(cards, begins) == []
    wrong = said(cards, f"{begins}sections = 3\n")
    assert any("'sections' was unexpected" in one for one in wrong), wrong


def test_the_own_kind_of_a_card_counts_before_that_of_defaults(schema_of):
    cards = schema_of("nations")
    wrong = said(cards, f'[defaults]\nkind = "advisor"\n[[card]]\n{CARD}kind = "wonder"\nsections = [1, 2]\n')
    assert not any("unexpected" in one for one in wrong), wrong
    # Without any kind a card has none.
    assert said(cards, f"[[card]]\n{CARD}") == ["/card/0: 'kind' is a required property"]
    wrong = said(cards, '[[patch]]\ncard = "nobody_knows"\nsections = [1]\n')
    assert not any("unexpected" in one for one in wrong), wrong


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("age = true", "/card/0/age: True is not of type 'integer'"),
        ("kind = 3", "/card/0/kind: 3 is not one of"),
        ("on.production = 5", "/card/0/on/production: 5 is not of type 'string', 'object'"),
        ('on.production = { doo = "gain(me, gold, 1)" }', "'doo' was unexpected"),
        ("on.production = { do = 3 }", "/card/0/on/production/do: 3 is not of type 'string', 'array'"),
        ('on.produktion = "gain(me, gold, 1)"', "'produktion' was unexpected"),
        ("change.stability = true", "/card/0/change/stability: True is not of type"),
        ('action = { limit = "often" }', "/card/0/action/limit: 'often' does not match"),
        ('like = "Not an id"', "/card/0/like: 'Not an id' does not match"),
        ("copies = 0", "/card/0/copies: 0 is less than the minimum of 1"),
        ("alt_names = [1]", "/card/0/alt_names/0: 1 is not of type 'string'"),
        ("each.n = 3", "/card/0/each/n: 3 is not of type 'string', 'array'"),
    ],
    ids=lambda text: text.split(" ")[0],
)
def test_a_validator_says_what_is_wrong(schema_of, line, wanted):
    kind = "" if line.startswith("kind") else 'kind = "advisor"\n'
    text = f'[[card]]\nid = "wisp"\n{kind}set = "base"\nsource = "original"\n{line}\n'
    wrong = said(schema_of("nations"), text)
    assert any(wanted in one for one in wrong), wrong


def test_of_no_wrong_file_it_is_said_that_nothing_fits_without_what(schema_of, errors):
    cards = schema_of("toy", below=errors / "game")
    wrong = [(path.name, one) for path, file in wrong_files(errors) for one in said(cards, file)]
    assert [one for one in wrong if "under any of the" in one[1]] == []
    assert len(wrong) > 20, wrong


def test_each_sort_of_file_fits_its_own_schema_only(schema_of, root):
    cards = schema_of("nations")
    manifest = read(root / "packs/dynasties/pack.toml")
    assert schema_of("nations", described="pack").is_valid(manifest) and not cards.is_valid(manifest)
    of_pack = read(root / "packs/dynasties/cards/dynasties.toml")
    assert schema_of("nations", "packs/dynasties").is_valid(of_pack) and not cards.is_valid(of_pack), "a pack's names are known with it"
    scenarios = read(root / "tests/scenarios/rulebook.toml")
    assert schema_of("nations", described="scenario").is_valid(scenarios) and not cards.is_valid(scenarios)


def test_what_is_an_id_the_schema_takes_for_one(schema_of, houserule, small, tmp_path):
    fit = ["wolf", "grey_wolf_2", "w"]
    unfit = ["wolf_", "_wolf", "grey__wolf", "Wolf", "2_wolves", "grey-wolf", "λύκος", ""]
    pattern = Draft202012Validator({"pattern": schema_of("attic", below=small).schema["$defs"]["card"]["pattern"]})
    assert [name for name in fit + unfit if pattern.is_valid(name)] == fit
    # And the program takes the same for ids.
    (tmp_path / "pack/cards").mkdir(parents=True)
    (tmp_path / "pack/pack.toml").write_text('name = "more"\nversion = "1"\nlanguage = 1\nextends = "attic"\n')
    cards = "".join(f'[[card]]\nid = "{name}"\nkind = "clock"\nvp = 3\n' for name in fit + unfit)
    (tmp_path / "pack/cards/a.toml").write_text(cards, encoding="utf-8")
    done = houserule("--root", small, "check", "pack", folder=tmp_path)
    assert [name for name in fit + unfit if f"`{name}` is not an id" in done.err] == unfit, done.err
