/**
 * Waking those whom something concerns, in this process and in every other that serves the same database.
 *
 * A wake says "look again", and nothing else: what there is to be seen stands in the database. It may come late, twice
 * or, when a process dies or a connection breaks at the wrong moment, never. So whoever waits for one also looks
 * without one every few seconds; a lost wake then costs time, and never truth. Syncs are too many for that: they look
 * when a process is gone, or joins again, which may not have told what it did last. The order that makes this sound is:
 * begin to wait, look, and only then let time pass, as `waitFor` does it.
 *
 * Who changes something in a transaction wakes with `afterCommit(tx, () => notifier.wake(…))`: what a sync reads is
 * settled by then. A topic is added to `Topic` by the feature that wakes it.
 */
import { readJson } from '../../shared/read-json.ts';
import { type Clock, pause } from './clock.ts';

type Topic =
  /** Tasks to be begun. */
  | 'tasks'
  | 'background updates'
  /** Uploads that have come, by their identifiers. */
  | 'media'
  /** What the members of a room are shown: events, receipts, typing. By the room's identifier. */
  | 'rooms'
  /** Who is in a room, by the room's identifier. To be woken before what else the room is woken for. */
  | 'members'
  /** What concerns one user alone: invitations, account data, messages to devices. By the user's identifier. */
  | 'users';

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

type Waiting = {
  /** Waits for the next wake, or one that came since the last call, and no longer than so many milliseconds. */
  next(milliseconds: number, signal: AbortSignal): Promise<void>;
  end(): void;
};

type Connected = {
  receive(message: string): void;
  /** Wakes everybody here: messages may have been missed. */
  catchUp(): void;
  /** Wakes everybody elsewhere: messages of this process may have gone nowhere. */
  letOthersCatchUp(): Promise<void>;
};

type Wake = readonly [topic: Topic, key?: string];

/** PostgreSQL carries no more than 8,000 bytes in one message. */
const longestMessage = 7_500;
const everything = 'everything';

/** Takes as many wakes as one message carries, the oldest first. */
function takeMessage(outgoing: Map<string, Wake>): string {
  const taken: string[] = [];
  let length = 2;
  for (const wake of outgoing.keys()) {
    length += Buffer.byteLength(wake) + 1;
    if (length > longestMessage) break;
    taken.push(wake);
  }
  if (taken.length === 0) {
    // One that is too long by itself.
    outgoing.clear();
    return everything;
  }
  for (const wake of taken) outgoing.delete(wake);
  return `[${taken.join()}]`;
}

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
      const message = takeMessage(outgoing);
      await send(`${name} ${message}`).catch(() => {});
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
        letOthersCatchUp: () => to(`${name} ${everything}`),
        receive(message) {
          const [from = '', text = ''] = message.split(/ (.*)/s);
          if (from === name) return;
          if (text === everything) return catchUp();
          for (const [topic, key] of readJson(text) as Wake[]) wakeHere(topic, key);
        },
      };
    },
  };
  return notifier;
}
