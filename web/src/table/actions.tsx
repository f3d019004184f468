// What is asked, and all that can be answered.
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { View } from "../protocol";
import { useStore } from "../store";
import { game } from "./game";
import { Doing, partsOf } from "./things";

/** Beyond so many answers one can search among them. */
const MANY = 14;

/** The question and its answers. */
export function Actions({ view, onTable }: { view: View; onTable: ReadonlySet<number> }) {
  const thinking = useStore(game.thinking);
  const hint = useStore(game.hint);
  const [letters, setLetters] = useState("");
  const asked = view.asked;
  const isLooking = game.isLooking(view);
  const question = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    setLetters("");
    // The answer that had the focus is gone: the next question takes it, so that the Tab key goes on from there.
    if (document.activeElement === document.body) question.current?.focus({ preventScroll: true });
  }, [view.answered]);
  if (view.over && !isLooking) return <p class="question">The game is over.</p>;
  if (!asked) return <p class="question">…</p>;
  const mine = asked.player === "human" && asked.options.length > 0;
  const who = view.seats[asked.seat]?.name ?? "";
  if (!mine || isLooking) {
    return (
      <div>
        <p class="question" aria-busy={thinking}>
          <b>{who}</b> {isLooking ? "was asked" : "is asked"}: {asked.question}
        </p>
        {isLooking && <Options view={view} indices={chosenFirst(asked)} letters="" />}
      </div>
    );
  }
  const matching = asked.options.flatMap((option, at) => (`${option.words} ${option.key} ${option.note ?? ""}`.toLowerCase().includes(letters.toLowerCase()) ? [at] : []));
  const buttons = matching.filter((at) => !onTable.has(at));
  const things = matching.filter((at) => onTable.has(at));
  return (
    <div>
      <p class="question" tabIndex={-1} ref={question}>
        <b>{who}</b>: {asked.question}
      </p>
      {hint && (
        <p class="hint" role="note">
          Hint: {hint.words}
          {hint.why && <small>{hint.why}</small>}
        </p>
      )}
      {asked.options.length > MANY && <input type="search" aria-label="Search answers" placeholder={`Search ${asked.options.length} answers`} value={letters} onInput={(event) => setLetters(event.currentTarget.value)} />}
      <Options view={view} indices={buttons} letters={letters} />
      {things.length > 0 && (
        <details class="more" open={letters !== "" || buttons.length === 0 || things.length <= 6}>
          <summary>
            {things.length} on the things of the table
          </summary>
          <Options view={view} indices={things} letters={letters} />
        </details>
      )}
      {!matching.length && <p class="empty">No answer has that in it.</p>}
      {(asked.refused?.length ?? 0) > 0 && <Refused view={view} />}
    </div>
  );
}

/** All answers, the one that was chosen first. */
function chosenFirst({ options, chosen }: { options: readonly unknown[]; chosen: number | null }): number[] {
  const all = options.map((_, at) => at);
  return chosen === null ? all : [chosen, ...all.filter((at) => at !== chosen)];
}

function Options({ view, indices, letters }: { view: View; indices: readonly number[]; letters: string }) {
  const { hint, spaces } = useContext(Doing);
  const pointed = useStore(game.pointed);
  const options = view.asked?.options ?? [];
  const isLooking = game.isLooking(view);
  const chosen = isLooking ? view.asked?.chosen : null;
  return (
    <ul class="options" data-letters={letters}>
      {indices.map((at) => {
        const option = options[at];
        if (!option) return null;
        const point = (): void => game.pointed.set({ option: at });
        return (
          <li key={`${at}:${option.key}`}>
            <button type="button" class={`option ${hint === at ? "hinted" : ""} ${pointed?.option === at ? "pointed" : ""} ${chosen === at ? "chosen" : ""}`} disabled={isLooking} onMouseEnter={point} onFocus={point} onClick={() => game.answer(at)}>
              <span>{option.words}</span>
              {chosen === at && <b class="tag">chosen</b>}
              {option.spaces?.map((space) => spaces.get(space) && <small key={space}>{spaces.get(space)?.replace(`${option.words}: `, "")}</small>)}
              {option.note && <small>{option.note}</small>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Refused({ view }: { view: View }) {
  const refused = view.asked?.refused ?? [];
  return (
    <details class="more refused">
      <summary>{refused.length} not possible now, and why</summary>
      <ul class="options">
        {refused.map((one) => (
          <li key={one.key}>
            <button type="button" class="option no" onMouseEnter={() => game.pointed.set({ refused: one.key })} onFocus={() => game.pointed.set({ refused: one.key })} onClick={() => game.pointed.set({ refused: one.key })}>
              <span>{one.words}</span>
              {one.reasons.slice(0, 1).map((reason) => (
                <small key={reason}>{reason}</small>
              ))}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What is pointed at: its text, what an answer would change, why something is refused. */
export function Inspector({ view }: { view: View }) {
  const pointed = useStore(game.pointed);
  const doing = useContext(Doing);
  const cards = view.areas.flatMap((section) => section.places.flatMap((place) => place.cards ?? []));
  const options = view.asked?.options ?? [];
  const chosen = pointed?.option !== undefined ? options[pointed.option] : undefined;
  const piece = pointed?.piece ?? chosen?.pieces?.[0];
  const refusedOption = pointed?.refused !== undefined ? view.asked?.refused?.find((one) => one.key === pointed.refused) : undefined;
  const card = cards.find((one) => one.piece === (piece ?? refusedOption?.pieces?.[0]));
  const indices = pointed?.option !== undefined ? [pointed.option] : pointed?.piece !== undefined ? (doing.byPiece.get(pointed.piece) ?? []) : pointed?.space !== undefined ? (doing.bySpace.get(pointed.space) ?? []) : [];
  const refused = refusedOption ? [refusedOption] : indices.length || pointed?.piece === undefined ? [] : (doing.refused.get(pointed.piece) ?? []);
  const isLooking = game.isLooking(view);
  const parts = card ? partsOf(card) : { figures: [], text: [] };
  if (!card && !indices.length && !refused.length) return <p class="empty">Point at a card or an answer: here you see what it is and what it would change.</p>;
  return (
    <div class="inspected">
      {card && (
        <>
          <h3>
            {card.name} <small>{card.kind}</small>
          </h3>
          {parts.figures.length > 0 && <p class="figures">{parts.figures.map((figure) => <span key={figure}>{figure}</span>)}</p>}
          {parts.text.map((line) => <p key={line}>{line}</p>)}
        </>
      )}
      {!isLooking && indices.slice(0, 3).map((at) => <Changes key={`${view.answered}:${at}`} option={at} words={options[at]?.words ?? ""} />)}
      {indices.length > 3 && <p class="quiet">and {indices.length - 3} more answers</p>}
      {refused.map((one) => (
        <div key={one.key} class="why">
          <h4>not now: {one.words}</h4>
          <ul>
            {one.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function Changes({ option, words }: { option: number; words: string }) {
  const [lines, setLines] = useState<string[] | null>(null);
  const timer = useRef(0);
  useEffect(() => {
    let gone = false;
    timer.current = setTimeout(() => {
      game.changes(option).then(
        (found) => gone || setLines(found),
        (error: Error) => gone || setLines([error.message]),
      );
    }, 120) as unknown as number;
    return () => {
      gone = true;
      clearTimeout(timer.current);
    };
  }, [option]);
  return (
    <div class="changes">
      <h4>{words}</h4>
      {lines === null ? <p class="quiet">…</p> : lines.length ? <ul>{lines.slice(0, 12).map((line) => <li key={line}>{line.replace(" -> ", " → ")}</li>)}</ul> : <p class="quiet">changes nothing at once</p>}
      {(lines?.length ?? 0) > 12 && <p class="quiet">and {(lines?.length ?? 0) - 12} more changes</p>}
    </div>
  );
}
