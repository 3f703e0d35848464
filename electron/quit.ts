/** Quitting waits for what was begun: the console's last changes, then the homeserver's own end. */
import { app } from 'electron';
import type { HomeserverProcess } from './homeserver-process.ts';
import { log } from './log.ts';

/** So long the last changes are waited for; a server that is gone must not keep the app from ending. */
const changesEndWithinMs = 5_000;

type BeforeQuit = {
  /** Resolves when the homeserver's data is in one place; that takes as long as it takes. */
  dataIsWhole: () => Promise<void>;
  /** Resolves when nothing is left that the homeserver has to answer. */
  changesSettled: () => Promise<void>;
};

export function stopBeforeQuit(
  homeserver: HomeserverProcess,
  { dataIsWhole, changesSettled }: BeforeQuit,
): void {
  let stopped = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void dataIsWhole()
      .then(() => settle(changesSettled))
      .catch((error) => log.error('Before the app ended:', error))
      .then(() => homeserver.stop())
      .finally(() => {
        stopped = true;
        app.quit();
      });
  });
}

async function settle(changesSettled: () => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, changesEndWithinMs);
  await Promise.race([changesSettled(), late.promise]);
  clearTimeout(timer);
}
