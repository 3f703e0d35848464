/**
 * Reports that were deleted, or are being deleted from here. Every list leaves them out, so no loaded page has to be
 * changed. They are recorded under a key per server and kind.
 */
import { subscribers } from '../../subscribers.ts';
import type { Server } from '../../transport/server.ts';

/** `gone` from the server, or `waiting` to be deleted from here. */
export type Tombstones = ReadonlyMap<number, 'gone' | 'waiting'>;

export const deletionsKeyOf = (serverId: string, of: string) =>
  of === 'report' ? serverId : `${serverId} ${of}`;

/** The sequence number of a deletion, and when it was sent. */
type SentDeletion = { turn: number; sentAt: number };

export type DeletedReports = ReturnType<typeof deletedReports>;

const none: Tombstones = new Map();

export function deletedReports() {
  const tombstones = new Map<string, Tombstones>();
  const sent: (SentDeletion & { serverId: string; id: number; doneAt: number })[] = [];
  const { subscribe, notify } = subscribers();

  const of = (serverId: string) => tombstones.get(serverId) ?? none;

  function change(serverId: string, edit: (stones: Map<number, 'gone' | 'waiting'>) => void) {
    const next = new Map(of(serverId));
    edit(next);
    tombstones.set(serverId, next);
    notify();
  }

  function addTombstones(serverId: string, reportIds: readonly number[], how: 'gone' | 'waiting') {
    change(serverId, (stones) => {
      for (const id of reportIds) stones.set(id, how);
    });
  }

  function restore(serverId: string, reportIds: readonly number[]) {
    change(serverId, (stones) => {
      for (const id of reportIds) stones.delete(id);
    });
  }

  return {
    of,
    subscribe,
    bury: addTombstones,
    isDeleting: (serverId: string) => [...of(serverId).values()].includes('waiting'),
    /** Records a deletion that the server has confirmed. */
    confirm(serverId: string, reportId: number, when: SentDeletion) {
      sent.push({ ...when, serverId, id: reportId, doneAt: Date.now() });
    },
    /** Returns the reports whose deletion was sent with this sequence number or later. */
    fromTurn: (serverId: string, turn: number): number[] =>
      sent.flatMap((each) => (each.serverId === serverId && each.turn >= turn ? each.id : [])),
    /** Returns the reports that were deleted from here between two times. */
    between: (serverId: string, from: number, to: number): number[] =>
      sent.flatMap((each) =>
        each.serverId === serverId && each.sentAt > from && each.doneAt < to ? each.id : [],
      ),
    /** Returns whether no deletion has been in flight since a time. */
    isCalmSince: (serverId: string, since: number): boolean =>
      ![...of(serverId).values()].includes('waiting') &&
      !sent.some((each) => each.serverId === serverId && each.doneAt >= since),
    /** Records reports that others have deleted. */
    findGone(serverId: string, reportIds: readonly number[]) {
      if (reportIds.length > 0) addTombstones(serverId, reportIds, 'gone');
    },
    /** Shows reports again that weren't deleted. */
    restore,
  };
}

// A total that is loaded while a deletion is in flight may or may not include it: neither runs during the other.

type Turns = { deletions: Set<Promise<unknown>>; sent: number; count: Promise<unknown> | undefined };

/** Reports of one kind. */
type DeletionQueue = { server: Server; deletionsKey: string };

const turnsOfServer = () => new Map<string, Turns>();

function turnsOf({ server, deletionsKey }: DeletionQueue): Turns {
  const turns = server.state(turnsOfServer);
  const known = turns.get(deletionsKey) ?? { deletions: new Set(), sent: 0, count: undefined };
  turns.set(deletionsKey, known);
  return known;
}

/** Returns the number of deletions sent so far, which a total includes, independent of clocks. */
export const deletionsSent = (of: DeletionQueue): number => turnsOf(of).sent;

/** Returns the same; undefined while some are in flight. */
export const deletionsArrived = (of: DeletionQueue): number | undefined =>
  turnsOf(of).deletions.size === 0 ? deletionsSent(of) : undefined;

/** Sends a deletion with its sequence number, once no count is in flight. */
export async function inDeletion<Reply>(
  of: DeletionQueue,
  send: (turn: number) => Promise<Reply>,
): Promise<Reply> {
  const own = turnsOf(of);
  while (own.count) await own.count;
  const sent = send(own.sent++);
  const settled: Promise<unknown> = sent.catch(() => {}).finally(() => own.deletions.delete(settled));
  own.deletions.add(settled);
  return sent;
}

/** Counts, once no deletion is in flight. `ask` gets the number of deletions sent before. */
export async function inCount<Reply>(
  of: DeletionQueue,
  ask: (deletionsBefore: number) => Promise<Reply>,
): Promise<Reply> {
  const own = turnsOf(of);
  while (own.count) await own.count;
  const request = Promise.all(own.deletions).then(() => ask(own.sent));
  own.count = request
    .catch(() => {})
    .then(() => {
      own.count = undefined;
    });
  return request;
}
