/** What a tester does to the homeserver in the box: the person is asked first, in a window of the system's own. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createLocalHost, type Runner } from '../server/host/local-host.ts';
import type { Throwaways } from '../server/host/throwaways.ts';
import { ConnectionFailure } from '../shared/connection.ts';
import { askPerson } from './ask.ts';
import type { HomeserverProcess } from './homeserver-process.ts';
import { say } from './words.ts';

type Options = { homeserver: HomeserverProcess; dataDir: string; throwaways: Throwaways };

/** A page that has been taken over could do harm with a configuration and with a reset. */
export const localHostOfApp = ({ homeserver, dataDir, throwaways }: Options) =>
  createLocalHost({
    dataDir,
    throwaways,
    runner: runnerOf(homeserver),
    // The server itself says what is wrong: its code is not loaded here.
    check: async () => [],
    async permit(change) {
      if (change === 'reset') await requireOwnDatabase(join(dataDir, 'homeserver.yaml'));
      if (await askPerson(questionBefore(change))) return;
      throw new ConnectionFailure('cancelled', /*i18n*/ 'You chose not to: nothing has changed.');
    },
  });

const runnerOf = (homeserver: HomeserverProcess): Runner => ({
  async start() {
    homeserver.start();
    try {
      return { url: await homeserver.url() };
    } catch (error) {
      // Where a configuration goes back, the message is all that the page is told.
      if (error instanceof ConnectionFailure) error.message = say(error.sentence, error.values);
      throw error;
    }
  },
  stop: () => homeserver.stop(),
  signInToken: () => homeserver.ask('sign-in'),
});

function questionBefore(change: 'apply' | 'reset'): Parameters<typeof askPerson>[0] {
  if (change === 'apply') {
    return {
      message: say(/*i18n*/ 'Change the configuration of the local server?'),
      detail: say(
        /*i18n*/ 'It says where the server listens, who may sign in, and which files of this machine it uses. The server is started again with it.',
      ),
      yes: say(/*i18n*/ 'Change it'),
    };
  }
  return {
    message: say(/*i18n*/ 'Reset the local server?'),
    detail: say(/*i18n*/ 'It begins anew with no data. What is there now is kept beside it.'),
    yes: say(/*i18n*/ 'Reset it'),
  };
}

async function requireOwnDatabase(settings: string): Promise<void> {
  const text = await readFile(settings, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (parse(text)?.database?.name !== 'psycopg2') return;
  throw new ConnectionFailure(
    'refused',
    /*i18n*/ 'The data of this server is in a PostgreSQL database, which the app does not empty: make another one, and name it in the configuration.',
  );
}
