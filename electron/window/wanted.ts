/** The view that the window should open, until its page takes it: the page may not exist yet or be loading. */
import type { Wanted } from '../../shared/bridge.ts';
import type { Shown } from '../../shared/link.ts';

/** @param call focuses a window and notifies its page of the pending view */
export function wantedView(call: () => void) {
  let waiting: Wanted | undefined;
  return {
    show(connectionId: string, shown: Shown): void {
      waiting = { connectionId, shown };
      call();
    },

    take(): { wanted?: Wanted } {
      const wanted = waiting;
      waiting = undefined;
      return wanted ? { wanted } : {};
    },
  };
}
