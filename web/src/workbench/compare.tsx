// A rule compared: many games with and without a change.
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileEntry, Progress, RunResult } from "../protocol";
import { Store, useStore } from "../store";
import { download } from "../ui/files";
import { failure, say } from "../ui/live";
import { copyLink } from "../ui/share";
import { joinLine } from "../ui/command-line";
import { workspace } from "../workspace";
import { gameOfPack } from "./packs";
import { gameNames, gameOf, packOf } from "./paths";
import { Report } from "./report";
import { runBeside, type Run } from "./runs";

const REPORT = "report.html";
const WRITTEN = "by a line of rules";
const MINE = "by my files, against the built-in game";

/** A command of a link that is to be shown in the form; it runs when one says so. */
export const brought = new Store<string[] | null>(null);

interface Form {
  game: string;
  change: string;
  line: string;
  games: string;
  players: string;
  agents: string;
  seed: string;
}

function valueOf(args: string[], ...names: string[]): string | undefined {
  const at = args.findIndex((arg) => names.includes(arg));
  return at < 0 ? undefined : args[at + 1];
}

/** The fields of a command. */
function formOf(args: string[], first: string): Form {
  const against = valueOf(args, "--against");
  return {
    game: args[1] ?? first,
    change: valueOf(args, "--since") ? MINE : (against ?? WRITTEN),
    line: valueOf(args, "--with") ?? "",
    games: valueOf(args, "-n") ?? "200",
    players: valueOf(args, "--players") ?? "",
    agents: valueOf(args, "--agents") ?? "greedy",
    seed: valueOf(args, "--seed") ?? "1",
  };
}

/** The command of the fields. */
function commandOf(form: Form): string[] {
  const change = { [WRITTEN]: ["--with", form.line], [MINE]: ["--since", "inside"] }[form.change] ?? ["--against", form.change];
  const players = form.players ? ["--players", form.players] : [];
  return ["compare", form.game, ...change, "-n", form.games, ...players, "--agents", form.agents, "--seed", form.seed];
}

/** Compares a game with a change and without. */
export function Compare({ open }: { open: string | null }) {
  const games = useStore(workspace.games);
  const entries = useStore(workspace.entries);
  const asked = useStore(brought);
  const [form, setForm] = useState<Form>(() => formOf(asked ?? ["compare"], games[0]?.name ?? ""));
  const [run, setRun] = useState<Run | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [result, setResult] = useState<RunResult | null>(null);
  const [command, setCommand] = useState<string[]>([]);
  const [fault, setFault] = useState("");
  const [took, setTook] = useState(0);
  const last = useRef<Run | null>(null);
  // The open file at which one has chosen what is compared.
  const chosenAt = useRef<string | null>(null);
  useEffect(() => {
    if (asked) setForm(formOf(asked, games[0]?.name ?? ""));
  }, [asked]);
  useEffect(() => {
    if (!form.game && games[0]) setForm({ ...form, game: games[0].name });
  }, [games]);

  const set = (field: keyof Form) => (event: { currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }) => {
    if (field === "game" || field === "change") chosenAt.current = open;
    const changed = { ...form, [field]: event.currentTarget.value };
    // A change of the open file is none of another game.
    setForm(field === "game" && !(form.change === MINE && isOverridden(changed.game, entries)) ? { ...changed, change: WRITTEN } : changed);
  };
  const own = entries.filter((entry) => !entry.built_in || entry.changed).map((entry) => entry.path);
  const packs = own.filter((path) => path.endsWith("/pack.toml")).map((path) => path.slice(0, -"/pack.toml".length));
  const variants = own.filter((path) => path.endsWith(".rules") && !path.startsWith("rules/") && !packs.some((pack) => path.startsWith(`${pack}/`)));
  const game = games.find((entry) => entry.name === form.game);
  const overrides = isOverridden(form.game, entries);
  useEffect(() => {
    // What one has written stands as it is.
    if (asked || run || !open || chosenAt.current === open || (form.change === WRITTEN && form.line)) return;
    const paths = entries.map((entry) => entry.path);
    const pack = packOf(open, paths);
    const names = games.map((entry) => entry.name);
    let gone = false;
    void (pack === null ? Promise.resolve(gameOf(open, gameNames(games, paths))) : gameOfPack(pack, packs, names)).then((found) => {
      if (gone) return;
      const known = found !== null && names.includes(found) ? found : form.game;
      const own = pack ?? (variants.includes(open) ? open : isOverridden(known, entries) ? MINE : WRITTEN);
      const change = own === pack && !packs.includes(own) ? WRITTEN : own;
      if (known !== form.game || change !== form.change) setForm({ ...form, game: known, change });
    });
    return () => {
      gone = true;
    };
  }, [open, entries, games]);

  const start = (): void => {
    const args = commandOf(form);
    const began = performance.now();
    const started = runBeside([...args, "--report", REPORT], setProgress);
    last.current = started;
    setRun(started);
    setCommand(args);
    setProgress(null);
    setResult(null);
    setFault("");
    say("the games are played");
    started.done.then(
      (done) => {
        setRun(null);
        setTook((performance.now() - began) / 1000);
        setResult(done);
        say(done.status === 0 ? (done.out.split("\n").find((line) => line.includes("mean points")) ?? "compared") : "it could not be compared");
      },
      (error: Error) => {
        setRun(null);
        if (error.message !== "cancelled") setFault(error.message);
      },
    );
  };
  const report = result?.written[REPORT];

  return (
    <div class="compare">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label>
          Game
          <select value={form.game} onChange={set("game")}>
            {games.map((entry) => (
              <option key={entry.name} value={entry.name}>
                {entry.title}
              </option>
            ))}
          </select>
        </label>
        <label>
          What is changed
          <select value={form.change} onChange={set("change")}>
            <option>{WRITTEN}</option>
            {(overrides || form.change === MINE) && <option>{MINE}</option>}
            {[...packs, ...variants].map((path) => (
              <option key={path}>{path}</option>
            ))}
          </select>
        </label>
        {form.change === WRITTEN && (
          <label class="whole">
            Change
            <input class="code" required placeholder="change NAME to 5" spellcheck={false} value={form.line} onInput={set("line")} list="constants" />
          </label>
        )}
        <label>
          Pairs of games
          <input type="number" min={2} max={100000} required value={form.games} onInput={set("games")} />
        </label>
        <label>
          Players
          <select value={form.players} onChange={set("players")}>
            <option value="">as usual</option>
            {game && Array.from({ length: game.players[1] - game.players[0] + 1 }, (_, at) => <option key={at}>{at + game.players[0]}</option>)}
          </select>
        </label>
        <label>
          Who plays
          <select value={form.agents} onChange={set("agents")}>
            {["greedy", "random", "search:50", "search:200"].concat(["greedy", "random", "search:50", "search:200"].includes(form.agents) ? [] : [form.agents]).map((agent) => (
              <option key={agent}>{agent}</option>
            ))}
          </select>
        </label>
        <label>
          Seed
          <input type="number" min={0} required value={form.seed} onInput={set("seed")} />
        </label>
        <div class="row whole">
          {run ? (
            <button type="button" onClick={() => run.cancel()}>
              Cancel
            </button>
          ) : (
            <button class="main">Compare</button>
          )}
          {run && <ProgressBar progress={progress} />}
          {!run && result?.status === 0 && <span class="quiet">{took.toFixed(1)} seconds</span>}
        </div>
        <Constants game={form.game} open={open} />
      </form>
      {fault && <p class="wrong">{fault}</p>}
      {result && result.status !== 0 && <pre class="output wrong" tabIndex={0} aria-label="What is wrong">{(result.err + result.out).trim()}</pre>}
      {result?.status === 0 && (
        <div class="compared">
          <div class="row">
            {report && (
              <button type="button" onClick={() => download(`${form.game}-compared.html`, report, "text/html")}>
                Save the page
              </button>
            )}
            <button type="button" onClick={() => void copyLink({ files: workspace.ownFiles(), command }).catch(failure)}>
              Copy a link
            </button>
            <code class="quiet">houserule {joinLine(command)}</code>
          </div>
          <pre class="output" tabIndex={0} aria-label="What differs, in words">{result.out.trim()}</pre>
          {report && <Report html={report} title="What differs, with charts" />}
        </div>
      )}
    </div>
  );
}

/** Whether files of one's own make a built-in game another. */
function isOverridden(game: string, entries: readonly FileEntry[]): boolean {
  const isBuiltIn = entries.some((entry) => entry.built_in && entry.path === `rules/${game}.rules`);
  return isBuiltIn && entries.some((entry) => (entry.changed || !entry.built_in) && entry.path.split(/[/.]/).slice(0, 2).includes(game));
}

function ProgressBar({ progress }: { progress: Progress | null }) {
  return (
    <span class="progress">
      <progress aria-label="games played" max={progress?.of || 1} value={progress ? progress.done : undefined} />
      <span class="quiet number">{progress ? `${progress.done} of ${progress.of} ${progress.what}` : "begins…"}</span>
    </span>
  );
}

/** Changes of the constants of a game, offered while one types. */
function Constants({ game, open }: { game: string; open: string | null }) {
  const entries = useStore(workspace.entries);
  const [lines, setLines] = useState<string[]>([]);
  useEffect(() => {
    let gone = false;
    const paths = entries.map((entry) => entry.path).filter((path) => path.endsWith(".rules") && (path === `rules/${game}.rules` || path.startsWith(`rules/${game}/`) || path.includes(`${game}/rules/`)));
    void Promise.all(paths.map((path) => workspace.read(path))).then(
      (texts) => {
        const found = texts.flatMap((text) => [...text.matchAll(/^constant\s+([\w]+)\s*=\s*(\d+)/gm)].map((match) => `change ${match[1]} to ${Number(match[2]) + 1}`));
        if (!gone) setLines(found);
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [game, entries, open]);
  return (
    <datalist id="constants">
      {lines.map((line) => (
        <option key={line} value={line} />
      ))}
    </datalist>
  );
}
