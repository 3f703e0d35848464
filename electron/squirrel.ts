/** What puts updates in place on macOS: it does so with what it has got, whatever is wanted when the app ends. */
import { once } from 'node:events';
import { log } from './log.ts';

const takesWithinMs = 60_000;

/** Where the updates are Squirrel's to put in place. */
export const isThere = () => process.platform === 'darwin';

/** Gives it what was downloaded; resolves when it has that, or the app is to end without. */
export async function handOver(): Promise<void> {
  const { autoUpdater } = await import('electron');
  const taken = once(autoUpdater, 'update-downloaded', { signal: AbortSignal.timeout(takesWithinMs) });
  autoUpdater.checkForUpdates();
  await taken.catch((error) => log.warn('The update was not put in place:', error));
}
