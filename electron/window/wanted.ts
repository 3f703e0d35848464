/** What to show in the window, until its page takes it: the page may not exist yet or be loading. */
import type { Wanted } from '../../shared/bridge.ts';
import type { Shown } from '../../shared/link.ts';

/** @param call focuses a window and tells its page that something is waiting */
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
