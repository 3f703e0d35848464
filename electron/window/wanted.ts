/** What is to be shown in the window, until its page takes it: there may be none yet, or it is loading. */
import type { Wanted } from '../../shared/bridge.ts';
import type { Shown } from '../../shared/link.ts';

/** @param call brings a window to the front, and tells its page that something waits */
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
