// What has happened, for those who do not see it, and short notes for those who do.
import { Store } from "../store";

/** The last thing that was said; `count` tells two alike ones apart. */
export const said = new Store({ text: "", count: 0 });
/** A note at the edge of the page: what went wrong, or what was done. */
export const note = new Store<{ text: string; wrong: boolean } | null>(null);

let timer = 0;

/** Says something to screen readers. */
export function say(text: string): void {
  said.set({ text, count: said.value.count + 1 });
}

/** Shows for a few seconds what was done. */
export function tell(text: string): void {
  show(text, false);
  timer = setTimeout(() => note.set(null), 6000) as unknown as number;
}

/** Shows what went wrong, until it is put away. */
export function fail(text: string): void {
  show(text, true);
}

/** Shows why something could not be done. */
export function failure(error: unknown): void {
  fail(error instanceof Error ? error.message : String(error));
}

function show(text: string, wrong: boolean): void {
  clearTimeout(timer);
  note.set({ text, wrong });
}
