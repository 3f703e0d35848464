/**
 * Wakes waiting code, in this process and in all others that serve the same database.
 *
 * A wake only means "look again": the data is in the database. It may arrive late, twice or, if a process dies or a
 * connection breaks, never. So workers also look every few seconds: a lost wake costs time, but no correctness. There
 * are too many syncs for that: they look when a process dies or rejoins, which may not have sent its last wakes. The
 * order prevents lost changes: subscribe, look, and only then wait.
 *
 * A transaction wakes with `afterCommit(tx, () => notifier.wake(…))`: its changes are settled by then.
 */
import { readJson } from '../../../shared/read-json.ts';

/** A feature adds the topics that it wakes. */
export type Topic =
  /** Tasks that may be due. */
  | 'tasks'
  | 'background updates'
  /** Finished uploads, by media ID. */
  | 'media'
  /** Data of rooms that members see: events, receipts, typing. By room ID. */
  | 'rooms'
  /** Members of a room, by room ID. Woken before other topics of the same change. */
  | 'members'
  /** Data of one user: invitations, account data, messages to devices. By user ID. */
  | 'users';

export type Notifier = {
  /** Wakes the listeners of a topic: here immediately, elsewhere within milliseconds. Call after the commit. */
  wake(topic: Topic, key?: string): void;
  /**
   * Calls back at each wake of a topic with its key; without one, anything may be new. Returns an unsubscribe function.
   */
  listen(topic: Topic, woken: (key: string | undefined) => void): () => void;
  /** Sends this process's wakes with `send`, and receives those of other processes. */
  connect(send: (message: string) => Promise<void>): Connected;
};

type Connected = {
  receive(message: string): void;
  /** Wakes all listeners here: messages may have been missed. */
  catchUp(): void;
  /** Wakes all listeners elsewhere: messages of this process may have been lost. */
  letOthersCatchUp(): Promise<void>;
};

type Wake = readonly [topic: Topic, key?: string];

/** PostgreSQL limits a message to 8,000 bytes. */
const longestMessage = 7_500;
const everything = 'everything';

/** Takes as many wakes as fit into one message, the oldest first. */
function takeMessage(outgoing: Map<string, Wake>): string {
  const taken: string[] = [];
  let length = 2;
  for (const wake of outgoing.keys()) {
    length += Buffer.byteLength(wake) + 1;
    if (length > longestMessage) break;
    taken.push(wake);
  }
  if (taken.length === 0) {
    // One is too long.
    outgoing.clear();
    return everything;
  }
  for (const wake of taken) outgoing.delete(wake);
  return `[${taken.join()}]`;
}

/** @param process name of this process */
export function createNotifier(process: string): Notifier {
  const listeners = new Map<Topic, Set<(key: string | undefined) => void>>();
  /** Still to be sent, by their JSON. */
  const outgoing = new Map<string, Wake>();
  let send: ((message: string) => Promise<void>) | undefined;
  let isSending = false;

  const wakeHere = (topic: Topic, key: string | undefined) => {
    for (const woken of [...(listeners.get(topic) ?? [])]) woken(key);
  };

  const catchUp = () => {
    for (const topic of listeners.keys()) wakeHere(topic, undefined);
  };

  /** Sends one message at a time: wakes in the meantime share the next one. A lost message isn't sent again. */
  async function sendAll(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (send && outgoing.size > 0) {
      const message = takeMessage(outgoing);
      await send(`${process} ${message}`).catch(() => {});
    }
    isSending = false;
  }

  return {
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
    connect(to) {
      send = to;
      return {
        catchUp,
        letOthersCatchUp: () => to(`${process} ${everything}`),
        receive(message) {
          const [from = '', text = ''] = message.split(/ (.*)/s);
          if (from === process) return;
          if (text === everything) return catchUp();
          for (const [topic, key] of readJson(text) as Wake[]) wakeHere(topic, key);
        },
      };
    },
  };
}
