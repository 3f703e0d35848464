/** Confirmations for operations on the local server that a restart doesn't undo. */
import type { Change } from '../../server/administration/host/local-host.ts';
import { confirmInDialog } from '../ask.ts';
import { say } from '../words.ts';

const questions: Record<Change, { message: string; detail: string; yes: string }> = {
  apply: {
    message: /*i18n*/ "Change the local server's configuration?",
    detail:
      /*i18n*/ 'The configuration controls network access, sign-in and the local files used. The server restarts.',
    yes: /*i18n*/ 'Change configuration',
  },
  reset: {
    message: /*i18n*/ 'Reset the local server?',
    detail: /*i18n*/ 'The server starts empty. You can restore its current data later.',
    yes: /*i18n*/ 'Reset server',
  },
  restore: {
    message: /*i18n*/ 'Restore the backup to the local server?',
    detail:
      /*i18n*/ "Replaces the server's data and configuration with the backup's. You can restore the current data later.",
    yes: /*i18n*/ 'Restore backup',
  },
  take_back: {
    message: /*i18n*/ "Restore the local server's previous data?",
    detail: /*i18n*/ 'You can restore the current data later.',
    yes: /*i18n*/ 'Restore data',
  },
};

/** Returns whether the user agreed. */
export function askBefore(change: Change): Promise<boolean> {
  const { message, detail, yes } = questions[change];
  return confirmInDialog({ message: say(message), detail: say(detail), yes: say(yes) });
}
