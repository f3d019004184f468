"""Reads every file of rules of the repository with the parser that tree-sitter made: `test_files.py PARSER.so`.

Sound files have no node of an error; of broken ones a tree is left, too, that covers the whole text.
"""

import ctypes
import pathlib
import sys

from tree_sitter import Language, Parser, Query, QueryCursor

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
library = ctypes.CDLL(sys.argv[1])
library.tree_sitter_houserule.restype = ctypes.c_void_p
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = ctypes.py_object
capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
language = Language(capsule(library.tree_sitter_houserule(), b"tree_sitter.Language", None))
parser = Parser(language)


def faults(node):
    """The places at which a tree has errors."""
    if node.is_error or node.is_missing:
        return [node]
    return [fault for child in node.children for fault in faults(child)] if node.has_error else []


sound = failed = 0
folders = ["rules", "packs", "examples", "grammar", "tests/engine", "tests/games", "tests/secrets", "tests/drawn", "tests/scripts"]
for folder in folders:
    for path in sorted((root / folder).rglob("*.rules")):
        text = path.read_bytes()
        for fault in faults(parser.parse(text).root_node)[:3]:
            row, column = fault.start_point
            print(f"{path.relative_to(root)}:{row + 1}:{column + 1}: cannot be read: {text[fault.start_byte:fault.end_byte][:60]!r}")
            failed += 1
        sound += 1
broken = 0
for path in sorted((root / "tests/errors").rglob("*.rules")):
    text = path.read_bytes()
    tree = parser.parse(text).root_node
    if text.strip() and (tree.child_count == 0 or tree.end_byte < len(text.rstrip())):
        print(f"{path.relative_to(root)}: no tree is left")
        failed += 1
    broken += 1
assert sound > 50 and broken > 50, "the files are not where they were"
for name in ["highlights", "folds"]:
    query = Query(language, (here / "queries" / f"{name}.scm").read_text())
    captures = QueryCursor(query).captures(parser.parse((root / "rules/nations.rules").read_bytes()).root_node)
    assert captures.get("keyword" if name == "highlights" else "fold"), f"{name}.scm captures nothing"
print(f"{sound} sound files of rules and {broken} broken ones, {failed} faults")
sys.exit(1 if failed else 0)
