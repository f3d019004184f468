// Texts line by line: what differs between two of them, and the line ends that a text had before it was edited.

/** A run of lines that stand in one text alone or in both. */
export interface Part {
  kind: "same" | "gone" | "new";
  lines: string[];
}

/** Beyond so many pairs of lines two runs are told as wholly different. */
const MOST = 4_000_000;

/** Pairs of lines that are the same in both texts, in order. */
function matches(before: readonly string[], after: readonly string[]): [number, number][] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) [endBefore, endAfter] = [endBefore - 1, endAfter - 1];
  const found: [number, number][] = Array.from({ length: start }, (_, at) => [at, at]);
  const [rows, columns] = [endBefore - start, endAfter - start];
  if (rows * columns <= MOST) {
    // The longest run in common of what is left, from the end.
    const width = columns + 1;
    const longest = new Uint32Array((rows + 1) * width);
    const of = (row: number, column: number): number => longest[row * width + column] ?? 0;
    const isSame = (row: number, column: number): boolean => before[start + row] === after[start + column];
    for (let row = rows - 1; row >= 0; row--) {
      for (let column = columns - 1; column >= 0; column--) longest[row * width + column] = isSame(row, column) ? of(row + 1, column + 1) + 1 : Math.max(of(row + 1, column), of(row, column + 1));
    }
    for (let [row, column] = [0, 0]; row < rows && column < columns; ) {
      if (isSame(row, column)) found.push([start + row++, start + column++]);
      else if (of(row + 1, column) >= of(row, column + 1)) row++;
      else column++;
    }
  }
  for (let at = 0; endBefore + at < before.length; at++) found.push([endBefore + at, endAfter + at]);
  return found;
}

/** What differs between two texts, line by line. */
export function differences(before: string, after: string): Part[] {
  const [one, other] = [before.split(/\r\n?|\n/), after.split(/\r\n?|\n/)];
  const parts: Part[] = [];
  const add = (kind: Part["kind"], lines: string[]): void => {
    const last = parts.at(-1);
    if (!lines.length) return;
    if (last?.kind === kind) last.lines.push(...lines);
    else parts.push({ kind, lines });
  };
  let [at, to] = [0, 0];
  for (const [row, column] of [...matches(one, other), [one.length, other.length] as const]) {
    add("gone", one.slice(at, row));
    add("new", other.slice(to, column));
    add("same", one.slice(row, row + 1));
    [at, to] = [row + 1, column + 1];
  }
  return parts;
}

/** Gives an edited text, whose lines may end in any way, the line ends that it had: those of before, and in new lines that of the one ahead. */
export function withLineEnds(before: string, edited: string): string {
  if (!before.includes("\r")) return edited;
  const ends = before.match(/\r\n?|\n/g) ?? [];
  const [old, lines] = [before.split(/\r\n?|\n/), edited.split(/\r\n?|\n/)];
  const known = new Map<number, string | undefined>();
  let [at, to] = [0, 0];
  for (const [row, column] of [...matches(old, lines), [old.length, lines.length] as const]) {
    // What was edited in place stands between the same neighbours.
    for (; at < row && to < column; ) known.set(to++, ends[at++]);
    known.set(column, ends[row]);
    [at, to] = [row + 1, column + 1];
  }
  let end = ends[0] ?? "\n";
  return lines.map((line, at) => (at === lines.length - 1 ? line : line + (end = known.get(at) ?? end))).join("");
}
