/** What the console keeps on this machine: one value a key, of a known shape, the same in every tab. */
import type { Static, TSchema } from 'typebox';
import { fits } from '../shared/fits.ts';
import { readJson } from '../shared/read-json.ts';

export type Persisted<Kept> = {
  read(): Kept;
  /** Keeps another value; everyone who listens, in this tab and in others, is told. */
  write(next: Kept): void;
  /** Whether it outlives the page: not where the storage has refused it. */
  isKept(): boolean;
  subscribe(listener: () => void): () => void;
  /** Goes back to the fallback and removes the key. */
  forget(): void;
};

const opened = new Map<string, Persisted<unknown>>();

/**
 * What is kept under a key, or the fallback where nothing is. What can't be read (cut off, edited, of another
 * version) is set aside under `<key>.unreadable`, and the fallback takes its place: no screen fails on it.
 */
export function persisted<Schema extends TSchema>(
  key: string,
  schema: Schema,
  fallback: Static<Schema>,
  storage: Storage = localStorage,
): Persisted<Static<Schema>> {
  const kept = opened.get(key) ?? open(key, schema, fallback, storage);
  opened.set(key, kept as Persisted<unknown>);
  return kept as Persisted<Static<Schema>>;
}

/** Removes what is kept for a server, except what its team hasn't received yet. */
export function forgetServerData(serverId: string): void {
  const outbox = `gatehouse.team.${serverId}`;
  // The whole ID: alice@example.org is the end of malice@example.org.
  const isForgotten = (key: string) =>
    key.startsWith('gatehouse.') &&
    !key.startsWith(outbox) &&
    [serverId, `${serverId}.unreadable`].some((end) => key.replace(/ [a-z]+$/, '').endsWith(`.${end}`));
  for (const [key, kept] of opened) if (isForgotten(key)) kept.forget();
  for (const storage of [localStorage, sessionStorage]) {
    attempt(() => {
      for (const key of Object.keys(storage).filter(isForgotten)) storage.removeItem(key);
      if (storage.getItem(outbox) === '[]') storage.removeItem(outbox);
    });
  }
}

function open<Kept>(key: string, schema: TSchema, fallback: Kept, storage: Storage): Persisted<Kept> {
  let kept = load<Kept>(key, schema, storage) ?? fallback;
  let isKept = true;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  // Another tab of the same console changed it, or cleared everything.
  window.addEventListener('storage', (event) => {
    if (event.storageArea !== storage || (event.key !== key && event.key !== null)) return;
    kept = load<Kept>(key, schema, storage) ?? fallback;
    isKept = true;
    tell();
  });

  return {
    read: () => kept,
    write(next) {
      kept = next;
      isKept =
        attempt(() => {
          storage.setItem(key, JSON.stringify(next));
          return true;
        }) === true;
      tell();
    },
    isKept: () => isKept,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    forget() {
      kept = fallback;
      attempt(() => storage.removeItem(key));
      tell();
    },
  };
}

function load<Kept>(key: string, schema: TSchema, storage: Storage): Kept | undefined {
  const text = attempt(() => storage.getItem(key)) ?? null;
  if (text === null) return undefined;
  const value: unknown = attempt(() => readJson(text));
  if (fits(schema, value)) return value as Kept;
  attempt(() => {
    storage.setItem(`${key}.unreadable`, text);
    storage.removeItem(key);
  });
  return undefined;
}

/** A browser can refuse its storage, or have no room left: the value then lasts as long as the page. */
function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
