/** Who starts the app while it is ending wants to have it: it opens again once it has ended. */

import { once } from 'node:events';
import { app } from 'electron';
import { linkAmong } from '../shared/link.ts';
import type { HomeserverProcess } from './homeserver/homeserver-process.ts';
import { log } from './log.ts';
import { program } from './program.ts';

/**
 * Called when the app begins to end.
 *
 * @returns what is called when it has: lets it be started again, where somebody has asked for that
 */
function noteWhoOpens(): () => void {
  let wanted: string[] | undefined;
  const own = process.argv.slice(1);
  app.on('second-instance', (_event, argv) => {
    // What a link leads to is not forgotten over who wants to have the app, whatever it shows.
    if (linkAmong(argv) === undefined && wanted && linkAmong(wanted) !== undefined) return;
    wanted = argv.slice(1);
  });
  app.on('open-url', (_event, link) => {
    wanted = [...own, link];
  });
  app.on('activate', () => {
    wanted ??= own;
  });
  return () => {
    if (wanted) app.relaunch({ args: wanted, execPath: program() });
  };
}

/** Quitting waits for what was begun: the console's last changes, then the homeserver's own end. */

/** So long the last changes are waited for; a server that is gone must not keep the app from ending. */
const changesEndWithinMs = 5_000;

let isStopping = false;

/** Whether nothing keeps the app any more: what is opened now would be closed at once. */
export const isQuitting = () => isStopping;

type BeforeQuit = {
  /** Resolves when the homeserver's data is in one place; that takes as long as it takes. */
  dataIsWhole: () => Promise<void>;
  /** Resolves when nothing is left that the homeserver has to answer; what it finds out `late` counts no more. */
  changesSettled: (late: AbortSignal) => Promise<void>;
  /** Whether an update is put in place when the app has ended: an app that opens meanwhile would be in its way. */
  isReplaced: () => boolean;
  /** Resolves when that update is where it has to be then. */
  updatePrepared: () => Promise<void>;
};

/**
 * Begins as soon as the homeserver does: the rest of the start may wait for the person.
 *
 * @returns takes what else goes before, once that is known
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
    // Asked again on the way, a homeserver that stops already would seem to have been at work on nothing.
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
