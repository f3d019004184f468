// What lies on the table: places with cards, maps, boards. What can be done with a thing is done on the thing.
import { createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { RefusedOption, TableCard, TableOption, TablePlace, TableSection } from "../protocol";
import { useStore } from "../store";
import { readPicture } from "../ui/svg";
import { game, type Pointed } from "./game";

/** What can be done with the things on the table. */
export interface Doable {
  byPiece: ReadonlyMap<number, number[]>;
  bySpace: ReadonlyMap<string, number[]>;
  refused: ReadonlyMap<number, RefusedOption[]>;
  options: readonly TableOption[];
  hint: number | null;
  /** The answer that was chosen, while the game is looked at as it was earlier. */
  chosen?: TableOption;
  /** What the spaces of the boards say of themselves. */
  spaces: ReadonlyMap<string, string>;
  /** Does what is asked for with a thing; a place on the screen is for the menu, if there are several. */
  choose: (options: number[], x: number, y: number) => void;
}

export const Doing = createContext<Doable>({ byPiece: new Map(), bySpace: new Map(), refused: new Map(), options: [], hint: null, spaces: new Map(), choose: () => {} });

/** A hue for a kind of card, always the same for the same word. */
function hueOf(kind: string): number {
  let hash = 7;
  for (const letter of kind) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return (hash * 137) % 360;
}

/** Moves the focus by arrow keys among the things of a place, which is one stop of the Tab key. */
function arrows(event: KeyboardEvent): void {
  const box = event.currentTarget as HTMLElement;
  const all = [...box.querySelectorAll<HTMLElement>("[data-thing]")];
  const at = all.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const columns = Number(box.dataset.columns) || 1;
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const to = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : at + (steps[event.key] ?? 0);
  const next = all[to];
  if (!next || next === all[at]) return;
  event.preventDefault();
  for (const thing of all) thing.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** A part of the table: what is common, or what a player has. */
export function Section({ section, own }: { section: TableSection; own: boolean }) {
  const holds = (place: TablePlace): boolean => (place.cards?.length ?? 0) > 0 || Boolean(place.svg) || (place.facts?.length ?? 0) > 0 || (place.shape === "grid" && !place.rings);
  const places = section.places.filter(holds);
  const piles = section.places.filter((place) => !holds(place) && (place.hidden ?? 0) > 0);
  return (
    <section class={own ? "part own" : "part"} aria-label={section.title}>
      <h2>{section.title}</h2>
      {section.facts.length > 0 && <Facts facts={section.facts} />}
      <div class="places">
        {places.map((place) => (
          <Place key={place.name} place={place} />
        ))}
      </div>
      {piles.length > 0 && (
        <div class="piles">
          <h3>Face down</h3>
          <ul class="facts">
            {piles.map((place) => (
              <li key={place.name}>
                <span class="pile" aria-hidden="true" />
                <span>{place.title}</span> <b class="number">{place.hidden}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Facts({ facts }: { facts: readonly string[] }) {
  return (
    <ul class="facts">
      {facts.map((fact) => {
        const value = /^([^:]*\S)\s+(-?[\d/]+)$/.exec(fact);
        return (
          <li key={fact}>
            {value ? (
              <>
                <span>{value[1]}</span> <b class="number">{value[2]}</b>
              </>
            ) : (
              <span>{fact}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Place({ place }: { place: TablePlace }) {
  const cards = place.cards ?? [];
  const hidden = place.hidden ?? 0;
  // A map with few cards on it is shown as a list: where they lie, the board says.
  const isMap = Boolean(place.rings) && cards.length * 2 >= (place.spaces ?? []).filter(Boolean).length;
  const isGrid = place.shape === "grid" && !place.rings && (place.columns ?? 0) > 0;
  const isWide = Boolean(place.svg) || isMap || (isGrid && (place.columns ?? 0) > 3);
  return (
    <div class={`place ${isWide ? "wide" : ""}`}>
      <h3>
        {place.title}
        {hidden > 0 && <span class="quiet number"> {hidden} face down</span>}
      </h3>
      {(place.facts?.length ?? 0) > 0 && <Facts facts={place.facts ?? []} />}
      {place.svg ? (
        <>
          <Board svg={place.svg} title={place.title} />
          <SpaceCards cards={cards} />
        </>
      ) : isMap ? (
        <HexMap place={place} rings={place.rings ?? 0} />
      ) : isGrid ? (
        <Grid place={place} columns={place.columns ?? 1} />
      ) : cards.length > 0 ? (
        <div class="cards" onKeyDown={arrows}>
          {cards.map((card, at) => (
            <Card key={card.piece} card={card} first={at === 0} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

function SpaceCards({ cards }: { cards: TableCard[] }) {
  const { byPiece } = useContext(Doing);
  const shown = cards.filter((card) => byPiece.has(card.piece));
  if (!shown.length) return null;
  return (
    <div class="cards" onKeyDown={arrows}>
      {shown.map((card, at) => (
        <Card key={card.piece} card={card} first={at === 0} />
      ))}
    </div>
  );
}

function Grid({ place, columns }: { place: TablePlace; columns: number }) {
  const cards = place.cards ?? [];
  const slots = Math.max(place.spaces?.length ?? 0, cards.reduce((most, card) => Math.max(most, (card.slot ?? 0) + 1), 0));
  const cells = Array.from({ length: Math.ceil(Math.max(slots, 1) / columns) * columns }, (_, slot) => cards.filter((card) => card.slot === slot));
  const first = cards[0]?.piece;
  return (
    <div class="scroll" tabIndex={-1}>
      <div class="grid" style={{ "--columns": String(columns) }} data-columns={columns} onKeyDown={arrows}>
        {cells.map((here, slot) => (
          <div key={slot} class={here.length ? "cell" : place.spaces?.[slot] === false ? "cell gone" : "cell none"}>
            {here.map((card) => (
              <Card key={card.piece} card={card} first={card.piece === first} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** A map of hexagons: each row is shifted by half a space against the one above. */
function HexMap({ place, rings }: { place: TablePlace; rings: number }) {
  const columns = 2 * rings + 1;
  const cards = place.cards ?? [];
  const spaces = Array.from({ length: columns * columns }, (_, slot) => ({ slot, row: Math.floor(slot / columns), column: slot % columns })).filter(
    ({ row, column }) => Math.abs(row - rings + (column - rings)) <= rings,
  );
  const shown = spaces.filter(({ slot }) => place.spaces?.[slot] ?? true);
  const left = (space: { row: number; column: number }): number => space.column + space.row / 2;
  const least = { x: Math.min(...shown.map(left)), y: Math.min(...shown.map(({ row }) => row)) };
  const most = { x: Math.max(...shown.map(left)), y: Math.max(...shown.map(({ row }) => row)) };
  return (
    <div class="scroll" tabIndex={-1}>
      <div class="hexes" style={{ "--across": String(most.x - least.x + 1), "--down": String(most.y - least.y + 1) }} onKeyDown={arrows}>
        {shown.map((space, at) => {
          const card = cards.find((one) => one.slot === space.slot);
          return (
            <div key={space.slot} class={card ? "hex" : "hex none"} style={{ "--x": String(left(space) - least.x), "--y": String(space.row - least.y) }}>
              {card && <Card card={card} first={at === 0} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Whether a thing or one of its answers is pointed at. */
function isPointed(pointed: Pointed | null, options: readonly number[], piece?: number, space?: string): boolean {
  if (!pointed) return false;
  if (pointed.option !== undefined) return options.includes(pointed.option);
  return (piece !== undefined && pointed.piece === piece) || (space !== undefined && pointed.space === space);
}

/** Milliseconds that a finger rests until a thing is told of instead of taken. */
const LONG = 450;

/** Most figures that are drawn on a card; a figure with more letters than the first has lines of its own, and with more than the second none. All stand where the card is told of. */
const FIGURES = 6;
const LETTERS = 22;
const MOST_LETTERS = 44;

/** The figures of a card and what it says. */
export function partsOf(card: TableCard): { figures: string[]; text: string[] } {
  const [first, ...text] = card.text ?? [];
  return first === undefined || /[.!?:]$/.test(first) ? { figures: [], text: card.text ?? [] } : { figures: first.split("; "), text };
}

function Card({ card, first }: { card: TableCard; first: boolean }) {
  const doing = useContext(Doing);
  const pointed = useStore(game.pointed);
  const pressed = useRef<{ timer: number; long: boolean }>({ timer: 0, long: false });
  const options = doing.byPiece.get(card.piece) ?? [];
  const refused = options.length ? [] : (doing.refused.get(card.piece) ?? []);
  const { figures, text } = partsOf(card);
  const drawn = figures.filter((figure) => figure.length <= MOST_LETTERS).slice(0, FIGURES);
  const states = ["card"];
  if (options.length) states.push("can");
  else if (refused.length) states.push("cannot");
  if (isPointed(pointed, options, card.piece)) states.push("pointed");
  if (doing.hint !== null && options.includes(doing.hint)) states.push("hinted");
  const isChosen = doing.chosen?.pieces?.includes(card.piece) ?? false;
  if (isChosen) states.push("chosen");
  const point = (): void => game.pointed.set({ piece: card.piece });
  const what = options.length === 1 ? doing.options[options[0] ?? 0]?.words : options.length ? `${options.length} answers` : refused.length ? `not now: ${refused[0]?.reasons[0] ?? ""}` : "";
  return (
    <button
      type="button"
      data-thing
      class={states.join(" ")}
      style={{ "--hue": String(hueOf(card.kind)) }}
      tabIndex={first ? 0 : -1}
      aria-haspopup={options.length > 1 ? "menu" : undefined}
      onMouseEnter={point}
      onFocus={point}
      onPointerDown={(event) => {
        if (event.pointerType !== "touch") return;
        pressed.current = { timer: setTimeout(() => ((pressed.current.long = true), point()), LONG) as unknown as number, long: false };
      }}
      onPointerUp={() => clearTimeout(pressed.current.timer)}
      onPointerCancel={() => clearTimeout(pressed.current.timer)}
      onContextMenu={(event) => pressed.current.timer && event.preventDefault()}
      onClick={(event) => {
        if (pressed.current.long) {
          pressed.current.long = false;
          return;
        }
        const box = event.currentTarget.getBoundingClientRect();
        if (options.length) doing.choose(options, box.left, box.bottom);
        else point();
      }}
    >
      <span class="kind">{card.kind}</span>
      <span class="name">{card.name}</span>
      {figures.length > 0 && (
        <span class="figures">
          {drawn.map((figure) => (
            <span key={figure} class={figure.length > LETTERS ? "long" : undefined}>
              {figure}
            </span>
          ))}
          {figures.length > drawn.length && <span>…</span>}
        </span>
      )}
      {text.length > 0 && <span class="says">{text.join(" ")}</span>}
      {(card.notes?.length ?? 0) > 0 && (
        <span class="notes">
          {card.notes?.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
      )}
      {what && <span class={options.length ? "do" : "unseen"}>{what}</span>}
      {isChosen && <span class="do">chosen: {doing.chosen?.words}</span>}
    </button>
  );
}

/** A board that the program has drawn. Its spaces are buttons if something can be done there. */
function Board({ svg, title }: { svg: string; title: string }) {
  const host = useRef<HTMLDivElement>(null);
  const doing = useContext(Doing);
  const latest = useRef(doing);
  latest.current = doing;
  const pointed = useStore(game.pointed);

  useEffect(() => {
    const picture = readPicture(svg);
    if (!picture || !host.current) return;
    const rect = picture.querySelector(":scope > rect");
    rect?.setAttribute("fill", "none");
    picture.setAttribute("class", "picture");
    host.current.replaceChildren(picture);
  }, [svg]);

  useEffect(() => {
    const spaces = [...(host.current?.querySelectorAll<SVGElement>("[data-space]") ?? [])];
    const canDo = spaces.filter((space) => doing.bySpace.has(space.dataset.space ?? ""));
    host.current?.querySelector("svg")?.setAttribute("role", canDo.length ? "group" : "img");
    host.current?.querySelector("svg")?.setAttribute("aria-label", title);
    for (const space of spaces) {
      const key = space.dataset.space ?? "";
      const options = doing.bySpace.get(key);
      const words = space.querySelector("title")?.textContent ?? key;
      space.classList.toggle("can", options !== undefined);
      space.classList.toggle("chosen", doing.chosen?.spaces?.includes(key) ?? false);
      space.classList.toggle("hinted", options !== undefined && doing.hint !== null && options.includes(doing.hint));
      if (options) {
        space.setAttribute("role", "button");
        space.setAttribute("aria-label", `${words}: ${options.length === 1 ? doing.options[options[0] ?? 0]?.words : `${options.length} answers`}`);
        space.setAttribute("tabindex", space === canDo[0] ? "0" : "-1");
        space.setAttribute("data-thing", "");
      } else {
        for (const name of ["role", "tabindex", "data-thing", "aria-label"]) space.removeAttribute(name);
      }
    }
  }, [svg, doing, title]);

  useEffect(() => {
    for (const space of host.current?.querySelectorAll<SVGElement>("[data-space]") ?? []) {
      const key = space.dataset.space ?? "";
      space.classList.toggle("pointed", isPointed(pointed, doing.bySpace.get(key) ?? [], undefined, key));
    }
  }, [pointed, svg, doing]);

  const spaceOf = (event: Event): SVGElement | null => (event.target as Element).closest<SVGElement>("[data-space]");
  const choose = (event: Event): void => {
    const space = spaceOf(event);
    const options = latest.current.bySpace.get(space?.dataset.space ?? "");
    if (!space || !options) return;
    event.preventDefault();
    const box = space.getBoundingClientRect();
    latest.current.choose(options, box.left, box.bottom);
  };
  const point = (event: Event): void => {
    const space = spaceOf(event)?.dataset.space;
    if (space && game.pointed.value?.space !== space) game.pointed.set({ space });
  };
  return (
    <div class="scroll" tabIndex={-1}>
      <div
        class="board"
        ref={host}
        onClick={choose}
        onPointerOver={point}
        onFocusIn={point}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === " ") choose(event);
          else arrows(event);
        }}
      />
    </div>
  );
}
