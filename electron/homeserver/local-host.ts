/** Operations of testers on the built-in homeserver, each after a native confirmation. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialog } from 'electron';
import { parse } from 'yaml';
import { createLocalHost, type Runner } from '../../server/administration/host/local-host.ts';
import type { TemporaryServers } from '../../server/administration/host/temporary-servers.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import type { LocalHost } from '../../shared/workbench/host.ts';
import { askForPage } from '../window/page-questions.ts';
import { say } from '../words.ts';
import { askBefore } from './ask-local-host.ts';
import type { HomeserverProcess } from './homeserver-process.ts';

type Options = { homeserver: HomeserverProcess; dataDir: string; temporaryServers: TemporaryServers };

/** A compromised page could do harm with a configuration or a reset. */
export const localHostOfApp = ({ homeserver, dataDir, temporaryServers }: Options) =>
  createLocalHost({
    dataDir,
    temporaryServers,
    runner: runnerOf(homeserver),
    // The server validates it: its code isn't loaded here.
    check: async () => [],
    async permit(change) {
      if (change !== 'apply') await requireOwnDatabase(join(dataDir, 'homeserver.yaml'));
      if (await askForPage(() => askBefore(change))) return;
      throw new ConnectionFailure('cancelled', /*i18n*/ 'Canceled. Nothing has changed.');
    },
  });

/** Restores the backup that the user chooses; does nothing if canceled. */
export async function restoreChosen({ restore }: LocalHost): Promise<{ kept_at?: string }> {
  let archive: string | undefined;
  await askForPage(async () => {
    const { filePaths } = await dialog.showOpenDialog({
      properties: ['openFile'],
      filters: [{ name: say(/*i18n*/ 'Backups'), extensions: ['tar'] }],
    });
    archive = filePaths[0];
    return archive !== undefined;
  });
  if (archive === undefined) return {};
  return { kept_at: (await restore(archive)).kept_at };
}

const runnerOf = (homeserver: HomeserverProcess): Runner => ({
  async start(settingsFrom) {
    homeserver.start(settingsFrom === undefined ? [] : ['--settings-from', settingsFrom]);
    try {
      return { url: await homeserver.url() };
    } catch (error) {
      // If a configuration is reverted, the page only gets the message.
      if (error instanceof ConnectionFailure) error.message = say(error.sentence, error.values);
      throw error;
    }
  },
  stop: () => homeserver.stop(),
  signInToken: () => homeserver.ask('sign-in'),
});

/** Undefined also if it can't be parsed: the server reports that itself. */
function databaseIn(text: string): unknown {
  try {
    return parse(text)?.database?.name;
  } catch {
    return undefined;
  }
}

async function requireOwnDatabase(settings: string): Promise<void> {
  const text = await readFile(settings, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (databaseIn(text) !== 'psycopg2') return;
  throw new ConnectionFailure(
    'refused',
    /*i18n*/ "This server uses PostgreSQL, which the app can't replace. Create and configure another database.",
  );
}
