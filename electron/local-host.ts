/** What a tester has done to the homeserver in the box: another configuration, a new beginning, servers beside it. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ConnectionFailure, type Send } from '../shared/connection.ts';
import { discover, signIn } from '../shared/sign-in.ts';
import type { AppliedConfiguration, Throwaway } from '../shared/workbench/host.ts';
import { askPerson } from './ask.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { HomeserverProcess } from './homeserver-process.ts';
import { say } from './words.ts';

export type LocalHost = ReturnType<typeof createLocalHost>;

type Options = {
  homeserver: HomeserverProcess;
  /** The bundle that a homeserver's process runs. */
  modulePath: string;
  dataDir: string;
  send: Send;
};

/**
 * What is asked while something is under way waits for it: two changes at once would undo each other. What a page that
 * has been taken over could do harm with is asked about in a window of the system's own.
 */
export function createLocalHost({ homeserver, modulePath, dataDir, send }: Options) {
  const settings = join(dataDir, 'homeserver.yaml');
  const throwaways = new Map<string, { server: Throwaway; process: HomeserverProcess; folder: string }>();
  let last: Promise<unknown> = Promise.resolve();
  let made = 0;

  function oneAfterAnother<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  /** Why it doesn't run; undefined where it does. */
  async function startsNot(): Promise<string | undefined> {
    try {
      await homeserver.restart();
      await homeserver.url();
      return undefined;
    } catch (error) {
      const { message } = homeserver.state;
      if (message) return say(message.sentence, message.values);
      return error instanceof Error ? error.message : String(error);
    }
  }

  async function apply(text: string): Promise<AppliedConfiguration> {
    await requireConsent({
      message: say(/*i18n*/ 'Change the configuration of the local server?'),
      detail: say(
        /*i18n*/ 'It says where the server listens, who may sign in, and which files of this machine it uses. The server is started again with it.',
      ),
      yes: say(/*i18n*/ 'Change it'),
    });
    const before = await readIfThere(settings);
    writeFileAtomically(settings, text);
    const message = await startsNot();
    if (message === undefined) return { outcome: 'applied', problems: [] };
    if (before === undefined) await rm(settings);
    else writeFileAtomically(settings, before);
    await startsNot();
    return { outcome: 'went_back', problems: [], message };
  }

  async function reset(): Promise<{ kept_at: string }> {
    const text = await readIfThere(settings);
    if (text !== undefined && parse(text)?.database?.name === 'psycopg2') {
      throw new ConnectionFailure(
        'refused',
        /*i18n*/ 'The data of this server is in a PostgreSQL database, which the app does not empty: make another one, and name it in the configuration.',
      );
    }
    await requireConsent({
      message: say(/*i18n*/ 'Reset the local server?'),
      detail: say(/*i18n*/ 'It begins anew with no data. What is there now is kept beside it.'),
      yes: say(/*i18n*/ 'Reset it'),
    });
    await homeserver.stop();
    const kept = `${dataDir}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    if (existsSync(dataDir)) await rename(dataDir, kept);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    if (text !== undefined) await copyFile(join(kept, 'homeserver.yaml'), settings);
    homeserver.start();
    await homeserver.url();
    return { kept_at: kept };
  }

  async function startThrowaway(asked: string | undefined): Promise<Throwaway> {
    const name = asked ?? `throwaway-${++made}`;
    if (throwaways.has(name)) {
      throw new ConnectionFailure(
        'refused',
        /*i18n*/ 'A throwaway server has this name: choose another one.',
      );
    }
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-throwaway-'));
    const process = new HomeserverProcess({
      modulePath,
      arguments: [`--data-dir=${folder}`, '--port=0'],
      onChange() {},
    });
    try {
      process.start();
      const server = await discover(send, await process.url());
      const token = await process.ask('sign-in');
      const { userId, accessToken } = await signIn(send, server, { type: 'login_token', token });
      const started: Throwaway = {
        name,
        url: server.baseUrl,
        server_name: userId.slice(userId.indexOf(':') + 1),
        user_id: userId,
        access_token: accessToken,
      };
      throwaways.set(name, { server: started, process, folder });
      return started;
    } catch (error) {
      await process.stop();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async function stopThrowaway(name: string): Promise<void> {
    const found = throwaways.get(name);
    if (!found) return;
    throwaways.delete(name);
    await found.process.stop();
    await rm(found.folder, { recursive: true, force: true });
  }

  return {
    apply: (text: string) => oneAfterAnother(() => apply(text)),
    reset: () => oneAfterAnother(reset),
    throwaways: (): Throwaway[] => [...throwaways.values()].map(({ server }) => server),
    startThrowaway: (name: string | undefined) => oneAfterAnother(() => startThrowaway(name)),
    stopThrowaway: (name: string) => oneAfterAnother(() => stopThrowaway(name)),
    /** Before the app ends: what was thrown away is gone. */
    stopThrowaways: async (): Promise<void> => {
      await Promise.all([...throwaways.keys()].map(stopThrowaway));
    },
  };
}

async function requireConsent(question: Parameters<typeof askPerson>[0]): Promise<void> {
  if (await askPerson(question)) return;
  throw new ConnectionFailure('cancelled', /*i18n*/ 'You chose not to: nothing has changed.');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
