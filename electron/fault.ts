/** What ends the app because it can't go on: said to the person and kept for whoever looks into it. */
import { app, dialog } from 'electron';
import { ConnectionFailure } from '../shared/connection.ts';
import { homeserverName } from './homeserver/homeserver-process.ts';
import { keepCrashReport, log } from './log.ts';
import { say } from './words.ts';

let isEnding = false;

/** Ends the app at once; the homeserver ends with it, as in a crash, which loses nothing. */
export function endWithFault(error: unknown): void {
  // What goes wrong on the way out is not one more reason to begin anew.
  if (isEnding) return;
  isEnding = true;
  log.error("app: can't continue:", error);
  keepCrashReport("Gatehouse can't continue", error);
  dialog.showErrorBox(say(/*i18n*/ "Gatehouse can't continue"), sentenceOf(error));
  app.exit(1);
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConnectionFailure) return say(error.sentence, error.values);
  return error instanceof Error ? error.message : String(error);
}

/** What nobody caught: the app does not go on with what it no longer knows, but a promise that nobody waits for ends nothing. */
export function watchFaults(): void {
  process.on('uncaughtException', endWithFault);
  process.on('unhandledRejection', (error) => {
    log.error('app: unhandled promise rejection:', error);
    keepCrashReport('Unhandled promise rejection', error);
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    if (reason === 'clean-exit' || reason === 'killed') return;
    // Whoever started it knows whether that was a crash, and keeps a report of it.
    if (name === homeserverName) return;
    const what = `Process ended: ${[type, name, reason, exitCode].filter(Boolean).join(', ')}`;
    log.error(what);
    keepCrashReport(what, '');
  });
}
