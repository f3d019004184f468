// The workbench: files, an editor, and what comes of them.
import { useEffect, useState } from "preact/hooks";
import { route } from "../route";
import { Store, useStore } from "../store";
import { confirmed } from "../ui/dialog";
import { chooseFile, download, pack, unpack } from "../ui/files";
import { failure, tell } from "../ui/live";
import { Menu, type MenuItem } from "../ui/menu";
import { copyLink } from "../ui/share";
import { Tabs } from "../ui/tabs";
import { workspace } from "../workspace";
import { Begin } from "./begin";
import { Compare, brought } from "./compare";
import { Console } from "./console";
import { Editor, format, goTo, keepAll, nextView, renameHere, showText } from "./editor";
import { gameNames, gameOf, packOf } from "./paths";
import { Problems } from "./problems";
import { opener, problems } from "./server";
import { Tests } from "./tests";
import { Torn } from "./torn";
import { Tree } from "./tree";

/** The path of the open file. */
export const openPath = new Store<string | null>(null);
const pane = new Store("problems");
const part = new Store("files");

/** Opens a file in the editor. */
export async function openFile(path: string, line = 0, character = 0): Promise<void> {
  openPath.set(path);
  part.set("editor");
  const view = await nextView(path);
  if (line || character) goTo(view, line, character);
}

opener.open = async (path) => {
  openPath.set(path);
  return nextView(path);
};

workspace.changedElsewhere = (path, text) => {
  if (openPath.value !== path) return;
  if (text === null) openPath.set(null);
  else showText(text);
  tell(text === null ? `${path} was removed elsewhere` : `${path} was changed elsewhere and is shown as it is now`);
};

/** Begins a game with what the open file belongs to. */
function playOpen(path: string | null): void {
  const paths = workspace.entries.value.map((entry) => entry.path);
  const folder = path ? packOf(path, paths) : null;
  const game = path ? gameOf(path, gameNames(workspace.games.value, paths)) : null;
  route.set({ page: "table", game: game ?? undefined, pack: folder ?? undefined });
}

export function Workbench() {
  const open = useStore(openPath);
  const shown = useStore(pane);
  const where = useStore(part);
  const faults = useStore(problems);
  const entries = useStore(workspace.entries);
  const command = useStore(brought);
  const [making, setMaking] = useState(false);
  const [menu, setMenu] = useState<{ items: MenuItem[]; x: number; y: number } | null>(null);
  useEffect(() => {
    if (command) {
      pane.set("compare");
      part.set("results");
    }
  }, [command]);
  const entry = entries.find((one) => one.path === open);
  const count = [...faults.values()].reduce((sum, list) => sum + list.length, 0);

  const more = (event: MouseEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const items: MenuItem[] = [
      { words: "Copy a link to my files", act: () => void keepAll().then(() => copyLink({ files: workspace.ownFiles(), open: open ?? undefined })).catch(failure) },
      { words: "Save my files as .zip", act: () => void keepAll().then(() => download("houserule-files.zip", pack(workspace.ownFiles()), "application/zip")) },
      { words: "Open a .zip", act: () => void openZip().catch(failure) },
    ];
    if (entry) {
      items.unshift(
        { words: "Format", note: "Shift+Alt+F", act: format },
        { words: "Rename what the cursor stands on", note: "F2", act: renameHere },
      );
      if (entry.changed) items.push({ words: "Bring the built-in file back", act: () => void removeFile(entry.path, true) });
      else if (!entry.built_in) items.push({ words: `Remove ${entry.path}`, act: () => void removeFile(entry.path, false) });
    }
    setMenu({ items, x: box.left, y: box.bottom + 4 });
  };

  return (
    <main class={`workbench show-${where} with-${shown} ${open ? "" : "with-none"}`} id="main">
      <h1 class="unseen">Workbench</h1>
      <nav class="parts" aria-label="Parts of the workbench">
        {[
          ["files", "Files"],
          ["editor", "Editor"],
          ["results", count ? `Results, ${count} to mend` : "Results"],
        ].map(([name, words]) => (
          <button type="button" key={name} aria-pressed={where === name} onClick={() => part.set(name ?? "")}>
            {words}
          </button>
        ))}
      </nav>
      <section class="files" aria-label="Files">
        <div class="row">
          <button type="button" class="main" onClick={() => setMaking(true)}>
            New…
          </button>
          <button type="button" aria-haspopup="menu" onClick={more}>
            More…
          </button>
        </div>
        <Tree open={open} onOpen={(path) => void openFile(path)} />
      </section>
      <section class="text" aria-label="Editor">
        <div class="head">
          <span class="path" title={open ?? ""}>
            {open ?? "No file is open"}
          </span>
          {entry?.built_in && !entry.changed && <span class="tag">built in: what you type makes a copy of your own</span>}
          {entry?.changed && <span class="tag">changed</span>}
          <button type="button" onClick={() => playOpen(open)}>
            Play
          </button>
        </div>
        {open && <Torn path={open} />}
        {open ? <Editor key={open} path={open} /> : <Welcome onNew={() => setMaking(true)} />}
      </section>
      <section class="results" aria-label="Results">
        <Tabs
          label="Results"
          chosen={shown}
          onChoose={(name) => pane.set(name)}
          tabs={[
            { name: "problems", words: count ? `Problems (${count})` : "Problems", body: () => <Problems open={open} onGo={(problem) => void openFile(problem.path, problem.range.start.line, problem.range.start.character)} /> },
            { name: "tests", words: "Tests", body: () => <Tests open={open} /> },
            { name: "compare", words: "Compare", body: () => <Compare open={open} /> },
            { name: "command", words: "Command", body: () => <Console /> },
          ]}
        />
      </section>
      {making && (
        <Begin
          onClose={() => setMaking(false)}
          onMade={(path) => {
            setMaking(false);
            void openFile(path);
          }}
        />
      )}
      {menu && <Menu label="More" items={menu.items} x={menu.x} y={menu.y} onClose={() => setMenu(null)} />}
    </main>
  );
}

async function removeFile(path: string, builtIn: boolean): Promise<void> {
  if (!(await confirmed(builtIn ? `Give up your changes of ${path}?` : `Remove ${path}?`, builtIn ? "Give them up" : "Remove it"))) return;
  openPath.set(null);
  await workspace.remove(path);
  if (builtIn) await openFile(path);
}

async function openZip(): Promise<void> {
  const file = await chooseFile(".zip");
  if (!file) return;
  const { files, left } = unpack(new Uint8Array(await file.arrayBuffer()));
  const over = Object.keys(files).filter((path) => workspace.isOwn(path));
  if (over.length && !(await confirmed(`${over.length} of your files are written over: ${over.slice(0, 3).join(", ")}${over.length > 3 ? "…" : ""}`, "Write them over"))) return;
  for (const [path, text] of Object.entries(files)) await workspace.write(path, text);
  tell(`${Object.keys(files).length} files are taken over${left.length ? `; left out, because they are no text of ours: ${left.join(", ")}` : ""}`);
}

function Welcome({ onNew }: { onNew: () => void }) {
  const games = useStore(workspace.games);
  return (
    <div class="welcome">
      <h2>Rules as text</h2>
      <p>Change a line of the rules or write a card, and a moment later you see what it does over a thousand games.</p>
      <div class="ways">
        <button
          type="button"
          onClick={() => {
            pane.set("compare");
            part.set("results");
          }}
        >
          <strong>Compare a rule</strong>
          <span>Many games with a change and without: what differs, and how sure that is</span>
        </button>
        <button type="button" onClick={onNew}>
          <strong>Write a card, a pack or a game</strong>
          <span>A start that works and has a test, for you to change</span>
        </button>
        <button type="button" onClick={() => route.set({ page: "table" })}>
          <strong>Play</strong>
          <span>{games.map((game) => game.title).join(", ")}, against machine players and each other</span>
        </button>
      </div>
    </div>
  );
}
