// The table: a game that is played or looked at.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RefusedOption, View } from "../protocol";
import { useStore } from "../store";
import { confirmed } from "../ui/dialog";
import { download } from "../ui/files";
import { failure } from "../ui/live";
import { Menu, type MenuItem } from "../ui/menu";
import { copyLink } from "../ui/share";
import { titlesOf } from "../ui/svg";
import { workspace } from "../workspace";
import { Actions, Inspector } from "./actions";
import { Final } from "./final";
import { PACES, carriedTable, game } from "./game";
import { Setup } from "./setup";
import { Doing, Section, type Doable } from "./things";

export function Table() {
  const view = useStore(game.view);
  const veil = useStore(game.veil);
  const carried = useStore(carriedTable);
  const program = useStore(workspace.program);
  useEffect(() => {
    if (program && carried?.replay) {
      void game.open(carried.replay, carried.at).then(() => carriedTable.set(null), failure);
    }
  }, [carried, program]);
  useEffect(() => {
    // Another program, such as after a link, knows nothing of the game that was shown.
    if (game.view.value && playedBy.current && playedBy.current !== program) game.leave();
    playedBy.current = program;
  }, [program]);
  if (veil !== null) return <Veil seat={veil} />;
  return view ? <Playing view={view} /> : <Setup />;
}

const playedBy: { current: unknown } = { current: null };

/** Covers the table until the next person sits before it. */
function Veil({ seat }: { seat: number }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <main class="veil" id="main">
      <h1>Hand over to p{seat + 1}</h1>
      <p>What the players hide from each other is covered until p{seat + 1} sits here.</p>
      <button type="button" class="main large" ref={button} onClick={game.lift}>
        I am p{seat + 1}
      </button>
    </main>
  );
}

function doableOf(view: View): Omit<Doable, "choose" | "hint"> & { onTable: Set<number> } {
  const byPiece = new Map<number, number[]>();
  const bySpace = new Map<string, number[]>();
  const refused = new Map<number, RefusedOption[]>();
  const onTable = new Set<number>();
  const places = view.areas.flatMap((section) => section.places);
  const pieces = new Set(places.filter((place) => !place.svg).flatMap((place) => (place.cards ?? []).map((card) => card.piece)));
  const drawn = places.map((place) => place.svg ?? "").join("");
  const isLooking = game.isLooking(view);
  const options = isLooking ? [] : (view.asked?.options ?? []);
  const chosen = (isLooking && view.asked?.options[view.asked.chosen ?? -1]) || undefined;
  for (const [at, option] of options.entries()) {
    for (const piece of option.pieces ?? []) {
      byPiece.set(piece, [...(byPiece.get(piece) ?? []), at]);
      if (pieces.has(piece)) onTable.add(at);
    }
    for (const space of option.spaces ?? []) {
      bySpace.set(space, [...(bySpace.get(space) ?? []), at]);
      if (drawn.includes(`data-space="${space}"`)) onTable.add(at);
    }
  }
  for (const option of isLooking ? [] : (view.asked?.refused ?? [])) {
    for (const piece of option.pieces ?? []) refused.set(piece, [...(refused.get(piece) ?? []), option]);
  }
  const named = new Set(view.asked?.options.flatMap((option) => option.spaces ?? []));
  const spaces = new Map(named.size ? places.flatMap((place) => (place.svg ? titlesOf(place.svg) : [])) : []);
  return { byPiece, bySpace, refused, options, onTable, chosen, spaces };
}

function Playing({ view }: { view: View }) {
  const hint = useStore(game.hint);
  const thinking = useStore(game.thinking);
  const trace = useStore(game.trace);
  const eyes = useStore(game.eyes);
  const [menu, setMenu] = useState<{ items: MenuItem[]; x: number; y: number } | null>(null);
  const branch = useStore(game.branch);
  const isLooking = game.isLooking(view);
  const known = useMemo(() => doableOf(view), [view, branch]);
  const doing: Doable = useMemo(
    () => ({
      ...known,
      hint: hint?.option ?? null,
      choose: (options, x, y) => {
        const only = options[0];
        if (options.length === 1 && only !== undefined) return game.answer(only);
        setMenu({ x, y, items: options.map((at) => ({ words: known.options[at]?.words ?? "", note: known.options[at]?.note ?? undefined, act: () => game.answer(at) })) });
      },
    }),
    [known, hint],
  );
  useEffect(() => {
    // The things are drawn, and marked, one moment later.
    const soon = requestAnimationFrame(() => showOne(hint ? ".hinted" : isLooking ? ".chosen" : ".can"));
    return () => cancelAnimationFrame(soon);
  }, [known, hint]);
  const ownSeat = eyes >= 0 ? eyes : (view.asked?.seat ?? view.viewer);
  const sections = [...view.areas].sort((one, other) => rank(one.seat, ownSeat, view) - rank(other.seat, ownSeat, view));
  const looks = game.looks(view);

  return (
    <main class="table" id="main">
      <header class="table-head">
        <h1>{view.title}</h1>
        <span class="quiet number">
          round {view.round} · seed {view.seed}
        </span>
        <ol class="standing" aria-label="Players">
          {view.seats.map((seat, number) => (
            <li key={seat.name} class={view.asked?.seat === number ? "asked" : ""}>
              <b>{seat.name}</b>
              <small>{seat.player}</small>
              <span class="number">{seat.points ?? "?"} {seat.points === 1 ? "point" : "points"}</span>
              <small class="turn">{thinking ? "thinks" : "is asked"}</small>
            </li>
          ))}
        </ol>
        <Tools view={view} looks={looks} eyes={eyes} />
      </header>
      <Doing.Provider value={doing}>
        <div class="things">
          {isLooking && (
            <div class="banner">
              <span>
                This is how it stood after {view.answered} of {view.answers} answers.
              </span>
              <span class="row">
                {!view.over && (
                  <button type="button" onClick={game.goOn}>
                    Go on from here
                  </button>
                )}
                <button type="button" onClick={() => game.seek(view.answers)}>
                  Back to the end
                </button>
              </span>
            </div>
          )}
          {view.over && !isLooking && <Final view={view} />}
          {sections.map((section) => (
            <Section key={section.title} section={section} own={section.seat === ownSeat} />
          ))}
        </div>
        <aside class="side" aria-label="Question and answers">
          <div class="ask">
            <Actions view={view} onTable={known.onTable} />
          </div>
          <div class="inspector" aria-label="What is pointed at" role="region" tabIndex={0}>
            <Inspector view={view} />
          </div>
          <Log view={view} trace={trace} />
        </aside>
      </Doing.Provider>
      <Slider view={view} />
      {menu && <Menu label="Answers" items={menu.items} x={menu.x} y={menu.y} onClose={() => setMenu(null)} />}
    </main>
  );
}

/** Brings a thing of this sort into view, unless one is there already. */
function showOne(sort: string): void {
  const all = [...document.querySelectorAll(`.things :is(.card, [data-space])${sort}`)];
  const things = document.querySelector(".things")?.getBoundingClientRect();
  const side = document.querySelector(".side")?.getBoundingClientRect();
  if (!all.length || !things || !side) return;
  // On a narrow screen the answers lie over the lower part of the things.
  const isNarrow = side.left < things.right;
  const [top, bottom] = [Math.max(0, things.top), Math.min(innerHeight, things.bottom, isNarrow ? side.top : innerHeight)];
  const isSeen = (thing: Element): boolean => {
    const box = thing.getBoundingClientRect();
    return box.top >= top && box.bottom <= bottom;
  };
  if (!all.some(isSeen)) all[0]?.scrollIntoView({ block: isNarrow ? "start" : "center" });
}

/** One's own things stand first, then what is common, then the others in turn order. */
function rank(seat: number | null, own: number, view: View): number {
  if (seat === own) return -2;
  if (seat === null) return -1;
  return (seat - own + view.seats.length) % view.seats.length;
}

function Tools({ view, looks, eyes }: { view: View; looks: number[]; eyes: number }) {
  const pace = useStore(game.pace);
  const [menu, setMenu] = useState<{ items: MenuItem[]; x: number; y: number } | null>(null);
  const isLooking = game.isLooking(view);
  const share = async (): Promise<void> => {
    const replay = await game.save();
    await copyLink({ files: workspace.ownFiles(), table: { replay, at: isLooking ? view.answered : undefined } });
  };
  const shareBeginning = async (): Promise<void> => {
    if (game.beginning) await copyLink({ files: workspace.ownFiles(), table: { beginning: game.beginning } });
  };
  const leave = async (): Promise<void> => {
    if (view.over || view.answers === 0 || (await confirmed("Leave this game? It is kept, and you can go on with it later.", "Leave it"))) game.leave();
  };
  const keep = (event: MouseEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const items: MenuItem[] = [
      { words: "Save the game as a file", act: () => void game.save().then((text) => download(`${view.game}-${view.seed}.replay`, text), failure) },
      { words: "Copy a link to this position", act: () => void share().catch(failure) },
    ];
    if (game.beginning) items.push({ words: "Copy a link to the start", note: "same cards, for others to play", act: () => void shareBeginning().catch(failure) });
    setMenu({ items, x: box.left, y: box.bottom + 4 });
  };
  return (
    <div class="tools" role="group" aria-label="The game">
      <button type="button" onClick={game.askHint} disabled={view.over || isLooking}>
        Hint
      </button>
      <button type="button" onClick={game.undo} disabled={view.answered === 0 || isLooking}>
        Undo
      </button>
      <button type="button" aria-haspopup="menu" onClick={keep}>
        Save and share…
      </button>
      <label class="inline">
        Machines
        <select value={pace} onChange={(event) => game.pace.set(event.currentTarget.value)}>
          {Object.keys(PACES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {looks.length > 1 && (
        <label class="inline">
          Seen by
          <select value={eyes} onChange={(event) => void game.look(Number(event.currentTarget.value))}>
            {looks.map((seat) => (
              <option key={seat} value={seat}>
                {seat < 0 ? "whoever is asked" : view.seats[seat]?.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" onClick={() => void leave()}>
        Leave
      </button>
      {menu && <Menu label="Save and share" items={menu.items} x={menu.x} y={menu.y} onClose={() => setMenu(null)} />}
    </div>
  );
}

function Log({ view, trace }: { view: View; trace: readonly string[] }) {
  const isLooking = game.isLooking(view);
  const lately = isLooking ? view.log : trace;
  return (
    <div class="log">
      {lately.length > 0 && (
        <>
          <h2>{isLooking ? "Up to here" : view.seats.some((seat) => seat.player === "human") ? "Since your answer" : "Lately"}</h2>
          <ol class="trace">
            {lately.slice(-8).map((line, at) => (
              <li key={at}>{line}</li>
            ))}
          </ol>
        </>
      )}
      <details>
        <summary>All that has happened ({view.log.length})</summary>
        <ol class="lines" tabIndex={0} aria-label="Log">
          {[...view.log].reverse().map((line, at) => (
            <li key={view.log.length - at}>{line}</li>
          ))}
        </ol>
      </details>
    </div>
  );
}

/** Goes through all answers of the game. */
function Slider({ view }: { view: View }) {
  const [at, setAt] = useState(view.answered);
  const timer = useRef(0);
  useEffect(() => setAt(view.answered), [view.answered]);
  const go = (to: number): void => {
    const count = Math.max(0, Math.min(view.answers, to));
    setAt(count);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => game.seek(count), 80) as unknown as number;
  };
  return (
    <div class="slider" role="group" aria-label="Go through the game">
      <button type="button" aria-label="One answer back" disabled={at === 0} onClick={() => go(at - 1)}>
        <span aria-hidden="true">‹</span>
      </button>
      <input type="range" min={0} max={view.answers} value={at} aria-label="Answers" aria-valuetext={`after ${at} of ${view.answers} answers`} onInput={(event) => go(Number(event.currentTarget.value))} />
      <button type="button" aria-label="One answer on" disabled={at === view.answers} onClick={() => go(at + 1)}>
        <span aria-hidden="true">›</span>
      </button>
      <span class="number quiet">
        {at} / {view.answers}
      </span>
    </div>
  );
}
