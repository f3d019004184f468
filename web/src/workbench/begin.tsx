// Something new: a pack, a card, a variant, a game. The program writes a start that works and has a test.
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store";
import { Dialog } from "../ui/dialog";
import { tell } from "../ui/live";
import { workspace } from "../workspace";
import { keepAll } from "./editor";

const SORTS = ["pack", "card", "variant", "game", "empty file"] as const;
type Sort = (typeof SORTS)[number];

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
  const [fault, setFault] = useState("");
  const packs = entries.filter((entry) => !entry.built_in && entry.path.endsWith("/pack.toml")).map((entry) => entry.path.slice(0, -"/pack.toml".length));
  const ownGames = games.filter((entry) => entries.some((file) => !file.built_in && file.path.endsWith(`rules/${entry.name}.rules`)));
  const places = [...packs, ...ownGames.map((entry) => entry.name)];
  const inPlace = into || places[0] || "";

  useEffect(() => {
    setKinds(games.find((entry) => entry.name === game)?.kinds ?? []);
    setKind("");
  }, [game, games]);

  const make = async (): Promise<void> => {
    const program = workspace.program.value;
    if (!program) return;
    if (sort === "empty file") {
      await workspace.write(name, "");
      return onMade(name);
    }
    const args = ["new", sort, name];
    const ownGame = ownGames.find((entry) => entry.name === inPlace);
    if (sort === "pack" || sort === "variant") args.push("--game", game);
    if (sort === "card" && inPlace) args.push("--game", ownGame ? ownGame.name : game);
    if (sort !== "game" && kind) args.push("--kind", kind);
    if (sort === "card" && inPlace) args.push("--in", ownGame ? folderOf(ownGame.name, entries.map((entry) => entry.path)) : inPlace);
    await keepAll();
    const result = await program.run(args);
    // A game is written into a folder of its own; here it lies beside the others.
    const written = Object.entries(result.written).map(([path, text]) => [sort === "game" && path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path, text] as const);
    if (result.status !== 0 || !written.length) return setFault((result.err + result.out).trim());
    for (const path of Object.keys(result.written)) if (!written.some(([kept]) => kept === path)) await program.remove(path);
    for (const [path, text] of written) await workspace.write(path, text);
    tell(`${written.map(([path]) => path).join(", ")} ${written.length === 1 ? "is" : "are"} written`);
    const first = written.map(([path]) => path);
    onMade(first.find((path) => path.endsWith(".rules")) ?? first.find((path) => path.includes("/cards/")) ?? first[0] ?? "");
  };

  return (
    <Dialog title="Something new" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          make().catch((error: Error) => setFault(error.message));
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
            required
            class="code"
            pattern={sort === "empty file" ? ".+" : "[a-z][a-z0-9_]*"}
            title={sort === "empty file" ? "a path such as mypack/tests/first.toml" : "lower-case letters, digits and _"}
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
              {!places.length && <option value="">the folder of all (make a pack first)</option>}
            </select>
          </label>
        )}
        {(sort === "pack" || sort === "variant" || (sort === "card" && !ownGames.some((entry) => entry.name === inPlace))) && (
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
              <select value={kind} onChange={(event) => setKind(event.currentTarget.value)} required={sort === "card"}>
                <option value="">{sort === "card" ? "choose one" : "any"}</option>
                {kinds.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            ) : (
              <input class="code" value={kind} required={sort === "card"} onInput={(event) => setKind(event.currentTarget.value)} />
            )}
          </label>
        )}
        {fault && <pre class="output wrong">{fault}</pre>}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="main">Make it</button>
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
