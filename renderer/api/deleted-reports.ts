/**
 * Reports that were deleted here, or are about to be. They are left out wherever a list is shown, whatever
 * page holds them and whenever it came: nothing that is loaded has to be taken apart.
 */

const undoMilliseconds = 6000;
/** Browsers let so many requests, and not many more, outlive the page that sends them. */
const mostWithClosing = 200;

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

/** A deletion of which a part was sent. */
export type Sending = {
  /** How many reports are left. */
  left: () => number;
  /** Sends these all at once: the page goes away. */
  sendRest: () => void;
};

export type DeletedReports = ReturnType<typeof deletedReports>;

const none: Tombstones = new Map();

export function deletedReports() {
  const waiting = new Map<Deletion, ReturnType<typeof setTimeout>>();
  const tombstones = new Map<string, Tombstones>();
  const sent = new Map<string, { id: number; at: number; doneAt: number }[]>();
  const listeners = new Set<() => void>();
  const underWay = new Set<Sending>();

  const of = (serverId: string) => tombstones.get(serverId) ?? none;

  function change(serverId: string, edit: (stones: Map<number, 'gone' | 'waiting'>) => void) {
    const next = new Map(of(serverId));
    edit(next);
    tombstones.set(serverId, next);
    for (const listener of listeners) listener();
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
      change(deletion.serverId, (stones) => {
        for (const id of deletion.reportIds) stones.set(id, 'waiting');
      });
    },
    send,
    /** A deletion is being sent, until what is returned is called. */
    follow(sending: Sending) {
      underWay.add(sending);
      return () => void underWay.delete(sending);
    },
    isSending: () => underWay.size > 0,
    /** Whether more is to be sent than leaves with a page that closes. */
    isTooMuchToLeave() {
      const left = [...underWay].map((sending) => sending.left());
      const held = [...waiting.keys()].map(({ reportIds }) => reportIds.length);
      return [...left, ...held].reduce((sum, count) => sum + count, 0) > mostWithClosing;
    },
    /** The page closes: what waited for its undo goes out now, and what is left of what is being sent. */
    sendAll() {
      for (const { sendRest } of underWay) sendRest();
      for (const deletion of [...waiting.keys()]) send(deletion, true);
    },
    undo,
    /** The server has deleted it; `sentAt` is when it was asked to. */
    confirm(serverId: string, reportId: number, sentAt: number) {
      const all = sent.get(serverId) ?? [];
      sent.set(serverId, all);
      all.push({ id: reportId, at: sentAt, doneAt: Date.now() });
      change(serverId, (stones) => stones.set(reportId, 'gone'));
    },
    /** Those that were deleted from here between two moments, from the request to its reply. */
    between: (serverId: string, from: number, to: number): number[] =>
      (sent.get(serverId) ?? []).filter(({ at, doneAt }) => at > from && doneAt < to).map(({ id }) => id),
    /** The server has them no more: others have deleted them. */
    findGone(serverId: string, reportIds: readonly number[]) {
      if (reportIds.length === 0) return;
      change(serverId, (stones) => {
        for (const id of reportIds) stones.set(id, 'gone');
      });
    },
    /** The server did not delete them. */
    restore,
  };
}
