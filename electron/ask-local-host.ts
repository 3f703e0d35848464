/** What the person is asked before something is done to the local server that a restart doesn't undo. */
import type { Change } from '../server/host/local-host.ts';
import { askPerson } from './ask.ts';
import { say } from './words.ts';

const questions: Record<Change, { message: string; detail: string; yes: string }> = {
  apply: {
    message: /*i18n*/ 'Change the configuration of the local server?',
    detail:
      /*i18n*/ 'It says where the server listens, who may sign in, and which files of this machine it uses. The server is started again with it.',
    yes: /*i18n*/ 'Change it',
  },
  reset: {
    message: /*i18n*/ 'Reset the local server?',
    detail: /*i18n*/ 'It begins anew with no data. What is there now is kept beside it.',
    yes: /*i18n*/ 'Reset it',
  },
  restore: {
    message: /*i18n*/ 'Restore the backup into the local server?',
    detail:
      /*i18n*/ 'It goes on with the data and the configuration of the backup. What is there now is kept beside it.',
    yes: /*i18n*/ 'Restore it',
  },
  take_back: {
    message: /*i18n*/ 'Go back to the data that the local server had before?',
    detail: /*i18n*/ 'What it has now is kept beside it.',
    yes: /*i18n*/ 'Go back',
  },
};

/** Resolves with whether the person agrees. */
export function askBefore(change: Change): Promise<boolean> {
  const { message, detail, yes } = questions[change];
  return askPerson({ message: say(message), detail: say(detail), yes: say(yes) });
}
