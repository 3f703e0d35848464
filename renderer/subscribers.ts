import { useSyncExternalStore } from 'react';

/** The subscribers of a store. */
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

type Store = { subscribe(listener: () => void): () => void };

const subscribeToNone = () => () => {};

/** Returns a value of a store, and renders again when it changes. `read` must return a stable reference. */
export function useStoreValue<Value>(store: Store | undefined, read: () => Value): Value {
  return useSyncExternalStore(store?.subscribe ?? subscribeToNone, read, read);
}
