// Where one's own files are kept: in the browser, or in the folder that `houserule serve` hands out.

/** Keeps files. */
export interface Keeper {
  /** `browser` or `folder`. */
  readonly kind: "browser" | "folder";
  load(): Promise<Record<string, string>>;
  /** Keeps a file, or forgets it if there is no text. */
  keep(path: string, text: string | null): Promise<void>;
  /** Tells of files that others have changed, and if it cannot go on doing so. */
  follow(changed: (path: string, text: string | null) => void, lost: (why: string) => void): void;
}

const FILES = "files";

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the browser's storage does not answer"));
  });
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open("houserule", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(FILES);
  return request(opening);
}

/** Files in the browser's own storage; other windows of the page are told of changes. */
async function inBrowser(): Promise<Keeper> {
  const database = await openDatabase();
  const files = (mode: IDBTransactionMode): IDBObjectStore => database.transaction(FILES, mode).objectStore(FILES);
  const others = new BroadcastChannel("houserule-files");
  return {
    kind: "browser",
    async load() {
      const store = files("readonly");
      const [keys, texts] = await Promise.all([request(store.getAllKeys()), request<string[]>(store.getAll())]);
      return Object.fromEntries(keys.map((key, at) => [String(key), texts[at] ?? ""]));
    },
    async keep(path, text) {
      const store = files("readwrite");
      if (text === null) await request(store.delete(path));
      else await request(store.put(text, path));
      others.postMessage({ path, text });
    },
    follow(changed) {
      others.onmessage = (event) => changed(event.data.path, event.data.text);
    },
  };
}

/** Files in memory only, where the browser keeps nothing. */
function inMemory(): Keeper {
  return { kind: "browser", load: async () => ({}), keep: async () => {}, follow: () => {} };
}

function inFolder(token: string, changes: EventSource, early: MessageEvent<string>[]): Keeper {
  let known: Record<string, string> = {};
  return {
    kind: "folder",
    async load() {
      const answer = await fetch("api/folder", { headers: { "X-Houserule": token } });
      if (!answer.ok) throw new Error(`the folder cannot be read: ${answer.statusText}`);
      known = ((await answer.json()) as { files: Record<string, string> }).files;
      return known;
    },
    async keep(path, text) {
      const url = `api/file/${path.split("/").map(encodeURIComponent).join("/")}`;
      const headers = { "X-Houserule": token };
      const answer = await fetch(url, text === null ? { method: "DELETE", headers } : { method: "PUT", headers, body: text });
      if (!answer.ok) throw new Error(`${path} was not written: ${(await answer.text()).trim() || answer.statusText}`);
    },
    follow(changed, lost) {
      const take = (event: MessageEvent<string>): void => {
        const { path, text } = JSON.parse(event.data) as { path: string; text: string | null };
        changed(path, text);
      };
      changes.onmessage = take;
      // So much has changed at once that not all was told.
      changes.addEventListener("anew", () => {
        const before = Object.keys(known);
        this.load().then(
          (files) => [...new Set([...before, ...Object.keys(files)])].forEach((path) => changed(path, files[path] ?? null)),
          (error) => lost(String(error)),
        );
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
