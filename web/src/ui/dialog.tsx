// Windows over the page that wait for an answer.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Store, useStore } from "../store";

/** A window over the page; Escape closes it. */
export function Dialog({ title, onClose, children, wide }: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? "wide" : ""}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet icon" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface Question {
  title: string;
  /** What the field is called; without it only yes and no are asked. */
  field?: string;
  value: string;
  yes: string;
  answer: (value: string | null) => void;
}

const question = new Store<Question | null>(null);

/** Asks for a text; `null` if none is given. */
export function ask(title: string, field: string, value: string): Promise<string | null> {
  return new Promise((answer) => question.set({ title, field, value, yes: "OK", answer }));
}

/** Asks whether something is to be done. */
export function confirmed(title: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => question.set({ title, value: "yes", yes, answer: (value) => resolve(value !== null) }));
}

/** The question that is asked just now. */
export function OpenQuestion() {
  const open = useStore(question);
  return open && <Asked key={open.title} open={open} />;
}

function Asked({ open }: { open: Question }) {
  const [value, setValue] = useState(open.value);
  const answer = (given: string | null): void => {
    question.set(null);
    open.answer(given);
  };
  return (
    <Dialog title={open.title} onClose={() => answer(null)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          answer(value.trim() || null);
        }}
      >
        {open.field && (
          <label>
            {open.field}
            <input autofocus value={value} onInput={(event) => setValue(event.currentTarget.value)} />
          </label>
        )}
        <div class="row end">
          <button type="button" onClick={() => answer(null)}>
            Cancel
          </button>
          <button class="main">{open.yes}</button>
        </div>
      </form>
    </Dialog>
  );
}
