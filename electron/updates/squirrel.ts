/** Squirrel, which installs updates on macOS at the next exit. */
import { once } from 'node:events';

const takesWithinMs = 60_000;

/** Whether Squirrel installs updates on this platform. */
export const isThere = () => process.platform === 'darwin';

/**
 * Hands over a download.
 *
 * @throws Error if it is refused or takes over a minute
 */
export async function handOver(): Promise<void> {
  const { autoUpdater } = await import('electron');
  const taken = once(autoUpdater, 'update-downloaded', { signal: AbortSignal.timeout(takesWithinMs) });
  autoUpdater.checkForUpdates();
  await taken;
}
