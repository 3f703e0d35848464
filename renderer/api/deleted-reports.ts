/**
 * Reports on events that were deleted here, or are being deleted. Every list leaves them out, so no loaded page has to
 * be changed.
 */

/** `gone` from the server, or `waiting` to be. */
export type Tombstones = ReadonlyMap<number, 'gone' | 'waiting'>;

/** When one was sent: its turn among those of its server, and the time. */
type Sent = { turn: number; sentAt: number };

export type DeletedReports = ReturnType<typeof deletedReports>;

const none: Tombstones = new Map();

export function deletedReports() {
  const tombstones = new Map<string, Tombstones>();
  const sent: (Sent & { serverId: string; id: number; doneAt: number })[] = [];
  const listeners = new Set<() => void>();

  const of = (serverId: string) => tombstones.get(serverId) ?? none;

  function change(serverId: string, edit: (stones: Map<number, 'gone' | 'waiting'>) => void) {
    const next = new Map(of(serverId));
    edit(next);
    tombstones.set(serverId, next);
    for (const listener of listeners) listener();
  }

  function bury(serverId: string, reportIds: readonly number[], how: 'gone' | 'waiting') {
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
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    bury,
    /** Whether reports of a server are about to be deleted. */
    isDeleting: (serverId: string) => [...of(serverId).values()].includes('waiting'),
    /** The server no longer has it. */
    confirm(serverId: string, reportId: number, when: Sent) {
      sent.push({ ...when, serverId, id: reportId, doneAt: Date.now() });
    },
    /** Those that were deleted from here by what was sent in a turn or after it. */
    fromTurn: (serverId: string, turn: number): number[] =>
      sent.flatMap((each) => (each.serverId === serverId && each.turn >= turn ? each.id : [])),
    /** Those that were deleted from here between two moments, from the request to its reply. */
    between: (serverId: string, from: number, to: number): number[] =>
      sent.flatMap((each) =>
        each.serverId === serverId && each.sentAt > from && each.doneAt < to ? each.id : [],
      ),
    /** Whether none is on its way to be deleted from here, nor has been since then. */
    isCalmSince: (serverId: string, since: number): boolean =>
      ![...of(serverId).values()].includes('waiting') &&
      !sent.some((each) => each.serverId === serverId && each.doneAt >= since),
    /** The server has them no more: others have deleted them. */
    findGone(serverId: string, reportIds: readonly number[]) {
      if (reportIds.length > 0) bury(serverId, reportIds, 'gone');
    },
    /** The server did not delete them. */
    restore,
  };
}
