/**
 * Quitting waits for pending requests of the console, then for the homeserver. If the user starts the app in the
 * meantime, it reopens.
 */

import { once } from 'node:events';
import { app } from 'electron';
import { linkAmong } from '../shared/link.ts';
import type { HomeserverProcess } from './homeserver/homeserver-process.ts';
import { log } from './log.ts';
import { program } from './program.ts';

/**
 * Called when the shutdown starts.
 *
 * @returns call it at the end: it starts the app again if requested
 */
function noteWhoOpens(): () => void {
  let relaunchArgs: string[] | undefined;
  const own = process.argv.slice(1);
  app.on('second-instance', (_event, argv) => {
    // A pending link is kept for the reopened app.
    if (linkAmong(argv) === undefined && relaunchArgs && linkAmong(relaunchArgs) !== undefined) return;
    relaunchArgs = argv.slice(1);
  });
  app.on('open-url', (_event, link) => {
    relaunchArgs = [...own, link];
  });
  app.on('activate', () => {
    relaunchArgs ??= own;
  });
  return () => {
    if (relaunchArgs) app.relaunch({ args: relaunchArgs, execPath: program() });
  };
}

/** Timeout for pending requests, because a server may be unreachable. */
const changesEndWithinMs = 5_000;

let isStopping = false;

/** Whether the app is about to exit: new windows would be closed at once. */
export const isQuitting = () => isStopping;

type BeforeQuit = {
  /** Resolves when the homeserver's data is consistent, however long that takes. */
  dataIsWhole: () => Promise<void>;
  /** Resolves when the homeserver has nothing left to answer; a `late` result is ignored. */
  changesSettled: (late: AbortSignal) => Promise<void>;
  /** Whether an update is installed after the exit: an app that reopens in the meantime would interfere. */
  isReplaced: () => boolean;
  /** Resolves when the update is ready for installation. */
  updatePrepared: () => Promise<void>;
};

/**
 * Registered together with the homeserver, because the rest of the start may wait for the user.
 *
 * @returns adds further steps once known
 */
export function stopBeforeQuit(homeserver: HomeserverProcess): (before: BeforeQuit) => void {
  let before: BeforeQuit | undefined;
  let stopped = false;
  const stop = async () => {
    try {
      await before?.dataIsWhole();
      if (before) await settle(before.changesSettled);
    } catch (error) {
      log.error('quit: waiting for running changes failed:', error);
    }
    await homeserver.end();
    await before?.updatePrepared();
  };
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    // Asked only once: a homeserver that is already stopping would report no tasks.
    if (isStopping) return;
    isStopping = true;
    const openAgain = noteWhoOpens();
    void stop().finally(() => {
      stopped = true;
      if (!before?.isReplaced()) openAgain();
      app.quit();
    });
  });
  return (known) => {
    before = known;
  };
}

async function settle(changesSettled: BeforeQuit['changesSettled']): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), changesEndWithinMs);
  await Promise.race([changesSettled(late.signal), once(late.signal, 'abort')]);
  clearTimeout(timer);
  if (late.signal.aborted) log.warn('quit: some changes were still running');
}
