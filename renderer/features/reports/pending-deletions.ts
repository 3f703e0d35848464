/**
 * Deletions that can still be undone. Nothing is sent before the time is over: whoever closes the console
 * in between finds the reports where they were.
 */

export const undoMilliseconds = 6000;

export type Deletion = {
  serverId: string;
  reportIds: readonly number[];
  /** Sends the deletions; called once, when they can no longer be undone. */
  send: () => Promise<void>;
  /** Called when it was undone. */
  restored: () => void;
};

export type PendingDeletions = ReturnType<typeof pendingDeletions>;

export function pendingDeletions() {
  const waiting = new Map<Deletion, ReturnType<typeof setTimeout>>();
  const sending = new Set<Deletion>();
  const listeners = new Set<() => void>();
  const hidden = new Map<string, ReadonlySet<number>>();
  const none: ReadonlySet<number> = new Set();

  function changed(serverId: string) {
    const ofServer = [...waiting.keys(), ...sending].filter((deletion) => deletion.serverId === serverId);
    hidden.set(serverId, new Set(ofServer.flatMap(({ reportIds }) => reportIds)));
    for (const listener of listeners) listener();
  }

  function stopWaiting(deletion: Deletion): boolean {
    clearTimeout(waiting.get(deletion));
    return waiting.delete(deletion);
  }

  async function send(deletion: Deletion) {
    if (!stopWaiting(deletion)) return;
    sending.add(deletion);
    try {
      await deletion.send();
    } finally {
      sending.delete(deletion);
      changed(deletion.serverId);
    }
  }

  function undo(deletion: Deletion) {
    if (!stopWaiting(deletion)) return;
    changed(deletion.serverId);
    deletion.restored();
  }

  return {
    /** The reports that are not to be shown: waiting to be deleted, or on their way. */
    hidden: (serverId: string): ReadonlySet<number> => hidden.get(serverId) ?? none,
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
      changed(deletion.serverId);
    },
    undo,
    undoLatest() {
      const latest = [...waiting.keys()].at(-1);
      if (latest) undo(latest);
    },
    send,
  };
}
