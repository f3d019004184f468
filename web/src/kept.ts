// Where one's own files are kept: in the browser, or in the folder that `houserule serve` hands out.

/** Files by their paths. */
export type Files = Record<string, string>;

/** What is kept is not what was seen here last: it is not written over. */
export class ChangedElsewhere extends Error {
  constructor(path: string) {
    super(`${path} was changed elsewhere`);
  }
}

/** Keeps files. */
export interface Keeper {
  /** Where they are kept: those of a link beside one's own. */
  readonly kind: "browser" | "folder" | "scratch";
  /** Tells what this one keeps from what others do. */
  readonly name: string;
  /** The files as they are kept, as far as is known here. */
  readonly told: ReadonlyMap<string, string>;
  /** Files that lie there and are not shown, each with the reason. */
  readonly left?: ReadonlyMap<string, string>;
  load(): Promise<Files>;
  /** Keeps a file, or forgets it if there is no text. Refuses with `ChangedElsewhere` where another text is kept than was told; that one is told then. */
  keep(path: string, text: string | null): Promise<void>;
  /** Calls with each file that others have changed, and what was told of it before; and if it cannot go on doing so. */
  follow(changed: Changed, lost: (why: string) => void): void;
}

type Changed = (path: string, text: string | null, before: string | null) => void;

/** Notes what is kept, and returns what was told of it before. */
function note(told: Map<string, string>, path: string, text: string | null): string | null {
  const before = told.get(path) ?? null;
  if (text === null) told.delete(path);
  else told.set(path, text);
  return before;
}

function noteAll(told: Map<string, string>, files: Files): Files {
  told.clear();
  for (const [path, text] of Object.entries(files)) told.set(path, text);
  return files;
}

const FILES = "files";

/** Things of one sort that the browser keeps by their names, in a database of their own. Where it keeps nothing, they are in memory only. */
export class Shelf<T> {
  private opened: Promise<IDBDatabase | null> | undefined;
  private readonly held = new Map<string, T>();

  constructor(private readonly sort: string) {}

  async all(): Promise<Record<string, T>> {
    const store = await this.store("readonly");
    if (!store) return Object.fromEntries(this.held);
    const [keys, values] = await Promise.all([request(store.getAllKeys()), request<T[]>(store.getAll())]);
    return Object.fromEntries(keys.flatMap((key, at) => (values[at] === undefined ? [] : [[String(key), values[at]]])));
  }

  async get(name: string): Promise<T | undefined> {
    const store = await this.store("readonly");
    return store ? request<T | undefined>(store.get(name)) : this.held.get(name);
  }

  async put(name: string, value: T): Promise<void> {
    const store = await this.store("readwrite");
    if (store) await request(store.put(value, name));
    else this.held.set(name, value);
  }

  async remove(name: string): Promise<void> {
    const store = await this.store("readwrite");
    if (store) await request(store.delete(name));
    else this.held.delete(name);
  }

  private async store(mode: IDBTransactionMode): Promise<IDBObjectStore | undefined> {
    this.opened ??= openDatabase(`houserule-${this.sort}`, this.sort).catch(() => null);
    return (await this.opened)?.transaction(this.sort, mode).objectStore(this.sort);
  }
}

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the browser's storage does not answer"));
  });
}

async function openDatabase(name: string, store: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  return request(opening);
}

/** Files in the browser's own storage; other windows of the page are told of changes. */
async function inBrowser(): Promise<Keeper> {
  const database = await openDatabase("houserule", FILES);
  const files = (mode: IDBTransactionMode): IDBObjectStore => database.transaction(FILES, mode).objectStore(FILES);
  const others = new BroadcastChannel("houserule-files");
  const told = new Map<string, string>();
  let changed: Changed = () => {};
  return {
    kind: "browser",
    name: "browser",
    told,
    async load() {
      const store = files("readonly");
      const [keys, texts] = await Promise.all([request(store.getAllKeys()), request<string[]>(store.getAll())]);
      return noteAll(told, Object.fromEntries(keys.map((key, at) => [String(key), texts[at] ?? ""])));
    },
    async keep(path, text) {
      const store = files("readwrite");
      const now = (await request<string | undefined>(store.get(path))) ?? null;
      const before = told.get(path) ?? null;
      if (now !== before && now !== text) {
        note(told, path, now);
        changed(path, now, before);
        throw new ChangedElsewhere(path);
      }
      if (text === null) await request(store.delete(path));
      else await request(store.put(text, path));
      note(told, path, text);
      others.postMessage({ path, text });
    },
    follow(listener) {
      changed = listener;
      others.onmessage = (event) => {
        const { path, text } = event.data as { path: string; text: string | null };
        changed(path, text, note(told, path, text));
      };
    },
  };
}

/** Files in memory only, where the browser keeps nothing. */
function inMemory(): Keeper {
  const told = new Map<string, string>();
  return { kind: "browser", name: "memory", told, load: async () => Object.fromEntries(told), keep: async (path, text) => void note(told, path, text), follow: () => {} };
}

/** What was changed in the files of links. */
const links = new Shelf<Record<string, string | null>>("links");

/** The files of a link, and beside them what was changed in them here. */
export function inLink(link: string, files: Files): Keeper & { forget: () => Promise<void> } {
  const told = new Map<string, string>();
  let edits: Record<string, string | null> = {};
  // A link may be long: what is kept of it goes by a sum of it.
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (const letter of link) {
    one = Math.imul(one ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    other = Math.imul(other + (letter.codePointAt(0) ?? 0), 0x85ebca6b) ^ (other >>> 13);
  }
  const name = `${link.length}-${one >>> 0}-${other >>> 0}`;
  return {
    kind: "scratch",
    name,
    told,
    async load() {
      edits = (await links.get(name)) ?? {};
      const all = Object.entries<string | null>({ ...files, ...edits });
      return noteAll(told, Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null)));
    },
    async keep(path, text) {
      edits = { ...edits, [path]: text };
      if (text === (files[path] ?? null)) delete edits[path];
      if (Object.keys(edits).length) await links.put(name, edits);
      else await links.remove(name);
      note(told, path, text);
    },
    follow() {},
    forget: () => links.remove(name),
  };
}

/** The header in which the version of a text is told, and of which version one writes the next; `none` where there is none. */
const VERSION = "X-Houserule-Version";

/** A text that was written into the folder: whether the answer has come, and whether the folder has told of it. */
interface Written {
  text: string | null;
  answered: boolean;
  heard: boolean;
}

function inFolder(token: string, changes: EventSource, early: MessageEvent<string>[]): Keeper {
  const told = new Map<string, string>();
  const versions = new Map<string, string>();
  const left = new Map<string, string>();
  const written = new Map<string, Written[]>();
  let changed: Changed = () => {};
  const see = (path: string, text: string | null, version: string | null | undefined): string | null => {
    if (version && text !== null) versions.set(path, version);
    else versions.delete(path);
    return note(told, path, text);
  };
  const load = async (): Promise<Files> => {
    const answer = await fetch("api/folder", { headers: { "X-Houserule": token } });
    if (!answer.ok) throw new Error(`the folder cannot be read: ${answer.statusText}`);
    const { files, versions: all = {}, left: out = {} } = (await answer.json()) as { files: Files; versions?: Record<string, string>; left?: Record<string, string> };
    left.clear();
    for (const [path, reason] of Object.entries(out)) left.set(path, reason);
    versions.clear();
    for (const [path, version] of Object.entries(all)) versions.set(path, version);
    return noteAll(told, files);
  };
  /** Reads all anew, and tells of what differs. */
  const compare = async (): Promise<void> => {
    const before = new Map(told);
    const files = await load();
    for (const path of new Set([...before.keys(), ...told.keys()])) {
      const text = files[path] ?? null;
      if (text !== (before.get(path) ?? null)) changed(path, text, before.get(path) ?? null);
    }
  };
  return {
    kind: "folder",
    name: "folder",
    told,
    left,
    load,
    async keep(path, text) {
      const url = `api/file/${path.split("/").map(encodeURIComponent).join("/")}`;
      const headers = { "X-Houserule": token, [VERSION]: versions.get(path) ?? (told.has(path) ? "" : "none") };
      if (!headers[VERSION]) delete (headers as Record<string, string>)[VERSION];
      const mine: Written = { text, answered: false, heard: false };
      written.set(path, [...(written.get(path) ?? []), mine]);
      try {
        // What is written while the page goes away arrives all the same, if it is short.
        const keepalive = document.visibilityState === "hidden" && (text?.length ?? 0) < 20_000;
        const answer = await fetch(url, text === null ? { method: "DELETE", headers, keepalive } : { method: "PUT", headers, keepalive, body: text });
        if (answer.status === 409) {
          const before = told.get(path);
          await compare();
          if (told.get(path) !== before) throw new ChangedElsewhere(path);
        }
        if (!answer.ok) throw new Error(`${path} was not written: ${(await answer.text()).trim() || answer.statusText}`);
        mine.answered = true;
        if (!mine.heard) see(path, text, answer.headers.get(VERSION));
      } catch (error) {
        written.set(path, (written.get(path) ?? []).filter((one) => one !== mine));
        throw error;
      }
    },
    follow(listener, lost) {
      changed = listener;
      const take = (event: MessageEvent<string>): void => {
        const { path, text, version } = JSON.parse(event.data) as { path: string; text: string | null; version?: string };
        // What comes back of one's own writing is nothing new, though more may have been written since.
        const mine = written.get(path) ?? [];
        const echo = mine.findLastIndex((one) => one.text === text);
        const own = mine[echo];
        if (!own) return changed(path, text, see(path, text, version));
        own.heard = true;
        if (!own.answered) see(path, text, version);
        written.set(path, mine.slice(echo + 1));
      };
      changes.onmessage = take;
      // So much has changed at once that not all was told.
      changes.addEventListener("anew", () => {
        written.clear();
        compare().catch((error) => lost(String(error)));
      });
      changes.onerror = () => {
        changes.close();
        lost("The program that hands out this folder does not answer any more: what is written here is not kept until it runs again and the page is opened anew.");
      };
      early.splice(0).forEach(take);
    },
  };
}

/** Finds out where files are kept: whoever serves a folder writes a token into the page. */
export async function findKeeper(): Promise<Keeper> {
  const token = document.querySelector<HTMLMetaElement>('meta[name="houserule-token"]')?.content;
  if (token) {
    // Whoever listens first misses no change between what the folder holds and what is told of it.
    const changes = new EventSource(`api/changes?token=${encodeURIComponent(token)}`);
    const early: MessageEvent<string>[] = [];
    changes.onmessage = (event) => early.push(event);
    await new Promise((resolve, reject) => {
      changes.onopen = resolve;
      changes.onerror = () => reject(new Error("the folder cannot be followed"));
    });
    changes.onerror = null;
    return inFolder(token, changes, early);
  }
  try {
    return await inBrowser();
  } catch {
    return inMemory();
  }
}
