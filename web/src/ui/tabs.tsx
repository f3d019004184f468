// Several things in one place.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

export interface Tab {
  name: string;
  words: string;
  body: () => ComponentChildren;
}

/** Tabs with arrow keys. What was opened once stays as it is behind the others. */
export function Tabs({ label, tabs, chosen, onChoose }: { label: string; tabs: Tab[]; chosen: string; onChoose: (name: string) => void }) {
  const opened = useRef(new Set<string>());
  const list = useRef<HTMLDivElement>(null);
  opened.current.add(chosen);
  const keys = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.name === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={keys}>
        {tabs.map((tab) => (
          <button type="button" role="tab" key={tab.name} id={`tab-${tab.name}`} data-tab={tab.name} aria-selected={tab.name === chosen} aria-controls={`body-${tab.name}`} tabIndex={tab.name === chosen ? 0 : -1} onClick={() => onChoose(tab.name)}>
            {tab.words}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div role="tabpanel" key={tab.name} id={`body-${tab.name}`} aria-labelledby={`tab-${tab.name}`} hidden={tab.name !== chosen} tabIndex={-1}>
          {opened.current.has(tab.name) && tab.body()}
        </div>
      ))}
    </div>
  );
}
