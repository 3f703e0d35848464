/** Values that the console stores on this device, each with a schema, shared by all tabs. */
import type { Static, TSchema } from 'typebox';
import { fits } from '../shared/fits.ts';
import { readJson } from '../shared/read-json.ts';
import { subscribers } from './subscribers.ts';

type Persisted<Value> = {
  read(): Value;
  write(next: Value): void;
  /** Whether it survives a reload: not if the storage refused it. */
  isKept(): boolean;
  /** Calls the listener on changes in any tab. */
  subscribe(listener: () => void): () => void;
  /** Restores the fallback and removes the key. */
  forget(): void;
};

export type DeviceStorage = ReturnType<typeof openDeviceStorage>;

export function openDeviceStorage(storages: { local: Storage; session: Storage }) {
  const opened = new Map<string, ReturnType<typeof persisted<TSchema>>>();
  return {
    /**
     * Returns the value of a key, or the fallback if there is none. An unreadable value (cut off, edited, of another
     * version) is set aside under `<key>.unreadable`.
     *
     * @param storage `session`: for this tab only
     */
    open<Schema extends TSchema>(
      key: string,
      schema: Schema,
      fallback: Static<Schema>,
      storage: 'local' | 'session' = 'local',
    ): Persisted<Static<Schema>> {
      const kept = opened.get(key) ?? persisted(key, schema, fallback, storages[storage]);
      opened.set(key, kept);
      return kept as Persisted<Static<Schema>>;
    },
    /** Removes a server's values, except entries that its team hasn't received yet. */
    forgetServer(serverId: string) {
      const outbox = `gatehouse.team.${serverId}`;
      // Keys of any account: the ID of another one can end like this one's.
      const isOutbox = /^gatehouse\.team\.(?!later\.)/;
      // The whole ID: alice@example.org is the end of malice@example.org.
      const isForgotten = (key: string) =>
        key.startsWith('gatehouse.') &&
        !isOutbox.test(key) &&
        [serverId, `${serverId}.unreadable`].some((end) => key.replace(/ [a-z]+$/, '').endsWith(`.${end}`));
      for (const [key, kept] of opened) if (isForgotten(key)) kept.forget();
      for (const storage of Object.values(storages)) {
        attempt(() => {
          for (const key of Object.keys(storage).filter(isForgotten)) storage.removeItem(key);
          if (storage.getItem(outbox) === '[]') storage.removeItem(outbox);
        });
      }
    },
    close() {
      for (const kept of opened.values()) kept.close();
    },
  };
}

export function persisted<Schema extends TSchema>(
  key: string,
  schema: Schema,
  fallback: Static<Schema>,
  storage: Storage,
): Persisted<Static<Schema>> & { close(): void } {
  let value = load(key, schema, storage) ?? fallback;
  let isKept = true;
  const { subscribe, notify } = subscribers();

  // Another tab changed it, or cleared the storage.
  const onStorage = (event: StorageEvent) => {
    if (event.storageArea !== storage || (event.key !== key && event.key !== null)) return;
    value = load(key, schema, storage) ?? fallback;
    isKept = true;
    notify();
  };
  window.addEventListener('storage', onStorage);

  return {
    read: () => value,
    write(next) {
      value = next;
      isKept =
        attempt(() => {
          storage.setItem(key, JSON.stringify(next));
          return true;
        }) === true;
      notify();
    },
    isKept: () => isKept,
    subscribe,
    forget() {
      value = fallback;
      attempt(() => storage.removeItem(key));
      notify();
    },
    close: () => window.removeEventListener('storage', onStorage),
  };
}

function load<Schema extends TSchema>(
  key: string,
  schema: Schema,
  storage: Storage,
): Static<Schema> | undefined {
  const text = attempt(() => storage.getItem(key)) ?? null;
  if (text === null) return undefined;
  const value: unknown = attempt(() => readJson(text));
  if (fits(schema, value)) return value;
  attempt(() => {
    storage.setItem(`${key}.unreadable`, text);
    storage.removeItem(key);
  });
  return undefined;
}

/** A browser may refuse storage, or it may be full: the value then lasts as long as the page. */
function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
