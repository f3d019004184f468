// How rules and cards are coloured. What a word means, the language server says.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

const words = new Set(KEYWORDS);

const rules = StreamLanguage.define({
  name: "rules",
  token(stream: StringStream): string | null {
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^[\p{L}_][\p{L}\d_]*/u)) {
      const word = stream.current();
      return words.has(word) && stream.peek() !== "." ? "keyword" : "variableName";
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//" } },
});

const cards = StreamLanguage.define({ ...toml, name: "toml" });

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.keyword, tags.atom], color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--code-name)" },
]);

/** The language of a file by its name, and what the language server calls it. */
export function languageOf(path: string): { id: string; extension: Extension } {
  if (path.endsWith(".rules")) return { id: "rules", extension: [rules, syntaxHighlighting(style)] };
  if (path.endsWith(".toml") || path.endsWith(".replay")) return { id: "toml", extension: [cards, syntaxHighlighting(style)] };
  return { id: "plaintext", extension: [] };
}
