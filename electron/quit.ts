/** Quitting waits for the homeserver to stop: what it acknowledged is on the disk by then in any case. */
import { app } from 'electron';
import type { HomeserverProcess } from './homeserver-process.ts';

export function stopBeforeQuit(homeserver: HomeserverProcess): void {
  let stopped = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void homeserver.stop().finally(() => {
      stopped = true;
      app.quit();
    });
  });
}
