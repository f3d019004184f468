// A file of which two texts are there: the one that was written here, and one that somebody else has kept meanwhile.
import { useState } from "preact/hooks";
import { differences } from "../lines";
import { useStore } from "../store";
import { Dialog } from "../ui/dialog";
import { failure } from "../ui/live";
import { workspace } from "../workspace";

/** Lines that are the same around those that differ. */
const AROUND = 3;

/** Asks which of the two texts of a file is to hold. */
export function Torn({ path }: { path: string }) {
  const torn = useStore(workspace.torn);
  const [seen, setSeen] = useState<string | null>(null);
  const other = torn.get(path);
  if (other === undefined) return null;
  const see = (): void => setSeen(workspace.mine(path) ?? "");
  return (
    <section class="banner" aria-label="Two texts of this file">
      <span>
        {other === null ? "This file was removed elsewhere while you wrote." : "This file was changed elsewhere while you wrote."} What you wrote stays here, and is not kept before you say which is to hold.
      </span>
      <span class="row">
        {other !== null && (
          <button type="button" onClick={see}>
            See what differs
          </button>
        )}
        <button type="button" onClick={() => void workspace.takeOther(path).catch(failure)}>
          {other === null ? "Let it be removed" : "Take the other"}
        </button>
        <button type="button" onClick={() => void workspace.keepMine(path).catch(failure)}>
          Keep mine
        </button>
      </span>
      {seen !== null && <Difference mine={seen} other={other ?? ""} onClose={() => setSeen(null)} />}
    </section>
  );
}

function Difference({ mine, other, onClose }: { mine: string; other: string; onClose: () => void }) {
  const parts = differences(other, mine);
  return (
    <Dialog title="What differs" wide onClose={onClose}>
      <p class="quiet">
        <b>−</b> stands in the other text alone, <b>+</b> in mine alone.
      </p>
      <div class="output difference" tabIndex={0} role="group" aria-label="Lines that differ">
        {parts.map(({ kind, lines }, at) => {
          const isFar = (line: number): boolean => kind === "same" && (at === 0 || line >= AROUND) && (at === parts.length - 1 || line < lines.length - AROUND);
          return lines.map((line, number) =>
            isFar(number) ? (
              (number === 0 || !isFar(number - 1)) && <div class="quiet">…</div>
            ) : (
              <div class={kind}>
                <span>{{ same: " ", gone: "−", new: "+" }[kind]}</span> {line}
              </div>
            ),
          );
        })}
      </div>
    </Dialog>
  );
}
