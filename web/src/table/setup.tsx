// Before the game: which one, who plays, with what.
import { useEffect, useState } from "preact/hooks";
import type { Beginning, GameEntry } from "../protocol";
import { route } from "../route";
import { useStore } from "../store";
import { confirmed } from "../ui/dialog";
import { chooseFile, download } from "../ui/files";
import { failure } from "../ui/live";
import { keepAll } from "../workbench/editor";
import { workspace } from "../workspace";
import { carriedTable, game } from "./game";
import { findKeptGames, forgetGame, keptGames, type KeptGame } from "./kept-games";

const PLAYERS = ["human", "greedy", "random", "search:100", "search:500"];
const WORDS: Record<string, string> = {
  human: "a person",
  greedy: "machine, greedy",
  random: "machine, at random",
  "search:100": "machine, searches a little",
  "search:500": "machine, searches longer",
};

/** A name of the rules as people write it. */
function plain(name: string): string {
  return name.replaceAll("_", " ");
}

function freshSeed(): number {
  return 1 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 9999;
}

function beginningOf(entry: GameEntry, before?: Partial<Beginning>): Beginning {
  const [least, most] = entry.players;
  const players = Math.max(least, Math.min(most, before?.players ?? 2));
  return { game: entry.name, players, seats: Array.from({ length: players }, (_, seat) => before?.seats?.[seat] ?? (seat ? "greedy" : "human")), seed: before?.seed ?? freshSeed(), options: before?.options ?? [], packs: before?.packs ?? [], with: before?.with ?? [] };
}

/** Asks how a game is to begin. */
export function Setup() {
  const games = useStore(workspace.games);
  const entries = useStore(workspace.entries);
  const wanted = useStore(route);
  const carried = useStore(carriedTable);
  const ownPacks = entries.filter((entry) => !entry.built_in && entry.path.endsWith("/pack.toml")).map((entry) => entry.path.slice(0, -"/pack.toml".length));
  const [extended, setExtended] = useState<Record<string, string>>({});
  const [made, setMade] = useState<Beginning | null>(null);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const asked = carried?.beginning;

  useEffect(() => {
    let gone = false;
    void Promise.all(ownPacks.map(async (pack) => [pack, /^extends\s*=\s*"([^"]+)"/m.exec(await workspace.read(`${pack}/pack.toml`))?.[1] ?? ""] as const)).then((pairs) => gone || setExtended(Object.fromEntries(pairs)), failure);
    return () => {
      gone = true;
    };
  }, [entries]);
  const packGame = wanted.pack ? extended[wanted.pack] : undefined;
  const first = games.find((entry) => entry.name === (asked?.game ?? wanted.game ?? packGame)) ?? games[0];
  useEffect(() => {
    if (first) setMade(beginningOf(first, asked ?? { packs: wanted.pack && packGame === first.name ? [wanted.pack] : [] }));
  }, [first?.name, asked, packGame]);

  const entry = games.find((one) => one.name === made?.game);
  if (!made || !entry) {
    return (
      <main class="setup" id="main">
        <h1>A game begins</h1>
        <KeptGames />
        <p class="empty">{games.length ? "…" : "The rules have faults, and no game can be read: see the workbench."}</p>
      </main>
    );
  }
  const packs = [...entry.packs, ...ownPacks.filter((pack) => extended[pack] === entry.name)].filter((pack, at, all) => all.indexOf(pack) === at);
  const variants = entry.variants;
  const set = (changes: Partial<Beginning>): void => setMade({ ...made, ...changes });
  const values = (name: string): string[] => made.options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1).split(",") ?? [];
  const setOption = (name: string, chosen: string[]): void => {
    const others = made.options.filter((option) => !option.startsWith(`${name}=`));
    set({ options: chosen.length ? [...others, `${name}=${chosen.join(",")}`] : others });
  };
  const toggle = (list: string[], one: string): string[] => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
  const typed = made.with.filter((rule) => !variants.some((variant) => variant.name === rule));
  const begin = async (): Promise<void> => {
    setBusy(true);
    setFault("");
    try {
      await keepAll();
      await game.begin({ ...made, with: made.with.map((rule) => rule.trim()).filter(Boolean) });
      carriedTable.set(null);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <main class="setup" id="main">
      <h1>A game begins</h1>
      <KeptGames />
      {asked && <p class="banner">A link has chosen this game. Nothing begins until you say so.</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <fieldset class="games">
          <legend>Game</legend>
          {games.map((one) => (
            <label key={one.name} class="choice">
              <input type="radio" name="game" checked={one.name === made.game} onChange={() => setMade(beginningOf(one, { seats: made.seats, players: made.players, seed: made.seed }))} />
              <span>
                <strong>{one.title}</strong>
                <small>
                  {one.players[0] === one.players[1] ? one.players[0] : `${one.players[0]} to ${one.players[1]}`} players
                </small>
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Who plays</legend>
          <label class="inline">
            Players
            <select
              value={made.players}
              onChange={(event) => {
                const players = Number(event.currentTarget.value);
                set({ players, options: made.options.filter((option) => Number(/@p(\d+)=/.exec(option)?.[1] ?? 1) <= players), seats: Array.from({ length: players }, (_, seat) => made.seats[seat] ?? "greedy") });
              }}
            >
              {Array.from({ length: entry.players[1] - entry.players[0] + 1 }, (_, at) => (
                <option key={at}>{at + entry.players[0]}</option>
              ))}
            </select>
          </label>
          <div class="seats">
            {made.seats.map((player, seat) => (
              <label key={seat}>
                Player {seat + 1}
                <select value={player} onChange={(event) => set({ seats: made.seats.map((other, at) => (at === seat ? event.currentTarget.value : other)) })}>
                  {[...PLAYERS, ...(PLAYERS.includes(player) ? [] : [player])].map((one) => (
                    <option key={one} value={one}>
                      {WORDS[one] ?? one}
                    </option>
                  ))}
                </select>
              </label>
            ))}
          </div>
        </fieldset>
        {entry.options.length > 0 && (
          <fieldset>
            <legend>Choices of this game</legend>
            <div class="seats">
              {entry.options.map((option) =>
                option.many ? (
                  <div key={option.name} role="group" aria-label={plain(option.name)}>
                    <span class="label">{plain(option.name)}</span>
                    {option.values.map((value) => {
                      const chosen = values(option.name).length ? values(option.name) : option.default;
                      return (
                        <label key={value} class="inline">
                          <input type="checkbox" checked={chosen.includes(value)} onChange={() => setOption(option.name, option.values.filter((one) => toggle(chosen, value).includes(one)))} />
                          {plain(value)}
                        </label>
                      );
                    })}
                  </div>
                ) : (
                  (option.of_seat ? made.seats.map((_, seat) => ({ name: `${option.name}@p${seat + 1}`, words: `${plain(option.name)} of player ${seat + 1}` })) : [{ name: option.name, words: plain(option.name) }]).map(({ name, words }) => (
                    <label key={name}>
                      {words}
                      <select value={values(name)[0] ?? option.default[0]} onChange={(event) => setOption(name, event.currentTarget.value === option.default[0] ? [] : [event.currentTarget.value])}>
                        {option.values.map((value) => (
                          <option key={value} value={value}>
                            {plain(value)}
                          </option>
                        ))}
                      </select>
                    </label>
                  ))
                ),
              )}
            </div>
          </fieldset>
        )}
        {packs.length > 0 && (
          <fieldset>
            <legend>Packs</legend>
            {packs.map((pack) => (
              <label key={pack} class="inline">
                <input type="checkbox" checked={made.packs.includes(pack)} onChange={() => set({ packs: toggle(made.packs, pack) })} />
                <span title={pack}>{plain(pack.split("/").pop() ?? pack)}</span>
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>Changed rules</legend>
          {variants.map((variant) => (
            <label key={variant.name} class="inline">
              <input type="checkbox" checked={made.with.includes(variant.name)} onChange={() => set({ with: toggle(made.with, variant.name) })} />
              <span>
                {variant.name} <small>{variant.words}</small>
              </span>
            </label>
          ))}
          <label>
            A line of rules
            <input class="code" placeholder="change NAME to 5" spellcheck={false} value={typed[0] ?? ""} onInput={(event) => set({ with: [...made.with.filter((rule) => variants.some((variant) => variant.name === rule)), ...(event.currentTarget.value ? [event.currentTarget.value] : [])] })} />
          </label>
        </fieldset>
        <fieldset>
          <legend>Seed</legend>
          <div class="row">
            <label class="inline">
              The same seed deals the same cards
              <input type="number" min={0} required value={made.seed} onInput={(event) => set({ seed: Number(event.currentTarget.value) })} />
            </label>
            <button type="button" onClick={() => set({ seed: freshSeed() })}>
              Another
            </button>
          </div>
        </fieldset>
        {fault && <pre class="output wrong">{fault}</pre>}
        <div class="row begin">
          <button class="main large" disabled={busy}>
            {busy ? "Begins…" : "Begin"}
          </button>
          <button type="button" class="large" onClick={() => void openReplay().catch(failure)}>
            Open a saved game
          </button>
        </div>
      </form>
    </main>
  );
}

/** Offers to go on with games that are not over. */
function KeptGames() {
  const kept = useStore(keptGames);
  const [fault, setFault] = useState<{ name: string; text: string } | null>(null);
  const [busy, setBusy] = useState("");
  useEffect(() => void findKeptGames().catch(failure), []);
  if (!kept.length) return null;
  const goOn = async (name: string, one: KeptGame): Promise<void> => {
    setBusy(name);
    setFault(null);
    try {
      await keepAll();
      await game.resume(name, one);
    } catch (error) {
      setFault({ name, text: error instanceof Error ? error.message : String(error) });
    } finally {
      setBusy("");
    }
  };
  const giveUp = async (name: string, one: KeptGame): Promise<void> => {
    if (await confirmed(`Give up this game of ${one.title}? It is not kept any longer.`, "Give it up")) await forgetGame(name);
  };
  return (
    <section class="kept" aria-label="Games that are not over">
      <h2>{kept.length === 1 ? "A game is not over" : `${kept.length} games are not over`}</h2>
      <ul>
        {kept.map(([name, one]) => (
          <li key={name}>
            <span class="what">
              <strong>{one.title}</strong>
              <small>
                {one.seats.map((player) => WORDS[player] ?? player).join(", ")} · round {one.round}, {one.answers} {one.answers === 1 ? "answer" : "answers"} · {new Date(one.when).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}
              </small>
            </span>
            <span class="row">
              <button type="button" class="main" disabled={busy !== ""} onClick={() => void goOn(name, one)}>
                {busy === name ? "Opens…" : "Go on"}
              </button>
              <button type="button" onClick={() => download("game.replay", one.replay)}>
                Save as a file
              </button>
              <button type="button" onClick={() => void giveUp(name, one).catch(failure)}>
                Give up
              </button>
            </span>
            {fault?.name === name && <pre class="output wrong">This game cannot be gone on with as the rules and cards are now; it stays kept.{"\n\n"}{fault.text}</pre>}
          </li>
        ))}
      </ul>
    </section>
  );
}

async function openReplay(): Promise<void> {
  const file = await chooseFile(".replay,.toml,.txt");
  if (file) await game.open(await file.text());
}
