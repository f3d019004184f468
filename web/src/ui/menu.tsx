// A small menu at a place, for what has several answers.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

export interface MenuItem {
  words: string;
  note?: string;
  act: () => void;
}

/** A menu that goes away when one is chosen, on Escape, and when something else is touched. */
export function Menu({ label, items, x, y, onClose }: { label: string; items: MenuItem[]; x: number; y: number; onClose: () => void }) {
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const { width, height } = box.getBoundingClientRect();
    box.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    box.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  }, [x, y, items]);

  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    list.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const outside = (event: Event): void => {
      if (!list.current?.contains(event.target as Node)) onClose();
    };
    document.addEventListener("pointerdown", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      if (document.activeElement === document.body || list.current?.contains(document.activeElement)) before?.focus();
    };
  }, []);

  const keys = (event: KeyboardEvent): void => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[(to + all.length) % all.length]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      onClose();
    }
  };

  return (
    <div class="menu" role="menu" aria-label={label} ref={list} onKeyDown={keys}>
      {items.map((item) => (
        <button
          key={item.words}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            item.act();
          }}
        >
          <span>{item.words}</span>
          {item.note && <small>{item.note}</small>}
        </button>
      ))}
    </div>
  );
}
