// A value that is shown: who uses it is drawn anew when it changes.
import { useEffect, useState } from "preact/hooks";

/** A value with listeners. */
export class Store<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private held: T) {}

  get value(): T {
    return this.held;
  }

  set(value: T): void {
    if (value === this.held) return;
    this.held = value;
    for (const listener of [...this.listeners]) listener(value);
  }

  /** Calls a listener at each change, until the returned function is called. */
  listen(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The value of a store, in a component. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    setValue(() => store.value);
    return store.listen((value) => setValue(() => value));
  }, [store]);
  return value;
}
