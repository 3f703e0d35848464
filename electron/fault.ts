/** Fatal errors: shows them and writes a crash report. */
import { app, dialog } from 'electron';
import { ConnectionFailure } from '../shared/connection.ts';
import { homeserverName } from './homeserver/homeserver-process.ts';
import { keepCrashReport, log } from './log.ts';
import { say } from './words.ts';

let isEnding = false;

/** Exits at once. The homeserver exits too, as in a crash, which loses nothing. */
export function endWithFault(error: unknown): void {
  // Errors during the exit must not start another exit.
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

/** An uncaught exception ends the app, because its state is unknown; an unhandled rejection doesn't. */
export function watchFaults(): void {
  process.on('uncaughtException', endWithFault);
  process.on('unhandledRejection', (error) => {
    log.error('app: unhandled promise rejection:', error);
    keepCrashReport('Unhandled promise rejection', error);
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    if (reason === 'clean-exit' || reason === 'killed') return;
    // The parent process decides if that was a crash and keeps the report.
    if (name === homeserverName) return;
    const what = `Process ended: ${[type, name, reason, exitCode].filter(Boolean).join(', ')}`;
    log.error(what);
    keepCrashReport(what, '');
  });
}
