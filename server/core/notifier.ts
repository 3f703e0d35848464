/**
 * Waking those whom something concerns, in this process and in every other that serves the same database.
 *
 * A wake says "look again", and nothing else: what there is to be seen stands in the database. It may come late, twice
 * or, when a process dies or a connection breaks at the wrong moment, never. So whoever waits for one also looks
 * without one every few seconds; a lost wake then costs time, and never truth. The order that makes this sound is:
 * begin to wait, look, and only then let time pass, as `waitFor` does it.
 *
 * A `/sync` waits like this for a room's events: who appends some calls `wake('rooms', roomId)` once the transaction
 * is through, a waiting request calls `waitFor('rooms', …)` for the rooms of its user, reads up to the settled place
 * (`rooms/settled-place.ts`) and sleeps on `next`. A topic is added to `Topic` by the feature that wakes it.
 */
import { type Clock, pause } from './clock.ts';

export type Topic =
  /** Tasks to be begun. */
  | 'tasks'
  | 'background updates'
  /** Uploads that have come, by their identifiers. */
  | 'media';

export type Notifier = {
  /**
   * Wakes whoever listens to a topic: here at once, elsewhere within milliseconds where everything is well. To be
   * called after the commit of what there is to be seen, or who is woken looks too early.
   *
   * @param key what it concerns, such as an identifier
   */
  wake(topic: Topic, key?: string): void;
  /**
   * Calls back whenever a topic is woken, with the key; without one where it may concern anything. The function that
   * it gives ends that.
   */
  listen(topic: Topic, woken: (key: string | undefined) => void): () => void;
  /** Begins to wait for what concerns a key. To be ended by whoever asked for it. */
  waitFor(topic: Topic, key: string): Waiting;
  /** Takes messages of other processes, and gives its own to `send`, until the function that it gives is called. */
  connect(send: (message: string) => Promise<void>): Connected;
};

export type Waiting = {
  /** Waits for the next wake, or one that came since the last call, and no longer than so many milliseconds. */
  next(milliseconds: number, signal: AbortSignal): Promise<void>;
  end(): void;
};

export type Connected = {
  receive(message: string): void;
  /** Wakes everybody: messages may have been missed. */
  catchUp(): void;
};

type Wake = readonly [topic: Topic, key?: string];

/** PostgreSQL carries no more than 8,000 bytes in one message. */
const longestMessage = 7_500;
const everything = 'everything';

/** @param name tells this process's messages from those of others */
export function createNotifier(clock: Clock, name: string): Notifier {
  const listeners = new Map<Topic, Set<(key: string | undefined) => void>>();
  /** What is still to be told to others. */
  const outgoing = new Map<string, Wake>();
  let send: ((message: string) => Promise<void>) | undefined;
  let isSending = false;

  const wakeHere = (topic: Topic, key: string | undefined) => {
    for (const woken of [...(listeners.get(topic) ?? [])]) woken(key);
  };

  const catchUp = () => {
    for (const topic of listeners.keys()) wakeHere(topic, undefined);
  };

  /** One message at a time: what comes meanwhile goes together. One that doesn't get through is not sent again. */
  async function sendAll(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (send && outgoing.size > 0) {
      const wakes = JSON.stringify([...outgoing.values()]);
      outgoing.clear();
      const isShort = Buffer.byteLength(wakes) <= longestMessage;
      await send(`${name} ${isShort ? wakes : everything}`).catch(() => {});
    }
    isSending = false;
  }

  const notifier: Notifier = {
    wake(topic, key) {
      wakeHere(topic, key);
      if (!send) return;
      const wake: Wake = key === undefined ? [topic] : [topic, key];
      outgoing.set(JSON.stringify(wake), wake);
      void sendAll();
    },
    listen(topic, woken) {
      const own = listeners.get(topic) ?? new Set();
      listeners.set(topic, own.add(woken));
      return () => own.delete(woken);
    },
    waitFor(topic, key) {
      let woken = new AbortController();
      const end = notifier.listen(topic, (found) => {
        if (found === undefined || found === key) woken.abort();
      });
      return {
        async next(milliseconds, signal) {
          await pause(clock, milliseconds, AbortSignal.any([signal, woken.signal]));
          if (woken.signal.aborted) woken = new AbortController();
        },
        end,
      };
    },
    connect(to) {
      send = to;
      return {
        catchUp,
        receive(message) {
          const [from = '', text = ''] = message.split(/ (.*)/s);
          if (from === name) return;
          if (text === everything) return catchUp();
          for (const [topic, key] of JSON.parse(text) as Wake[]) wakeHere(topic, key);
        },
      };
    },
  };
  return notifier;
}
