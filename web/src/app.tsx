// The frame of the page: its two views, and what links bring.
import { useEffect } from "preact/hooks";
import { decodeLink, type Carried } from "./link";
import { linkOf, linked, replaceRoute, route, type Route } from "./route";
import { Store, useStore } from "./store";
import { Table } from "./table/table";
import { carriedTable } from "./table/game";
import { OpenQuestion, confirmed } from "./ui/dialog";
import { fail, failure, note, said, tell } from "./ui/live";
import { theme, type Theme } from "./ui/theme";
import { brought } from "./workbench/compare";
import { Workbench, openPath } from "./workbench/workbench";
import { workspace } from "./workspace";

/** What the link of the page has brought; `null` if it was none. */
const link = new Store<Carried | null>(null);

/** Opens what a link carries. Its files lie in a space of their own until one says that they are to be kept. */
async function openLink(code: string, to: Route): Promise<void> {
  const carried = await decodeLink(code);
  link.set(carried);
  openPath.set(null);
  await workspace.start({ code, files: carried.files });
  if (carried.table) carriedTable.set(carried.table);
  if (carried.command) brought.set(carried.command);
  if (carried.open) openPath.set(carried.open);
  const isFresh = /^#link/i.test(location.hash);
  replaceRoute(isFresh ? { page: carried.table ? "table" : "workbench" } : to, workspace.place.value === "scratch" ? code : null);
}

/** Goes back from a link to one's own files. */
async function leaveLink(to: Route): Promise<void> {
  link.set(null);
  brought.set(null);
  openPath.set(null);
  await workspace.start(null);
  replaceRoute(to, null);
}

/** Starts the program. */
export async function begin(): Promise<void> {
  linked.open = (code, to) => void (code === null ? leaveLink(to) : openLink(code, to)).catch(failure);
  const code = linkOf(location.hash);
  if (code !== null) {
    try {
      return await openLink(code, route.value);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }
  await workspace.start(null);
}

const THEMES: [Theme, string][] = [
  ["system", "system"],
  ["light", "light"],
  ["dark", "dark"],
];

export function App() {
  const { page } = useStore(route);
  const program = useStore(workspace.program);
  const fault = useStore(workspace.fault);
  const chosen = useStore(theme);
  useEffect(() => {
    document.title = page === "table" ? "Table · houserule" : "Workbench · houserule";
  }, [page]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), skip())}>
        To the content
      </a>
      <header class="top">
        <span class="brand">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <rect x="3" y="5" width="10" height="15" rx="2" transform="rotate(-9 8 12)" />
            <rect x="11" y="4" width="10" height="15" rx="2" transform="rotate(8 16 12)" />
          </svg>
          houserule
        </span>
        <nav aria-label="Views">
          {(["workbench", "table"] as const).map((name) => (
            <a key={name} href={`#/${name}`} aria-current={page === name ? "page" : undefined} onClick={(event) => (event.preventDefault(), route.set({ page: name }))}>
              {name === "table" ? "Table" : "Workbench"}
            </a>
          ))}
        </nav>
        <label class="theme">
          <span class="unseen">Colours</span>
          <select value={chosen} onChange={(event) => theme.set(event.currentTarget.value as Theme)}>
            {THEMES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Linked />
      {fault ? (
        <main class="first" id="main">
          <h1>The program could not be started</h1>
          <p class="wrong">{fault}</p>
          <p>It needs a browser with WebAssembly, of the last two years or so.</p>
        </main>
      ) : program ? (
        page === "table" ? (
          <Table />
        ) : (
          <Workbench />
        )
      ) : (
        <main class="first" id="main" aria-busy="true">
          <h1>houserule</h1>
          <p>The program is loaded; later visits need no network.</p>
          <progress aria-label="The program is loaded" />
        </main>
      )}
      <OpenQuestion />
      <Note />
      <Said />
    </>
  );
}

function skip(): void {
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}

/** Says what a link has brought, before one's own files are touched. */
function Linked() {
  const carried = useStore(link);
  const place = useStore(workspace.place);
  useStore(workspace.revision);
  if (!carried || place !== "scratch") return null;
  const paths = Object.keys(carried.files);
  const isChanged = workspace.isLinkChanged();
  const away = (): void => {
    if (isChanged) tell("What you have changed in the files of the link is kept in this browser: it is there when the link is opened again.");
    void leaveLink(route.value).catch(failure);
  };
  const anew = async (): Promise<void> => {
    if (!(await confirmed("Give up what you have changed in the files of the link?", "Give it up"))) return;
    openPath.set(null);
    await workspace.asLinked();
  };
  const keep = async (): Promise<void> => {
    const over = workspace.writtenOver();
    if (over.length && !(await confirmed(`${over.length} of your files are written over: ${over.slice(0, 3).join(", ")}${over.length > 3 ? "…" : ""}`, "Write them over"))) return;
    await workspace.keepScratch();
    link.set(null);
    replaceRoute(route.value, null);
    tell("they are among your files");
  };
  return (
    <section class="banner" aria-label="What the link has brought">
      <details>
        <summary>
          {paths.length
            ? `This link brings ${paths.length} ${paths.length === 1 ? "file" : "files"} that change what is played and compared here. Your own files are untouched.`
            : "This link is about the games as they are. Your own files are put aside, and untouched."}
        </summary>
        <ul>
          {paths.map((path) => (
            <li key={path}>
              <button type="button" class="quiet code" onClick={() => (openPath.set(path), route.set({ page: "workbench" }))}>
                {path}
              </button>
            </li>
          ))}
        </ul>
      </details>
      <div class="row">
        {isChanged && (
          <>
            <span class="quiet">You have changed something here.</span>
            <button type="button" onClick={() => void anew().catch(failure)}>
              As the link brought it
            </button>
          </>
        )}
        {(paths.length > 0 || isChanged) && (
          <button type="button" onClick={() => void keep().catch(failure)}>
            Keep them among mine
          </button>
        )}
        <button type="button" onClick={away}>
          Back to my files
        </button>
      </div>
    </section>
  );
}

function Note() {
  const shown = useStore(note);
  return (
    <div class="note-place" role="status" aria-live="polite">
      {shown && (
        <div class={shown.wrong ? "note wrong" : "note"}>
          <span>{shown.text}</span>
          <button type="button" class="quiet icon" aria-label="Put the note away" onClick={() => note.set(null)}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
      )}
    </div>
  );
}

function Said() {
  const { text, count } = useStore(said);
  return (
    <div class="unseen" role="log" aria-live="polite" aria-label="What has happened">
      <p key={count}>{text}</p>
    </div>
  );
}
