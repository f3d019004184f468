// Something new: a pack, a card, a variant, a game. The program writes a start that works and has a test.
import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../store";
import { Dialog } from "../ui/dialog";
import { tell } from "../ui/live";
import { workspace } from "../workspace";
import { gameOfPack } from "./packs";
import { runBeside, type Run } from "./runs";

const SORTS = ["pack", "card", "variant", "game", "empty file"] as const;
type Sort = (typeof SORTS)[number];
/** In place of a pack or a game into which a card goes. */
const NEW_PACK = "a new pack";

/** Asks what is to be made, and makes it. */
export function Begin({ onClose, onMade }: { onClose: () => void; onMade: (path: string) => void }) {
  const games = useStore(workspace.games);
  const entries = useStore(workspace.entries);
  const [sort, setSort] = useState<Sort>("pack");
  const [name, setName] = useState("");
  const [game, setGame] = useState(games[0]?.name ?? "");
  const [kind, setKind] = useState("");
  const [kinds, setKinds] = useState<string[]>([]);
  const [into, setInto] = useState("");
  const [packName, setPackName] = useState("mypack");
  const [packGame, setPackGame] = useState<string | null>(null);
  const [fault, setFault] = useState("");
  const [run, setRun] = useState<Run | null>(null);
  const last = useRef<Run | null>(null);
  const packs = entries.filter((entry) => !entry.built_in && entry.path.endsWith("/pack.toml")).map((entry) => entry.path.slice(0, -"/pack.toml".length));
  const ownGames = games.filter((entry) => entries.some((file) => !file.built_in && file.path.endsWith(`rules/${entry.name}.rules`)));
  const places = [...packs, ...ownGames.map((entry) => entry.name), NEW_PACK];
  const inPlace = into || places[0] || NEW_PACK;
  const ownGame = ownGames.find((entry) => entry.name === inPlace);
  const isInPack = sort === "card" && packs.includes(inPlace);
  const wanted = sort !== "card" ? game : (ownGame?.name ?? (isInPack ? packGame : game));

  useEffect(() => {
    let gone = false;
    setPackGame(null);
    if (isInPack) void gameOfPack(inPlace, packs, games.map((entry) => entry.name)).then((found) => gone || setPackGame(found));
    return () => {
      gone = true;
    };
  }, [isInPack, inPlace, games]);
  useEffect(() => {
    const found = games.find((entry) => entry.name === wanted)?.kinds ?? [];
    setKinds(found);
    setKind((chosen) => (!found.length || found.includes(chosen) ? chosen : ""));
  }, [wanted, games]);
  // A window that is closed makes nothing any more.
  useEffect(() => () => last.current?.cancel(), []);

  const make = async (): Promise<void> => {
    setFault("");
    const missing = missingOf(sort, name, kind, inPlace === NEW_PACK ? packName : "");
    if (missing) return setFault(missing);
    if (sort === "empty file") {
      if (entries.some((entry) => entry.path === name)) return setFault(`${name} is there already`);
      await workspace.write(name, "");
      return onMade(name);
    }
    const args = ["new", sort, name];
    if (sort !== "game" && !isInPack && wanted) args.push("--game", wanted);
    if ((sort === "card" || sort === "pack") && kind) args.push("--kind", kind);
    if (sort === "card") args.push("--in", ownGame ? folderOf(ownGame.name, entries.map((entry) => entry.path)) : inPlace === NEW_PACK ? packName : inPlace);
    const started = runBeside(args, () => {});
    last.current = started;
    setRun(started);
    try {
      const result = await started.done;
      // A game is written into a folder of its own; here it lies beside the others.
      const written = Object.entries(result.written).map(([path, text]) => [sort === "game" && path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path, text] as const);
      if (result.status !== 0 || !written.length) return setFault((result.err + result.out).trim());
      const meanwhile = written.map(([path]) => path).filter((path) => workspace.mine(path) !== (started.files()[path] ?? null));
      if (meanwhile.length) return setFault(`${meanwhile.join(", ")} was changed meanwhile, and nothing was made: once more, please`);
      for (const [path, text] of written) await workspace.write(path, text);
      tell(`${written.map(([path]) => path).join(", ")} ${written.length === 1 ? "is" : "are"} written`);
      const first = written.map(([path]) => path);
      onMade(first.find((path) => path.endsWith(".rules")) ?? first.find((path) => path.includes("/cards/")) ?? first[0] ?? "");
    } finally {
      setRun(null);
    }
  };

  return (
    <Dialog title="Something new" onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!run) make().catch((error: Error) => error.message === "cancelled" || setFault(error.message));
        }}
      >
        <fieldset class="choices">
          <legend>What</legend>
          {SORTS.map((one) => (
            <label key={one}>
              <input type="radio" name="sort" checked={sort === one} onChange={() => setSort(one)} />
              {one}
            </label>
          ))}
        </fieldset>
        <label>
          {sort === "empty file" ? "Path" : "Name"}
          <input
            autofocus
            class="code"
            placeholder={sort === "empty file" ? "mypack/tests/first.toml" : "lower_case"}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        {sort === "card" && (
          <label>
            Into
            <select value={inPlace} onChange={(event) => setInto(event.currentTarget.value)}>
              {places.map((place) => (
                <option key={place}>{place}</option>
              ))}
            </select>
          </label>
        )}
        {sort === "card" && inPlace === NEW_PACK && (
          <label>
            Name of the pack
            <input class="code" value={packName} onInput={(event) => setPackName(event.currentTarget.value)} />
          </label>
        )}
        {(sort === "pack" || sort === "variant" || (sort === "card" && inPlace === NEW_PACK)) && (
          <label>
            For the game
            <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
              {games.map((entry) => (
                <option key={entry.name} value={entry.name}>
                  {entry.title}
                </option>
              ))}
            </select>
          </label>
        )}
        {(sort === "card" || sort === "pack") && (
          <label>
            Kind of card
            {kinds.length ? (
              <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
                <option value="">{sort === "card" ? "choose one" : "any"}</option>
                {kinds.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            ) : (
              <input class="code" value={kind} onInput={(event) => setKind(event.currentTarget.value)} />
            )}
          </label>
        )}
        {fault && (
          <pre class="output wrong" role="alert">
            {fault}
          </pre>
        )}
        <div class="row end" aria-busy={run !== null}>
          {run && (
            <span class="progress" role="status">
              <progress aria-label="It is made" /> <span class="quiet">A start is written and tried; this takes a few seconds.</span>
            </span>
          )}
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="main" disabled={run !== null}>
            {run ? "Is made…" : "Make it"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The folder around `rules/` in which a game stands; `.` for the folder of all. */
function folderOf(game: string, paths: readonly string[]): string {
  const path = paths.find((one) => one.endsWith(`rules/${game}.rules`)) ?? "";
  return path.slice(0, -`rules/${game}.rules`.length).replace(/\/$/, "") || ".";
}

/** What is missing yet before something can be made; empty if nothing is. */
function missingOf(sort: Sort, name: string, kind: string, pack: string): string {
  const isName = (text: string): boolean => /^[a-z][a-z0-9_]*$/.test(text);
  const plain = (text: string): string => text.trim().toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^[_\d]+|_+$/g, "");
  const wrong = (what: string, text: string): string => `${what} is made of a-z, 0-9 and _, and begins with a letter${plain(text) ? `: ${plain(text)}` : ""}`;
  if (sort === "empty file") return name.trim() ? "" : "The path is missing, such as mypack/tests/first.toml";
  if (!name.trim()) return "The name is missing";
  if (!isName(name)) return wrong("A name", name);
  if (sort === "card" && pack && !isName(pack)) return wrong("The name of a pack", pack);
  return sort === "card" && !kind ? "The kind of the card is missing" : "";
}
