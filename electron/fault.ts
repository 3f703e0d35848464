/** What ends the app because it can't go on: said to the person and kept for whoever looks into it. */
import { app, dialog } from 'electron';
import { say } from './words.ts';

/** Ends the app at once; the homeserver ends with it, as in a crash, which loses nothing. */
export function endWithFault(error: unknown): void {
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Gatehouse can't go on: ${error instanceof Error ? error.stack : error}\n`);
  dialog.showErrorBox(say(/*i18n*/ 'Gatehouse has to end'), sentence);
  app.exit(1);
}
