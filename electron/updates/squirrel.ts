/** What puts updates in place on macOS: it does so with what it has got, whatever is wanted when the app ends. */
import { once } from 'node:events';

const takesWithinMs = 60_000;

/** Where the updates are Squirrel's to put in place. */
export const isThere = () => process.platform === 'darwin';

/** Gives it what was downloaded. @throws Error where it doesn't take that, or not within a minute */
export async function handOver(): Promise<void> {
  const { autoUpdater } = await import('electron');
  const taken = once(autoUpdater, 'update-downloaded', { signal: AbortSignal.timeout(takesWithinMs) });
  autoUpdater.checkForUpdates();
  await taken;
}
