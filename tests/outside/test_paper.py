"""Sheets of `houserule print`, read back by a program of others: what is written on them, where lines are, how large they are."""

import io
import math
from pathlib import Path

import pypdf
import pytest

# Millimetres in a point.
POINT = 25.4 / 72

# A small game, which tests/print.rs prints as well.
RULES, CARDS = ((Path(__file__).parent / file).read_text() for file in ("wisps.rules", "wisps.toml"))

# More of them than there is room for on a sheet.
MANY_CARDS = CARDS.replace("copies = 3", "copies = 10")


class Sheet:
    """A page of a file."""

    def __init__(self, page, file):
        self.page = page
        self.operations = pypdf.generic.ContentStream(page.get_contents(), file).operations

    def size(self):
        """Width and height in millimetres."""
        box = self.page.mediabox
        return round(float(box.width) * POINT), round(float(box.height) * POINT)

    def text(self):
        """The text, as a reader that searches it finds it: the glyphs that are drawn, by each font's table of what they stand for."""
        fonts = {name: letters_of(font.get_object()) for name, font in self.page["/Resources"]["/Font"].items()}
        letters, text = {}, ""
        for operands, operator in self.operations:
            if operator == b"Tf":
                letters = fonts[operands[0]]
            elif operator in (b"Tj", b"TJ"):
                pieces = operands[0] if operator == b"TJ" else operands
                for glyphs in (piece.original_bytes for piece in pieces if hasattr(piece, "original_bytes")):
                    text += "".join(letters[glyphs[at : at + 2]] for at in range(0, len(glyphs), 2))
            elif operator == b"ET":
                text += " "
        return " ".join(text.split())

    def lines(self):
        """The straight lines from one point to another, in halves of a millimetre."""
        drawn = [
            (operator, [math.floor(float(one) * POINT * 2 + 0.5) for one in operands])
            for operands, operator in self.operations
            if operator in (b"m", b"l", b"c", b"h", b"S", b"B", b"f")
        ]
        threes = zip(drawn, drawn[1:], drawn[2:])
        return [one[1] + two[1] for one, two, three in threes if (one[0], two[0], three[0]) == (b"m", b"l", b"S")]


def letters_of(font):
    """Which letters the glyphs of a font stand for, by the lines `<0001> <0042>` of its table."""
    letters = {}
    for line in font["/ToUnicode"].get_data().decode().splitlines():
        parts = line.split()
        if len(parts) == 2 and all(part.startswith("<") and part.endswith(">") for part in parts):
            glyph, letter = (bytes.fromhex(part[1:-1]) for part in parts)
            letters[glyph] = letter.decode("utf-16-be")
    return letters


def sheets_of(path):
    """The sheets of a file."""
    file = pypdf.PdfReader(io.BytesIO(path.read_bytes()), strict=True)
    return [Sheet(page, file) for page in file.pages]


def write(folder, path, text):
    path = folder / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def game(folder):
    """A folder with the game, in which commands run."""
    write(folder, "rules/wisps.rules", RULES)
    write(folder, "cards/wisps/all.toml", CARDS)
    return folder


@pytest.fixture
def folder(tmp_path):
    return game(tmp_path)


@pytest.fixture
def printed(houserule, folder):
    """Prints the game with these arguments, and reads the file back: its sheets, and what was said."""

    def prints(*args, folder=folder):
        done = houserule("print", "wisps", "--out", "a.pdf", *args, folder=folder)
        assert (done.status, done.err) == (0, ""), done.out
        return sheets_of(folder / "a.pdf"), done.out

    return prints


def test_sheets_have_the_texts_of_all_cards_and_as_many_copies_as_the_game(printed):
    sheets, said = printed()
    assert said == "4 cards on 1 sheet\n"
    assert [sheet.size() for sheet in sheets] == [(210, 297)]
    text = sheets[0].text()
    assert text.count("Marsh Wisp") == 3, text
    for words in ["Œil-de-bœuf Ὀλυμπία", "Sits on the wall and says nothing at all.", "glow", "spark 2", "Wisps & Walls, 1/1"]:
        assert words in text
    sheets, said = printed("--once", "--cards", "glow < 5")
    assert said == "1 card on 1 sheet\n"
    text = sheets[0].text()
    assert "Marsh Wisp" in text and "Ὀλυμπία" not in text


def test_cards_fill_a_sheet_and_marks_show_where_to_cut(printed, folder):
    write(folder, "cards/wisps/all.toml", MANY_CARDS)
    sheets, said = printed()
    assert said == "11 cards on 2 sheets\n" and len(sheets) == 2
    assert sheets[0].text().count("Marsh Wisp") == 9
    # Three cards of 63 mm in 210 mm: four cuts, each with a mark above and below; and the same for three of 88 mm in 297 mm.
    lines = sheets[0].lines()
    upright = sorted(left for left, _, right, _ in lines if left == right)
    across = sorted(top for _, top, _, bottom in lines if top == bottom)
    assert upright == sorted([21, 147, 273, 399] * 2), lines
    assert across == sorted([33, 209, 385, 561] * 2), lines


def test_with_a_bleed_each_card_is_cut_by_itself(printed, folder):
    write(folder, "cards/wisps/all.toml", MANY_CARDS)
    write(folder, "l.toml", '[card]\nbleed = 2\nfill = "#eeeeee"\n[sheet]\nsize = "letter"\n')
    sheets, _ = printed("--layout", "l.toml")
    assert sheets[0].size() == (216, 279)
    lines = sheets[0].lines()
    assert len([1 for left, _, right, _ in lines if left == right]) == 2 * 2 * 2, lines


def test_a_sheet_may_lie_across_without_marks_and_foot(printed, folder):
    write(folder, "cards/wisps/all.toml", MANY_CARDS)
    write(folder, "l.toml", "[sheet]\nmarks = false\nlandscape = true\nfoot = false\n")
    sheets, _ = printed("--layout", "l.toml")
    assert (sheets[0].size(), sheets[0].lines()) == ((297, 210), [])
    text = sheets[0].text()
    assert "Marsh Wisp" in text and "1/" not in text


def test_boxes_show_what_the_layout_says(printed, folder):
    layout = """basis = "nothing"
[card]
size = "40 x 20"
[card.boxes.a]
place = [2, 2, 36, 16]
show = ["{cost}", "{old}", "{glow.name}: {glow}!", "{figures}"]
join = " / "
[icons]
spark = "star"
"""
    write(folder, "print/wisps.toml", layout)
    sheets, _ = printed("--cards", "wall_wisp")
    # What boxes show one by one is no more among the figures, and a text without its value is left out.
    assert [sheet.text() for sheet in sheets] == ["spark 2 / glow: 7! Wisps & Walls, 1/1"]


def test_values_stand_once_on_a_card_and_none_is_lost(printed, folder):
    # `{old}` is no field of this card, so that the text with it is left out, and `glow` is among the figures.
    layout = """basis = "nothing"
[card]
size = "40 x 30"
[card.boxes.a]
place = [2, 2, 36, 4]
show = ["{name}", "{kind}"]
join = ", "
[card.boxes.b]
place = [2, 8, 36, 4]
show = "{glow} of {old}"
[card.boxes.c]
place = [2, 14, 36, 14]
show = "{figures}"
"""
    write(folder, "print/wisps.toml", layout)
    sheets, _ = printed("--cards", "marsh_wisp", "--once")
    assert [sheet.text() for sheet in sheets] == ["Marsh Wisp, wisp glow 1 cost spark 2 Wisps & Walls, 1/1"]


def test_only_what_has_changed_is_printed(printed, houserule, tmp_path):
    older, newer = game(tmp_path / "older"), game(tmp_path / "newer")
    changed = CARDS.replace("copies = 3", "copies = 5").replace("glow = 7", "glow = 8")
    write(newer, "cards/wisps/all.toml", changed + '\n[[card]]\nid = "new_wisp"\nname = "New Wisp"\n')
    assert houserule("print", "wisps", "--json", "printed.json", folder=older).status == 0
    for since in [older, older / "printed.json"]:
        sheets, said = printed("--since", since, folder=newer)
        assert said == "new: new_wisp\nchanged: wall_wisp\nmore of: marsh_wisp\n4 cards on 1 sheet\n"
        text = sheets[0].text()
        assert (text.count("Marsh Wisp"), text.count("New Wisp"), text.count("Ὀλυμπία")) == (2, 1, 1), text


def test_what_has_changed_in_a_pack_is_printed(printed, folder):
    for name, glow in [("old", 3), ("new", 4)]:
        write(folder, f"{name}/pack.toml", 'name = "more"\nversion = "1"\nlanguage = 1\nextends = "wisps"\n')
        card = f'[[card]]\nid = "pack_wisp"\nname = "Pack Wisp"\nkind = "wisp"\nglow = {glow}\ncost = {{}}\n'
        write(folder, f"{name}/cards/a.toml", card)
    sheets, said = printed("--pack", "new", "--since", "old")
    assert said == "changed: pack_wisp\n1 card on 1 sheet\n"
    assert sheets[0].text().count("Wisp ") == 1 and "glow 4" in sheets[0].text(), sheets[0].text()


def test_boards_are_drawn_on_sheets_of_their_own(houserule, root, tmp_path):
    def prints(game):
        done = houserule("--root", root / "tests/games", "print", game, "--out", "a.pdf", folder=tmp_path)
        assert (done.status, done.err) == (0, ""), done.out
        return done.out

    assert "board" not in prints("attic")
    assert "board" in prints("dike")
    sheets = sheets_of(tmp_path / "a.pdf")
    text = sheets[-1].text()
    assert text.endswith(f"{len(sheets)}/{len(sheets)}") and len(text) > 60, text
