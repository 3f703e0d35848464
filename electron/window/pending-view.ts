/** The view that the window should open, until its page takes it: the page may not exist yet or be loading. */
import type { PendingView } from '../../shared/bridge.ts';
import type { LinkTarget } from '../../shared/link.ts';

/** @param call focuses a window and notifies its page of the pending view */
export function pendingView(call: () => void) {
  let waiting: PendingView | undefined;
  return {
    show(connectionId: string, shown: LinkTarget): void {
      waiting = { connectionId, shown };
      call();
    },

    take(): { wanted?: PendingView } {
      const wanted = waiting;
      waiting = undefined;
      return wanted ? { wanted } : {};
    },
  };
}
