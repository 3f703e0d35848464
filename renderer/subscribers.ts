/** The subscribers of a store, for `useSyncExternalStore`. */
export function subscribers() {
  const listeners = new Set<() => void>();
  return {
    /** Calls the listener on each change, until the returned function is called. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      for (const listener of listeners) listener();
    },
    hasNone: () => listeners.size === 0,
  };
}
