// Games that go on: kept in the browser at each answer, until they are over or given up.
import { Shelf } from "../kept";
import type { Beginning, View } from "../protocol";
import { Store } from "../store";
import { failure } from "../ui/live";

/** A game that was not finished. */
export interface KeptGame {
  title: string;
  /** Who sits where. */
  seats: string[];
  round: number;
  answers: number;
  /** When it was answered last, in milliseconds as `Date.now` counts. */
  when: number;
  replay: string;
  /** How it began, for a link to the start; `null` if it came as a file. */
  beginning: Beginning | null;
}

const shelf = new Shelf<KeptGame>("games");

/** The games that are kept, by their names on the shelf, the last one first. */
export const keptGames = new Store<[string, KeptGame][]>([]);

/** Looks what is kept. */
export async function findKeptGames(): Promise<void> {
  const all = Object.entries(await shelf.all());
  keptGames.set(all.sort(([, one], [, other]) => other.when - one.when));
}

/** Keeps a game as it stands. */
export async function keepGame(name: string, { title, seats, round, answers }: View, replay: string, beginning: Beginning | null): Promise<void> {
  await shelf.put(name, { title, seats: seats.map((seat) => seat.player), round, answers, when: Date.now(), replay, beginning });
}

/** Forgets a game that is over or was given up. */
export async function forgetGame(name: string): Promise<void> {
  await shelf.remove(name);
  await findKeptGames().catch(failure);
}

/** By which rules a replay was played: the sum that stands in it. */
export function rulesOf(replay: string): string {
  return /^rules\s*=\s*"(.*)"$/m.exec(replay)?.[1] ?? "";
}
