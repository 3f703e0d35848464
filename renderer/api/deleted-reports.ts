/**
 * Reports that were deleted here, or are about to be. They are left out wherever a list is shown, whatever
 * page holds them and whenever it came: nothing that is loaded has to be taken apart.
 */

const undoMilliseconds = 6000;
/** Browsers let so many requests, and not many more, outlive the page that sends them. */
export const mostWithClosing = 200;

/** In the log, of what the server had no more when it was asked to delete it. */
export const wasGone = 'was gone already';

/** Reports that are gone from the server, and those that will be unless it is undone. */
export type Tombstones = ReadonlyMap<number, 'gone' | 'waiting'>;

export type Deletion = {
  serverId: string;
  reportIds: readonly number[];
  /** Sends it; called once, when it can no longer be undone. `closing` says that the page goes away. */
  send: (closing: boolean) => Promise<unknown>;
  /** Called when it was undone. */
  restored: () => void;
};

/** When one was sent: its turn among those of its server, and the time. */
type Sent = { turn: number; sentAt: number };

export type DeletedReports = ReturnType<typeof deletedReports>;

const none: Tombstones = new Map();

export function deletedReports() {
  const waiting = new Map<Deletion, ReturnType<typeof setTimeout>>();
  const tombstones = new Map<string, Tombstones>();
  const sent: (Sent & { serverId: string; id: number; doneAt: number; wasThere: boolean })[] = [];
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

  function stopWaiting(deletion: Deletion): boolean {
    clearTimeout(waiting.get(deletion));
    return waiting.delete(deletion);
  }

  function send(deletion: Deletion, closing = false) {
    if (stopWaiting(deletion)) void deletion.send(closing);
  }

  function undo(deletion: Deletion) {
    if (!stopWaiting(deletion)) return;
    restore(deletion.serverId, deletion.reportIds);
    deletion.restored();
  }

  return {
    of,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Begins the time in which it can be undone. */
    begin(deletion: Deletion) {
      waiting.set(
        deletion,
        setTimeout(() => send(deletion), undoMilliseconds),
      );
      bury(deletion.serverId, deletion.reportIds, 'waiting');
    },
    send,
    bury,
    /** Whether reports of a server are about to be deleted. */
    isDeleting: (serverId: string) => [...of(serverId).values()].includes('waiting'),
    /** Whether more is to be sent than leaves with a page that closes. */
    isTooMuchToLeave() {
      let count = 0;
      for (const { reportIds } of waiting.keys()) count += reportIds.length;
      return count > mostWithClosing;
    },
    /** The page closes: what waited for its undo goes out now. */
    sendAll() {
      for (const deletion of [...waiting.keys()]) send(deletion, true);
    },
    undo,
    /** The server has it no more; `wasThere` is whether it still had it when it was asked to delete it. */
    confirm(serverId: string, reportId: number, when: Sent, wasThere: boolean) {
      sent.push({ ...when, serverId, id: reportId, doneAt: Date.now(), wasThere });
      bury(serverId, [reportId], 'gone');
    },
    /** Those that were gone already when the server was asked to delete them from here. */
    goneBefore: (serverId: string): ReadonlySet<number> =>
      new Set(sent.flatMap((each) => (each.serverId === serverId && !each.wasThere ? each.id : []))),
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
