/** How the homeserver's process ends: by itself if it can. */
import type { UtilityProcess } from 'electron';
import type { ToHomeserver } from './homeserver-messages.ts';

const stopsWithinMs = 10_000;
const endsWithinMs = 1_000;

/** Lets it finish what it is doing; ends it where it takes too long. @param ended resolves when it has gone */
export async function endProcess(child: UtilityProcess, ended: Promise<void>): Promise<void> {
  child.postMessage({ type: 'stop' } satisfies ToHomeserver);
  if (await endsWithin(ended, stopsWithinMs)) return;
  child.kill();
  if (await endsWithin(ended, endsWithinMs)) return;
  if (child.pid) process.kill(child.pid, 'SIGKILL');
}

async function endsWithin(end: Promise<void>, milliseconds: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), milliseconds);
  try {
    return await Promise.race([end.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
