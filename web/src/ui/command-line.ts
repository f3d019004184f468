// Lines of commands as people type them.

/** Splits a line into words; quotes hold a word together. Throws if a quote is left open. */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (const letter of line) {
    if (quote) {
      if (letter === quote) quote = "";
      else word = (word ?? "") + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= "";
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + letter;
    }
  }
  if (quote) throw new Error(`the quote ${quote} is not closed`);
  if (word !== null) words.push(word);
  return words[0] === "houserule" ? words.slice(1) : words;
}

/** Writes words as a line that `splitLine` and a shell read back. */
export function joinLine(words: string[]): string {
  return words.map((word) => (/^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)).join(" ");
}
